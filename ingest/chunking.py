"""Sections to chunks of about 800 characters, under one heading each, cut where the text says so.

Where a cut falls depends on the words around it and not on how much stands before, so an edit
re-cuts the chunk it falls into and leaves the others as they were.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

from ingest.markdown import Block, Section

CHUNK_LIMIT = 1_300
TINY = 200
_OPENING = 48
_SENTENCE = re.compile(
    r".+?(?:[.!?…]{1,8}+[\"'”’)\]]{0,4}(?=\s)|[。！？]+[」』）]*|\Z)\s*", re.DOTALL
)
_LINE = re.compile(r"[^\n]+\n*|\n+")
_WORD = re.compile(r"\S{1,200}\s*|\s+")
_TABLE_HEAD_LINES = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk's words before they belong to a document; `section` is the heading path."""

    section: str
    anchor: str
    content: str


def cut_sections(sections: Sequence[Section], title: str) -> list[Piece]:
    """The chunks of a document, in order; text before the first heading has the title as section.

    A chunk has about 800 characters, at most 1,300 and what was too short (200) to stand alone;
    a short section is a short chunk.
    """
    pieces: list[Piece] = []
    for section in sections:
        blocks = [part for block in section.blocks for part in _fit(block)]
        path = " > ".join(section.path) or title
        pieces += [Piece(path, section.anchor, join(group)) for group in cut(blocks)]
    return pieces


def join(blocks: Sequence[Block]) -> str:
    """The blocks as one text, separated as they were in the document."""
    return "".join([blocks[0].text, *(block.glue + block.text for block in blocks[1:])])


def cut(blocks: Sequence[Block]) -> list[list[Block]]:
    """Groups of neighbouring blocks, each within the limit where its blocks are.

    Each position between two blocks has a priority, a hash of the words that follow it. It is a
    cut if the text between its nearest neighbours of higher priority is over the limit: the inner
    nodes of a treap, of which an insertion only changes those around it.
    Source: Seidel and Aragon, Randomized Search Trees, 1996.
    """
    if not blocks:
        return []
    edges = _offsets(blocks)
    priorities = _priorities(blocks)
    left = _nearest_higher(priorities)
    right = [len(blocks) - at for at in reversed(_nearest_higher(priorities[::-1]))]
    bounds = [0, *_cuts(edges, left, right), len(blocks)]
    return [list(blocks[a:b]) for a, b in pairwise(bounds)]


def _cuts(edges: Sequence[int], left: Sequence[int], right: Sequence[int]) -> Iterator[int]:
    for at, (a, b) in enumerate(zip(left, right, strict=True), start=1):
        before, after = edges[at] - edges[a], edges[b] - edges[at]
        if before + after > CHUNK_LIMIT and min(before, after) >= TINY:
            yield at


def _offsets(blocks: Sequence[Block]) -> list[int]:
    offsets = [0]
    for block in blocks:
        offsets.append(offsets[-1] + len(block.glue) + len(block.text))
    return offsets


def _priorities(blocks: Sequence[Block]) -> list[bytes]:
    """The priority of the position before each block but the first.

    Only the opening words count, so that an edit further on moves no cut; where the same words
    open many blocks, their number decides.
    """
    seen: dict[str, int] = {}
    priorities: list[bytes] = []
    for at in range(1, len(blocks)):
        words = ""
        for block in blocks[at : at + 8]:
            words += block.text[: _OPENING - len(words)]
        number = seen.get(words, 0)
        seen[words] = number + 1
        priorities.append(blake2b(f"{words}\n{number}".encode(), digest_size=12).digest())
    return priorities


def _nearest_higher(priorities: Sequence[bytes]) -> list[int]:
    """For each position 1, 2, ... the nearest one before it with a higher priority, or 0."""
    found: list[int] = []
    stack: list[int] = []
    for at, priority in enumerate(priorities, start=1):
        while stack and priorities[stack[-1] - 1] < priority:
            stack.pop()
        found.append(stack[-1] if stack else 0)
        stack.append(at)
    return found


def _fit(block: Block) -> list[Block]:
    """The block itself, or the parts of one that is over the limit."""
    if len(block.text) <= CHUNK_LIMIT:
        return [block]
    if block.kind == "fence":
        return list(_fence_parts(block))
    if block.kind == "table":
        return list(_table_parts(block))
    return list(_prose_parts(block))


def _fence_parts(block: Block) -> Iterator[Block]:
    """Parts of a code block, each fenced as the whole was."""
    opening, *lines = block.text.split("\n")
    marker = opening.strip()[0]
    fence = marker * (len(opening.strip()) - len(opening.strip().lstrip(marker)))
    if lines and lines[-1].strip().startswith(fence):
        lines.pop()
    yield from _line_parts(block, lines, lambda part: f"{opening}\n{part}\n{fence}")


def _table_parts(block: Block) -> Iterator[Block]:
    """Parts of a table, each with its head."""
    lines = block.text.split("\n")
    head = "\n".join(lines[:_TABLE_HEAD_LINES])
    yield from _line_parts(block, lines[_TABLE_HEAD_LINES:], lambda part: f"{head}\n{part}")


def _line_parts(block: Block, lines: Sequence[str], wrap: Callable[[str], str]) -> Iterator[Block]:
    parts = [
        Block(line[at : at + CHUNK_LIMIT], "" if at else "\n")
        for line in lines
        for at in range(0, len(line) or 1, CHUNK_LIMIT)
    ]
    for group in cut(parts):
        yield Block(wrap(join(group)), block.glue, block.kind)


def _prose_parts(block: Block) -> Iterator[Block]:
    """Parts of a long paragraph at sentence ends; of a long sentence at lines, then words."""
    for number, group in enumerate(cut(_split(block.text, (_SENTENCE, _LINE, _WORD)))):
        yield Block(join(group).strip(), " " if number else block.glue)


def _split(text: str, patterns: Sequence[re.Pattern[str]]) -> list[Block]:
    parts: list[Block] = []
    for match in patterns[0].finditer(text):
        if len(match[0]) > CHUNK_LIMIT and len(patterns) > 1:
            parts += [Block(join(group), "") for group in cut(_split(match[0], patterns[1:]))]
        else:
            parts.append(Block(match[0], ""))
    return parts
