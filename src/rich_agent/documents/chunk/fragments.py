"""Links that open a page at certain words: the text directives of URL fragments.

Source: https://wicg.github.io/scroll-to-text-fragment/.
"""

import re
from collections.abc import Sequence
from itertools import accumulate
from urllib.parse import quote

from markdown_it.token import Token

from rich_agent.documents.extract.markdown import parser, plain_words

_MOST_WORDS = 8
_FEWEST_LETTERS = 12
_MOST_LETTERS = 80
_LOOK_BACK = 300_000
_LONGEST_OPENING = 200
_CJK = re.compile(r"[぀-ヿ㐀-鿿]")
_CLAUSE = re.compile(r"[^。、．，！？「」『』（）()：・\s]{6,40}(?=[。、．，！？「（])")
_LETTERS = re.compile(r"[^\W_]+")


def text_fragments(contents: Sequence[str]) -> list[str]:
    """For each piece of Markdown, the directive that leads to its first words, or "".

    There is none for pieces that begin with code or a table, which browsers match by line and cell,
    for very short texts, and for words that also occur earlier in the document.
    """
    letters = ["".join(_LETTERS.findall(content)) for content in contents]
    starts = accumulate((len(part) for part in letters), initial=0)
    text = "".join(letters)
    return [
        _directive(words) if words and _is_first(text, words, start) else ""
        for words, start in zip(map(_opening, contents), starts, strict=False)
    ]


def _is_first(text: str, words: str, start: int) -> bool:
    """Whether the words at `start` do not occur earlier in the text."""
    letters = "".join(_LETTERS.findall(words))
    if len(letters) < _FEWEST_LETTERS and not _CJK.search(letters):
        return False
    return text.find(letters, max(0, start - _LOOK_BACK), start + len(letters) - 1) == -1


def _opening(content: str) -> str:
    """The first words of the first paragraph as displayed, "" if code or a table comes first."""
    line = content[:_LONGEST_OPENING].partition("\n")[0]
    for token in [] if line.startswith("|") else parser().parse(line):
        if token.type in {"fence", "code_block", "html_block"}:
            return ""
        if token.type == "inline":
            # Something that looks like a tag may be one, or may be text.
            has_tags = any(child.type == "html_inline" for child in token.children or ())
            return "" if has_tags else _first_words(_after_term(token))
    return ""


def _after_term(inline: Token) -> str:
    """The words of a paragraph after a leading bold term, which may be a separate block."""
    words = plain_words(inline)
    kinds = [child.type for child in inline.children or () if child.content or child.nesting]
    if kinds[:1] == ["strong_open"]:
        _, colon, meaning = words.partition(": ")
        return meaning if colon else words
    return words


def _first_words(text: str) -> str:
    if _CJK.search(text[:_MOST_LETTERS]):
        # Browsers match whole words; in scripts without spaces, only punctuation ends a word.
        clause = _CLAUSE.match(text)
        return clause[0] if clause else ""
    words = text.split()[:_MOST_WORDS]
    while len(words) > 1 and sum(map(len, words)) > _MOST_LETTERS:
        words.pop()
    return " ".join(words)


def _directive(words: str) -> str:
    return f":~:text={quote(words, safe='').replace('-', '%2D')}"
