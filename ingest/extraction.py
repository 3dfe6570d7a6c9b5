"""Documents to titles and sections; the same text gives the same sections from any place.

Whatever is not plain text becomes HTML once and Markdown once, which is its normal form.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote, urlsplit

from html_to_markdown import ConversionError
from lxml.html.defs import tags
from markdown_it.token import Token

from ingest.html import page_markdown, page_title, parse_page, whole_markdown
from ingest.markdown import (
    Section,
    first_heading,
    markdown_sections,
    parser,
    split_front_matter,
    text_sections,
)
from ingest.plain import decode, has_byte_order_mark, visible
from ingest.reading import MediaType, RawDocument
from rich_agent.errors import RichAgentError

PIPELINE_VERSION = 2
"""Raised with each change of extraction or chunking that is to reach documents already stored."""

_BINARY_WITHIN = 4_096
_TAG_NAME = re.compile(r"</?([A-Za-z][\w:-]*)")
_TAGS = tags | {"bdi", "data", "dialog", "main", "picture", "search", "slot", "svg", "template"}


class ExtractionError(RichAgentError):
    """A document that there is nothing to be had from; the message says why."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document in its normal form; `text` is Markdown, or plain text without any markup."""

    title: str
    text: str
    sections: tuple[Section, ...]


def extract(raw: RawDocument) -> Extracted:
    """The document's title, text and sections. Takes up to 20 s of time: run it in a thread.

    Raises: ExtractionError.
    """
    if b"\0" in raw.data[:_BINARY_WITHIN] and not has_byte_order_mark(raw.data):
        raise ExtractionError("this is no text")
    text = visible(decode(raw.data, raw.charset, is_html=raw.media_type == "text/html"))
    try:
        extracted = _EXTRACTORS[raw.media_type](text)
    except ConversionError as error:
        raise ExtractionError(f"the page cannot be converted: {error}") from error
    if not extracted.sections:
        raise ExtractionError("no text found")
    return extracted if extracted.title else replace(extracted, title=_name(raw.url))


def _from_html(text: str) -> Extracted:
    page = parse_page(text)
    if page is None:
        return Extracted("", "", ())
    title = page_title(page)
    markdown = visible(page_markdown(page)).strip()
    sections = markdown_sections(markdown, slugs=False)
    return Extracted(first_heading(markdown) or title, markdown, tuple(sections))


def _from_markdown(text: str) -> Extracted:
    title, body = split_front_matter(text)
    page = parse_page(_rendered(body))
    if page is None:
        return Extracted(title, "", ())
    markdown = visible(whole_markdown(page)).strip()
    sections = markdown_sections(markdown, slugs=True)
    return Extracted(title or first_heading(markdown), markdown, tuple(sections))


def _from_plain_text(text: str) -> Extracted:
    return Extracted("", text.strip(), tuple(text_sections(text)))


_EXTRACTORS: Final[Mapping[MediaType, Callable[[str], Extracted]]] = MappingProxyType(
    {
        "text/html": _from_html,
        "text/markdown": _from_markdown,
        "text/plain": _from_plain_text,
    }
)


def _rendered(markdown: str) -> str:
    """Markdown as HTML. `<host>` and the like are words that the author forgot to quote."""
    tokens = parser().parse(markdown)
    for token in _raw_html(tokens):
        name = _TAG_NAME.match(token.content.lstrip())
        if name and name[1].lower() not in _TAGS:
            token.content = escape(token.content, quote=False)
    html: str = parser().renderer.render(tokens, parser().options, {})
    return html


def _raw_html(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type in {"html_block", "html_inline"}:
            yield token
        yield from _raw_html(token.children or ())


def _name(url: str) -> str:
    """What to call a document without a title: its file's name, or its host."""
    parts = urlsplit(url)
    return unquote(PurePosixPath(parts.path).stem) or parts.netloc
