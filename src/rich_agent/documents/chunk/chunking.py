"""Cuts sections into chunks of about 175 tokens, each under a single heading.

Sizes are in quarters of a token, about one character of Latin text. The place of a cut depends on
the words around it and not on the amount of text before it. So an edit changes the chunk that it is
in, and not the others.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import accumulate, pairwise
from urllib.parse import quote
from zlib import crc32

from markdown_it.token import Token

from rich_agent.documents.extract.markdown import Block, Section, parser, plain_words
from rich_agent.domain.text import HAN, HIRAGANA, KATAKANA, estimate_tokens

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


CHUNK_LIMIT = 1_300
TINY = 200
_LONG = 600
_LONG_LINE = 150
_TELLING = 48
_BLOCKS_AHEAD = 8
_MANY_PARTS = 4_000
_MOST_OF_LINE = 350
_SENTENCE = re.compile(
    r".+?(?:[.!?…]{1,8}+[\"'”’)\]]{0,4}(?=\s)|[。！？]+[」』）]*|\Z)\s*", re.DOTALL
)
_LINE = re.compile(r"[^\n]+\n*|\n+")
_WORD = re.compile(r"\S{1,200}\s*|\s+")
_TERM = re.compile(rf"[{HIRAGANA}]+|[{KATAKANA}]+|[{HAN}]+|[^\W{HIRAGANA}{KATAKANA}{HAN}]+")
_TABLE_HEAD_LINES = 2
_Priority = tuple[bytes, bytes]
_REFERENCES = frozenset({"sources", "references", "further reading", "出典", "参考"})
_LINKED_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s.*?(?:\]\(|https?://)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A chunk's text before it belongs to a document; `section` is the heading path.

    `anchor` leads to its heading or block, `directive` (`:~:text=`) to the words themselves.
    """

    section: str
    anchor: str
    content: str
    directive: str = ""


def cut_sections(sections: Sequence[Section], title: str) -> list[ChunkText]:
    """The chunks of a document, in order; text before the first heading has the title as section.

    A chunk has about 700 quarters of a token, at most 1,300 plus a piece that is too short (200) to
    be a chunk; a short section is a short chunk. A list of references becomes no chunk unless there
    is nothing else: searches for any topic would find it, but it answers nothing.
    """
    telling = [section for section in sections if not _is_references(section)]
    pieces: list[ChunkText] = []
    leads: list[bool] = []
    for section in telling or sections:
        blocks = [part for block in section.blocks for part in _fit(block)]
        path = " > ".join(section.path) or title
        for number, group in enumerate(cut(blocks)):
            pieces.append(ChunkText(path, group[0].anchor or section.anchor, join(group)))
            leads.append(number == 0)
    directives = text_fragments([piece.content for piece in pieces])
    return [
        piece if (leading and piece.anchor) else replace(piece, directive=directive)
        for piece, leading, directive in zip(pieces, leads, directives, strict=True)
    ]


def _is_references(section: Section) -> bool:
    """Whether it is named like a list of references, and contains only list items with links."""
    name = section.path[-1].strip(" :：").casefold() if section.path else ""
    return name in _REFERENCES and all(_LINKED_ITEM.match(block.text) for block in section.blocks)


def join(blocks: Sequence[Block]) -> str:
    """The blocks as one text, separated as they were in the document."""
    return "".join([blocks[0].text, *(block.glue + block.text for block in blocks[1:])])


def cut(blocks: Sequence[Block]) -> list[list[Block]]:
    """Groups of neighbouring blocks; each is within the limit, unless a single block is not.

    Each position between two blocks has a priority that depends only on the words after it. Where
    the priority is high for the length of the block, a group begins, regardless of its neighbours.
    A group over the limit is cut at its highest priority, and its halves likewise: these are the
    inner nodes of a treap, in which an insertion changes only nearby nodes.
    Sources: Muthitacharoen et al., A Low-Bandwidth Network File System, 2001 (breaks by content);
    Seidel and Aragon, Randomized Search Trees, 1996.
    """
    offsets = _offsets(blocks)
    if not blocks or offsets[-1] <= CHUNK_LIMIT:
        return [list(blocks)] if blocks else []
    priorities = _priorities(blocks)
    starts: list[int] = []
    for a, b in pairwise([0, *_breaks(blocks, priorities), len(blocks)]):
        starts += [a, *_cuts(offsets, priorities, a, b)]
    return [list(blocks[a:b]) for a, b in pairwise([*starts, len(blocks)])]


def _breaks(blocks: Sequence[Block], priorities: Sequence[_Priority]) -> Iterator[int]:
    for at, (before, after) in enumerate(pairwise(blocks), start=1):
        height = int.from_bytes(priorities[at][0]) / 256 ** len(priorities[at][0])
        if (
            min(size(before.text), size(after.text)) >= TINY
            and 1 - height < size(after.text) / _LONG
        ):
            yield at


def _cuts(
    offsets: Sequence[int], priorities: Sequence[_Priority], start: int, end: int
) -> Iterator[int]:
    """The positions at which the blocks from `start` up to `end` are cut, in order."""
    if offsets[end] - offsets[start] <= CHUNK_LIMIT:
        return
    first = bisect_left(offsets, offsets[start] + TINY, start + 1, end)
    last = bisect_right(offsets, offsets[end] - TINY, first, end)
    if first < last:
        at = max(range(first, last), key=priorities.__getitem__)
        yield from _cuts(offsets, priorities, start, at)
        yield at
        yield from _cuts(offsets, priorities, at, end)


def _offsets(blocks: Sequence[Block]) -> list[int]:
    offsets = [0]
    for block in blocks:
        offsets.append(offsets[-1] + len(block.glue) + size(block.text))
    return offsets


def size(text: str) -> int:
    """The text's size in quarters of a token."""
    return len(text) if text.isascii() else max(len(text), 4 * estimate_tokens(text))


def _priorities(blocks: Sequence[Block]) -> list[_Priority]:
    """The priority of the position before each block.

    It comes from a landmark of the block, which most edits do not change. If blocks share one, such
    as those from a template, it comes from their whole text, and for equal texts from their number.
    """
    occurrences: Counter[str] = Counter()
    priorities: list[_Priority] = []
    for at, block in enumerate(blocks):
        text = block.text
        for following in blocks[at + 1 : at + _BLOCKS_AHEAD]:
            if len(text) >= _TELLING:
                break
            text += f"\n{following.text}"
        priorities.append((_hash(_landmark(text)), _hash(f"{text}\n{occurrences[text]}")))
        occurrences[text] += 1
    return priorities


def _landmark(text: str) -> str:
    """The pair of neighbouring words with the lowest hash.

    Source: Broder, On the Resemblance and Containment of Documents, 1997 (min-wise sampling).
    """
    words = _TERM.findall(text)
    pairs = {f"{a} {b}" for a, b in pairwise(words)} or words
    return min(pairs, key=lambda pair: (crc32(pair.encode()), pair), default="")


def _hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=8).digest()


def _fit(block: Block) -> list[Block]:
    """The block itself, or its parts if it is over the limit."""
    if size(block.text) <= CHUNK_LIMIT:
        return [block]
    if block.kind == "fence":
        return list(_fence_parts(block))
    if block.kind == "table":
        return list(_table_parts(block))
    return list(_prose_parts(block))


def _fence_parts(block: Block) -> Iterator[Block]:
    """Parts of a code block, each with the fences of the original."""
    opening, *lines = block.text.split("\n")
    marker = opening.strip()[0]
    fence = marker * (len(opening.strip()) - len(opening.strip().lstrip(marker)))
    if lines and lines[-1].strip().startswith(fence):
        lines.pop()
    yield from _line_parts(block, lines, lambda part: f"{opening}\n{part}\n{fence}")


def _table_parts(block: Block) -> Iterator[Block]:
    """Parts of a table, each with its head row unless that is long itself."""
    lines = block.text.split("\n")
    head = "\n".join(lines[:_TABLE_HEAD_LINES])
    if size(head) > _LONG:
        yield from _line_parts(block, lines, str)
    else:
        yield from _line_parts(block, lines[_TABLE_HEAD_LINES:], lambda part: f"{head}\n{part}")


def _line_parts(block: Block, lines: Sequence[str], wrap: Callable[[str], str]) -> Iterator[Block]:
    parts = [
        line[at : at + length]
        for line in (f"{line}\n" for line in lines)
        for length in [CHUNK_LIMIT if line.isascii() else _MOST_OF_LINE]
        for at in range(0, len(line), length)
    ]
    for group in cut([Block(part, "") for part in _fewer(parts)]):
        yield Block(wrap(join(group).removesuffix("\n")), block.glue, block.kind, block.anchor)


def _prose_parts(block: Block) -> Iterator[Block]:
    """Parts of a long paragraph, cut at the ends of sentences, else of lines, else of words.

    Long lines are paragraphs themselves, as in files that have each of them on one line.
    """
    begin = 0
    glue = block.glue
    lines = block.text.count("\n") + 1
    is_of_paragraphs = lines > 1 and len(block.text) > _LONG_LINE * lines
    patterns = (_LINE, _SENTENCE, _WORD) if is_of_paragraphs else (_SENTENCE, _LINE, _WORD)
    for group in cut(_split(block.text, patterns)):
        part = join(group)
        anchors = [anchor for at, anchor in block.later_anchors if at <= begin]
        anchor = anchors[-1] if anchors else block.anchor
        yield Block(part.rstrip(), glue, anchor=anchor)
        glue = part[len(part.rstrip()) :]
        begin += len(part)


def _split(text: str, patterns: Sequence[re.Pattern[str]]) -> list[Block]:
    parts: list[Block] = []
    for part in _fewer(patterns[0].findall(text)):
        if size(part) > CHUNK_LIMIT and len(patterns) > 1:
            parts += [Block(join(group), "") for group in cut(_split(part, patterns[1:]))]
        else:
            parts.append(Block(part, ""))
    return parts


def _fewer(parts: list[str]) -> list[str]:
    """The parts; if there are very many, as in a text without sentences, neighbours are joined.

    As with all cuts, the words at a place decide whether it stays a cut.
    """
    if len(parts) < _MANY_PARTS:
        return parts
    fewer: list[str] = []
    start = length = 0
    for end, part in enumerate(parts, start=1):
        length += len(part)
        if length >= TINY or (length >= _TELLING and crc32(part.encode()) % 8 == 0):
            fewer.append("".join(parts[start:end]))
            start, length = end, 0
    return [*fewer, "".join(parts[start:])] if length else fewer
