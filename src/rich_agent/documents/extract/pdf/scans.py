"""Puts the text that was read on scanned pages between the text of a PDF."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich_agent.documents.extract.extracted import Extracted
from rich_agent.documents.extract.markdown import (
    Block,
    Section,
    markdown_sections,
    sections_markdown,
    text_sections,
)
from rich_agent.documents.extract.plain import visible

_PAGE = "page="


@dataclass(frozen=True, slots=True)
class PageContent:
    """The text that was read on a page: Markdown, or plain text with line ends, as OCR gives it."""

    text: str
    is_plain: bool = False

    @property
    def is_read(self) -> bool:
        """Whether this tells what is on the page: where OCR finds no word, it may be a drawing."""
        return bool(self.text.strip()) or not self.is_plain


def with_page_texts(document: Extracted, texts: Mapping[int, PageContent]) -> Extracted:
    """The document with these texts by number of the page.

    The pages count as read in its inventory, except where OCR found nothing. Each text stands
    behind those of earlier pages, under the heading there, and has its page as the anchor `page=N`.
    An empty text adds nothing.
    """
    texts = {number: content for number, content in texts.items() if content.is_read}
    if not texts:
        return document
    sections = tuple(_merged(document.sections, texts))
    return replace(
        document,
        text=sections_markdown(sections),
        sections=sections,
        inventory=document.inventory.with_read("page", len(texts)),
        bare_pages=tuple(number for number in document.bare_pages if number not in texts),
    )


def _merged(sections: Sequence[Section], texts: Mapping[int, PageContent]) -> Iterator[Section]:
    waiting_pages = sorted(texts, reverse=True)
    path: tuple[str, ...] = ()
    for section in sections:
        blocks: list[Block] = []
        for block in section.blocks:
            page = _page(block)
            if waiting_pages and waiting_pages[-1] < page and blocks:
                yield _section(section.path, blocks)
                path, blocks = section.path, []
            while waiting_pages and waiting_pages[-1] < page:
                number = waiting_pages.pop()
                yield from _page_sections(number, texts[number], path)
            blocks.append(block)
        if blocks:
            yield _section(section.path, blocks)
        path = section.path
    for number in reversed(waiting_pages):
        yield from _page_sections(number, texts[number], path)


def _section(path: tuple[str, ...], blocks: Sequence[Block]) -> Section:
    return Section(path, blocks[0].anchor, tuple(blocks))


def _page_sections(number: int, content: PageContent, path: tuple[str, ...]) -> Iterator[Section]:
    """The sections of a page, below the headings before it."""
    anchor, text = f"{_PAGE}{number}", visible(content.text)
    page_sections = (
        text_sections(text) if content.is_plain else markdown_sections(text, slugs=False)
    )
    for section in page_sections:
        blocks = tuple(replace(block, anchor=anchor) for block in section.blocks)
        yield Section((*path, *section.path), anchor, blocks)


def _page(block: Block) -> float:
    """The number of the block's page; infinite in files that are attached, which come last."""
    number = block.anchor.removeprefix(_PAGE)
    return int(number) if number.isdecimal() else math.inf
