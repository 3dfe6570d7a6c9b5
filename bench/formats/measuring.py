"""Compares the text of a reader with what a person sees."""

import html
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.formats.truth import Cell, Truth

# Scripts without spaces count by letters: where a line ends says nothing about words there.
# A code of the bench is a word of its own, whatever stands next to it without a space.
_WORD = re.compile(
    r"[QH]\d{4}|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
    r"|[\u0600-\u06ff]+|[^\W_\u0600-\u06ff\u3040-\u30ff\u3400-\u9fff]+"
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_INLINE_TAG = re.compile(r"</?(?:a|b|i|u|s|em|strong|sub|sup|span|small|ins|del|mark)\b[^<>]*>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--.*?-->")
_ESCAPE = re.compile(r"\\(?=[^\w\s])")
_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*")
_CELL_END = re.compile(r"(?<!\\)\|")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_TIME = re.compile(r"(\d+):(\d\d)(?::00)?")
_HTML_ROW = re.compile(r"<tr\b[^>]*>(.*?)</tr>", re.DOTALL)
_HTML_CELL = re.compile(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Score:
    """Result of comparing a text with the truth.

    `recall` is the share of visible words in the text, `order` the share of the codes found (of
    words, without codes) that are in order, None without any. `cells` are those right of
    `all_cells`.
    """

    recall: float | None
    order: float | None
    missing: tuple[str, ...]
    missing_facts: tuple[str, ...]
    hidden: tuple[str, ...]
    cells: int
    all_cells: int
    wrong_cells: tuple[Cell, ...]


def words(text: str) -> list[str]:
    """The words of a text, in composed form and without marks; case is kept.

    Letters of Arabic words are sorted, since poppler gives those of ligatures in another order.
    """
    found = _WORD.findall(_INVISIBLE.sub("", unicodedata.normalize("NFKC", text)))
    return ["".join(sorted(word)) if "\u0600" <= word[0] <= "\u06ff" else word for word in found]


def plain(markdown: str) -> str:
    """The text of Markdown or HTML without markup that could part words or join them."""
    text = _TAG.sub(" ", _INLINE_TAG.sub("", markdown))
    return html.unescape(_ESCAPE.sub("", text)).replace("*", "").replace("`", "")


def score(truth: Truth, text: str) -> Score:
    """Compare the text of a reader, Markdown or plain, with the truth."""
    found = words(plain(text))
    in_text = Counter(found)
    seen = _seen(truth)
    missing = Counter(seen) - in_text
    right, wrong = _judge(truth.cells, text)
    return Score(
        recall=1 - missing.total() / len(seen) if seen else None,
        order=_order(truth.facts or seen, found),
        missing=tuple(missing.elements()),
        missing_facts=tuple(fact for fact in truth.facts if not {*words(fact)} <= in_text.keys()),
        hidden=tuple(code for code in map(_code, truth.hidden) if code in in_text),
        cells=right,
        all_cells=len(truth.cells),
        wrong_cells=wrong,
    )


def _seen(truth: Truth) -> list[str]:
    """The visible words. Programs that render show some hidden texts, such as white letters."""
    seen = words(truth.seen or " ".join(truth.facts))
    if truth.has_charts:
        # Letters along an axis are rendered one by one.
        names = [f"{cell.row} {cell.column}" for cell in truth.cells]
        seen = [*dict.fromkeys(words(" ".join([*truth.facts, *names])))]
    surplus = Counter(word for text in truth.hidden if _code(text) in seen for word in words(text))
    kept = []
    for word in reversed(seen):
        if surplus[word]:
            surplus[word] -= 1
        else:
            kept.append(word)
    return kept[::-1]


def _code(hidden: str) -> str:
    """The code of a hidden text, its last word."""
    return words(hidden)[-1]


def _order(seen: Sequence[str], found: Sequence[str]) -> float | None:
    """The share of words that are once in both and follow each other as seen."""
    once = {word for word, count in Counter(seen).items() if count == 1}
    once &= {word for word, count in Counter(found).items() if count == 1}
    places = {word: place for place, word in enumerate(found) if word in once}
    ends: list[int] = []
    for place in (places[word] for word in seen if word in once):
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(ends) / len(places) if places else None


def _judge(cells: Sequence[Cell], text: str) -> tuple[int, tuple[Cell, ...]]:
    """The number of right cells, and those that no table has."""
    grids = [[[_key(cell) for cell in row] for row in grid] for grid in tables(text)]
    wrong = tuple(cell for cell in cells if not any(_has(grid, cell) for grid in grids))
    return len(cells) - len(wrong), wrong


def _key(cell: str) -> str:
    """A cell's value in one form: 3.4 is 3.40 and 8:30 is 08:30:00, but 7 is not 0007."""
    text = " ".join(plain(cell).split())
    if number := _NUMBER.fullmatch(text):
        return f"{float(number[0]):g}"
    if time := _TIME.fullmatch(text):
        return f"{int(time[1])} {time[2]}"
    return " ".join(words(text)).casefold()


def _has(grid: Sequence[Sequence[str]], cell: Cell) -> bool:
    """Whether a table has the value in a row with the key, below all words of the column."""
    column, row_key, value = {*_key(cell.column).split()}, _key(cell.row), _key(cell.value)
    for at, head in enumerate(grid):
        places = [place for place, name in enumerate(head) if column <= {*name.split()}]
        rows = grid[at + 1 :]
        if places and any(
            row_key in row and place < len(row) and row[place] == value
            for row in rows
            for place in places
        ):
            return True
    return False


def tables(text: str) -> Iterator[list[list[str]]]:
    """The tables of a text, of pipes or of HTML, as rows of cells."""
    rows: list[list[str]] = []
    for line in [*text.splitlines(), ""]:
        stripped = line.strip()
        if "|" in stripped and not stripped.startswith("<"):
            if not _RULE.fullmatch(stripped):
                cells = _CELL_END.split(stripped.removeprefix("|").removesuffix("|"))
                rows.append([cell.strip() for cell in cells])
        elif rows:
            yield rows
            rows = []
    for table in re.findall(r"<table\b.*?</table>", text, re.DOTALL):
        yield [_HTML_CELL.findall(row) for row in _HTML_ROW.findall(table)]
