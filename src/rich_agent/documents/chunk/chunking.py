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
    """The text directive (`:~:text=`) for the first words of each piece of Markdown, "" for none.

    There is none for pieces that begin with code or a table, which browsers match by line and cell,
    for very short texts, and for words that also occur earlier in the document.
    """
    piece_letters = ["".join(_LETTERS.findall(content)) for content in contents]
    piece_starts = accumulate((len(letters) for letters in piece_letters), initial=0)
    document_letters = "".join(piece_letters)
    return [
        _directive(opening) if opening and _is_first(document_letters, opening, start) else ""
        for opening, start in zip(map(_opening, contents), piece_starts, strict=False)
    ]


def _is_first(document_letters: str, opening: str, start: int) -> bool:
    """Whether the opening words of a piece, which begins at `start`, do not occur earlier."""
    letters = "".join(_LETTERS.findall(opening))
    if len(letters) < _FEWEST_LETTERS and not _CJK.search(letters):
        return False
    return (
        document_letters.find(letters, max(0, start - _LOOK_BACK), start + len(letters) - 1) == -1
    )


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
    """The text of a chunk that belongs to no document yet."""

    section: str
    """Heading path."""
    anchor: str
    """Id of the heading or block that the chunk begins with."""
    content: str
    directive: str = ""
    """Text directive (`:~:text=`) that leads to the first words, "" for none."""


def cut_sections(sections: Sequence[Section], title: str) -> list[ChunkText]:
    """The chunks of a document, in order.

    A chunk has about 700 quarters of a token. The maximum is 1,300, plus a remainder of less than
    200, which would be too short for a chunk. A short section is a short chunk. Text before the
    first heading has the document's title as its section. A list of references is left out unless
    the document has nothing else: any search would match such a list, but it answers nothing.
    """
    topical_sections = [section for section in sections if not _is_references(section)]
    chunks: list[ChunkText] = []
    opens_section: list[bool] = []
    for section in topical_sections or sections:
        blocks = [part for block in section.blocks for part in _fit(block)]
        path = " > ".join(section.path) or title
        for position, group in enumerate(cut(blocks)):
            chunks.append(ChunkText(path, group[0].anchor or section.anchor, join(group)))
            opens_section.append(position == 0)
    directives = text_fragments([chunk.content for chunk in chunks])
    return [
        chunk if (is_first and chunk.anchor) else replace(chunk, directive=directive)
        for chunk, is_first, directive in zip(chunks, opens_section, directives, strict=True)
    ]


def _is_references(section: Section) -> bool:
    """Whether a section is named like a list of references and has only items with links."""
    name = section.path[-1].strip(" :：").casefold() if section.path else ""
    return name in _REFERENCES and all(_LINKED_ITEM.match(block.text) for block in section.blocks)


def join(blocks: Sequence[Block]) -> str:
    """The blocks as one text, separated as they were in the document."""
    return "".join([blocks[0].text, *(block.glue + block.text for block in blocks[1:])])


def cut(blocks: Sequence[Block]) -> list[list[Block]]:
    """Groups of neighbouring blocks. Only a group of a single block may exceed the limit.

    Each position between two blocks has a priority that depends only on the words after it. Where
    the priority is high for the length of the block, a group begins, regardless of the other
    blocks. A group over the limit is cut at its highest priority, and its halves likewise: these
    cuts are the inner nodes of a treap, in which an insertion changes only nearby nodes.

    Sources: Muthitacharoen et al., A Low-Bandwidth Network File System, 2001 (breaks by content);
    Seidel and Aragon, Randomized Search Trees, 1996.
    """
    offsets = _offsets(blocks)
    if not blocks or offsets[-1] <= CHUNK_LIMIT:
        return [list(blocks)] if blocks else []
    priorities = _priorities(blocks)
    group_starts: list[int] = []
    for start, end in pairwise([0, *_breaks(blocks, priorities), len(blocks)]):
        group_starts += [start, *_cuts(offsets, priorities, start, end)]
    return [list(blocks[start:end]) for start, end in pairwise([*group_starts, len(blocks)])]


def _breaks(blocks: Sequence[Block], priorities: Sequence[_Priority]) -> Iterator[int]:
    for position, (block, next_block) in enumerate(pairwise(blocks), start=1):
        priority = int.from_bytes(priorities[position][0]) / 256 ** len(priorities[position][0])
        if (
            min(size(block.text), size(next_block.text)) >= TINY
            and 1 - priority < size(next_block.text) / _LONG
        ):
            yield position


def _cuts(
    offsets: Sequence[int], priorities: Sequence[_Priority], start: int, end: int
) -> Iterator[int]:
    """The positions at which the blocks from `start` up to `end` are cut, in order."""
    if offsets[end] - offsets[start] <= CHUNK_LIMIT:
        return
    first_position = bisect_left(offsets, offsets[start] + TINY, start + 1, end)
    positions_end = bisect_right(offsets, offsets[end] - TINY, first_position, end)
    if first_position < positions_end:
        position = max(range(first_position, positions_end), key=priorities.__getitem__)
        yield from _cuts(offsets, priorities, start, position)
        yield position
        yield from _cuts(offsets, priorities, position, end)


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

    It is derived from a landmark of the block, which most edits do not change. If blocks share a
    landmark, as in a template, their whole text decides, and among equal texts their order.
    """
    occurrences: Counter[str] = Counter()
    priorities: list[_Priority] = []
    for position, block in enumerate(blocks):
        text = block.text
        for next_block in blocks[position + 1 : position + _BLOCKS_AHEAD]:
            if len(text) >= _TELLING:
                break
            text += f"\n{next_block.text}"
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
        line[offset : offset + length]
        for line in (f"{line}\n" for line in lines)
        for length in [CHUNK_LIMIT if line.isascii() else _MOST_OF_LINE]
        for offset in range(0, len(line), length)
    ]
    for group in cut([Block(part, "") for part in _fewer(parts)]):
        yield Block(wrap(join(group).removesuffix("\n")), block.glue, block.kind, block.anchor)


def _prose_parts(block: Block) -> Iterator[Block]:
    """Parts of a long paragraph, cut at the ends of sentences, else of lines, else of words.

    Long lines count as paragraphs, as in files that write each paragraph on one line.
    """
    part_offset = 0
    glue = block.glue
    line_count = block.text.count("\n") + 1
    lines_are_paragraphs = line_count > 1 and len(block.text) > _LONG_LINE * line_count
    patterns = (_LINE, _SENTENCE, _WORD) if lines_are_paragraphs else (_SENTENCE, _LINE, _WORD)
    for group in cut(_split(block.text, patterns)):
        part = join(group)
        anchors = [
            anchor for anchor_offset, anchor in block.later_anchors if anchor_offset <= part_offset
        ]
        anchor = anchors[-1] if anchors else block.anchor
        yield Block(part.rstrip(), glue, anchor=anchor)
        glue = part[len(part.rstrip()) :]
        part_offset += len(part)


def _split(text: str, patterns: Sequence[re.Pattern[str]]) -> list[Block]:
    parts: list[Block] = []
    for part in _fewer(patterns[0].findall(text)):
        if size(part) > CHUNK_LIMIT and len(patterns) > 1:
            parts += [Block(join(group), "") for group in cut(_split(part, patterns[1:]))]
        else:
            parts.append(Block(part, ""))
    return parts


def _fewer(parts: list[str]) -> list[str]:
    """The parts, with neighbours joined if there are very many, as in a text without sentences.

    The words at a cut decide whether it is kept, as with all cuts.
    """
    if len(parts) < _MANY_PARTS:
        return parts
    joined_parts: list[str] = []
    start = length = 0
    for end, part in enumerate(parts, start=1):
        length += len(part)
        if length >= TINY or (length >= _TELLING and crc32(part.encode()) % 8 == 0):
            joined_parts.append("".join(parts[start:end]))
            start, length = end, 0
    return [*joined_parts, "".join(parts[start:])] if length else joined_parts
