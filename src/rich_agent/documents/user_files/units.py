"""Divides an extracted document into the parts by which it is cited: pages, sheets, sections."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from rich_agent.documents.extract.extracted import Extracted
from rich_agent.documents.extract.markdown import Block, Section
from rich_agent.domain.retrieval.passage import SECTION_SEPARATOR
from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.user_files import TABLE_TYPES, FileUnit, UnitKind

_SLIDES: Final = frozenset(
    {
        "application/vnd.oasis.opendocument.presentation",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    }
)
_PAGE: Final = "page="


def units_of(extracted: Extracted, media_type: str) -> tuple[FileUnit, ...]:
    """The parts with text, in order."""
    if media_type == "application/pdf":
        return tuple(_pages(extracted.sections))
    kind: UnitKind = "section"
    if media_type in TABLE_TYPES:
        kind = "sheet"
    elif media_type in _SLIDES:
        kind = "slide"
    # A title that stands above everything tells nothing of where a part is.
    above = extracted.title
    headed = (
        (SECTION_SEPARATOR.join(name for name in section.path if name != above), section)
        for section in extracted.sections
    )
    # What follows each other under one heading is one part.
    joined = (
        (heading, [section for _, section in same])
        for heading, same in groupby(headed, key=lambda part: part[0])
    )
    return tuple(
        _section(kind, number, heading, same)
        for number, (heading, same) in enumerate(joined, start=1)
    )


def _section(kind: UnitKind, number: int, heading: str, same: Sequence[Section]) -> FileUnit:
    text = "\n\n".join(map(_text, same))
    return FileUnit(kind, number, heading, text, estimate_tokens(text), same[0].anchor)


def _pages(sections: Iterable[Section]) -> Iterator[FileUnit]:
    """The text of each page with its headings."""
    pages: dict[int, list[str]] = {}
    for section in sections:
        for number, block in enumerate(section.blocks):
            for page, piece in _by_page(block):
                texts = pages.setdefault(page, [])
                if number == 0 and section.path and page == _page(block.anchor):
                    texts.append(f"## {section.path[-1]}")
                texts.append(piece)
    for page, texts in sorted(pages.items()):
        text = "\n\n".join(texts)
        yield FileUnit("page", page, "", text, estimate_tokens(text))


def _by_page(block: Block) -> Iterator[tuple[int, str]]:
    """A paragraph cut where its pages turn."""
    starts: Sequence[tuple[int, str]] = [(0, block.anchor), *block.later_anchors]
    ends = [*(start for start, _ in starts[1:]), len(block.text)]
    for (start, anchor), end in zip(starts, ends, strict=True):
        if piece := block.text[start:end].strip():
            yield _page(anchor), piece


def _page(anchor: str) -> int:
    return int(anchor.removeprefix(_PAGE))


def _text(section: Section) -> str:
    return "".join(f"{block.glue}{block.text}" for block in section.blocks).strip("\n")
