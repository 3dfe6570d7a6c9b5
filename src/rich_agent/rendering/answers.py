"""Renders an answer as messages: its text, citation markers as links, and the list of sources."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.answer.links import AllowedLinks, is_web
from rich_agent.domain.answer.markdown import complete_markdown
from rich_agent.domain.text import shorten, utf16_length
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.markdown import convert
from rich_agent.rendering.spans import (
    VERBATIM,
    Reach,
    join,
    nest_entities,
    restrict_links,
    spans_to_defuse,
    utf16_offsets,
)
from rich_agent.rendering.splitting import MAX_ENTITIES, MAX_UNITS, split_message

_MARKER = re.compile(r"\[(\d{1,4})\]")
_LABEL_LENGTH = 160
_NO_LINKS = AllowedLinks(frozenset())
GROWING_LENGTH = 3 * MAX_UNITS
"""The most characters of Markdown to render while an answer grows, which bounds the work.

A message shows less than that.
"""
_ELLIPSIS = " …"
NOTHING_ABOVE = RenderedMessage("")
MOST_UNITS = 4096
"""The most UTF-16 units of a message. Source: Bot API, sendMessage, `text`."""
_CITATION = re.compile(r"\[\d{1,4}\]")
# Characters that look like marks of addresses and are as long, but cannot be part of an address.
_HARMLESS = str.maketrans({".": "\u2024", "@": "＠", ":": "：", "+": "＋"})


def render(
    answer: Answer,
    *,
    locale: str,
    allowed_links: Iterable[str] = (),
    above: RenderedMessage = NOTHING_ABOVE,
) -> list[RenderedMessage]:
    """The messages of an answer in order, the sources last; at least one message.

    `above` is placed before the text. Only links of citations and `allowed_links` are clickable.
    Any other address is shown as code, because Telegram turns bare addresses into links.
    """
    body, sources = _render_parts(answer, locale, allowed_links)
    messages = _with_sources(split_message(join(above, body)), sources)
    return messages or [RenderedMessage("…")]


def escape_invisible(answer: Answer, *, locale: str, allowed_links: Iterable[str] = ()) -> str:
    """The whole answer as plain text with its sources; each link follows its words."""
    body, sources = _render_parts(answer, locale, allowed_links)
    texts = (_with_links(part, part.text, sys.maxsize).strip() for part in (body, *sources))
    return "\n\n".join(texts) + "\n"


def _render_parts(
    answer: Answer, locale: str, allowed_links: Iterable[str]
) -> tuple[RenderedMessage, Sequence[RenderedMessage]]:
    """The text as one message of any length, and the messages with its sources."""
    link_by_number = {citation.number: citation.link for citation in answer.citations}
    cited_links = (
        link
        for citation in answer.citations
        for link in (citation.link, citation.source_url)
        if is_web(link)
    )
    permitted_links = AllowedLinks.of([*allowed_links, *cited_links])
    text = link_markers(restrict_links(convert(answer.text), permitted_links), link_by_number)
    return text, render_sources(answer.citations, locale)


@dataclass(slots=True)
class GrowingMessage:
    """A growing answer as one message of at most 4000 units, without links.

    Once the message is full, nothing is rendered again.
    """

    above: RenderedMessage = NOTHING_ABOVE
    _source: str = ""
    _is_full: bool = False
    _shown: RenderedMessage | None = None

    def show(self, text: str) -> RenderedMessage | None:
        """The message for the whole text so far; None without text."""
        if self._is_full and text.startswith(self._source):
            return self._shown
        self._source = text[:GROWING_LENGTH]
        body = restrict_links(convert(complete_markdown(self._source), is_growing=True), _NO_LINKS)
        free_units = MAX_UNITS - len(_ELLIPSIS) - utf16_length(self.above.text)
        message_parts = split_message(body, free_units)
        self._is_full = len(message_parts) > 1 or len(self._source) == GROWING_LENGTH
        first_part = [
            replace(message_part, text=message_part.text + _ELLIPSIS)
            for message_part in message_parts[:1]
        ]
        self._shown = join(self.above, first_part[0]) if first_part else None
        return self._shown


def link_markers(message: RenderedMessage, links: Mapping[int, str]) -> RenderedMessage:
    """The message with citation markers as links; `links` has the address of each number."""
    offsets = utf16_offsets(message.text)
    closed_spans = Reach.of(
        entity for entity in message.entities if entity.type in VERBATIM | {"text_link"}
    )
    new_links = []
    for match in _MARKER.finditer(message.text):
        link = links.get(int(match[1]))
        start, end = offsets[match.start()], offsets[match.end()]
        if is_web(link) and closed_spans.of_those_before(end) <= start:
            new_links.append(TextEntity("text_link", start, end - start, url=link))
    return RenderedMessage(message.text, nest_entities([*message.entities, *new_links]))


def _with_sources(
    body: Sequence[RenderedMessage], sources: Sequence[RenderedMessage]
) -> list[RenderedMessage]:
    """Append the sources to the last part if it has room for all, else as separate parts."""
    if body and len(sources) == 1:
        combined_part = join(body[-1], sources[0])
        if _has_room(combined_part):
            return [*body[:-1], combined_part]
    return [*body, *sources]


def _has_room(message: RenderedMessage) -> bool:
    """Whether the text fits into one message, even if its links have to be written out."""
    plain_message = without_entities(message, most_units=sys.maxsize)
    is_short = utf16_length(plain_message.text) <= MAX_UNITS
    return is_short and len(split_message(message)) == 1 and len(message.entities) <= MAX_ENTITIES


def render_sources(citations: Sequence[Citation], locale: str) -> list[RenderedMessage]:
    """The list of sources in as many messages as needed, each with the heading."""
    text = say(locale, "sources-heading")
    heading = RenderedMessage(text, (TextEntity("bold", 0, utf16_length(text)),))
    messages: list[RenderedMessage] = []
    for citation in citations:
        line = source_line(citation, locale)
        extended_message = join(messages[-1], line, "\n") if messages else None
        if extended_message and _has_room(extended_message):
            messages[-1] = extended_message
        else:
            messages.append(join(heading, line, "\n"))
    return messages


def source_line(citation: Citation, locale: str) -> RenderedMessage:
    """The line of a citation in the list of sources."""
    label = shorten(citation.label, _LABEL_LENGTH)
    if citation.kind == "web":
        label = say(locale, "source-web", label=label)
    text = f"[{citation.number}] {label}"
    if is_web(citation.link):
        return RenderedMessage(
            text, (TextEntity("text_link", 0, utf16_length(text), url=citation.link),)
        )
    name = PurePosixPath(unquote(urlsplit(citation.source_url).path)).name
    # An address inside a title must not become a link either.
    source = restrict_links(RenderedMessage(text), _NO_LINKS)
    if not name or name in text:
        return source
    # As code, because Telegram would turn a name such as readme.md into a link.
    code = RenderedMessage(name, (TextEntity("code", 0, utf16_length(name)),))
    return join(source, code, " · ")


def without_entities(message: RenderedMessage, most_units: int = MOST_UNITS) -> RenderedMessage:
    """The text without entities; addresses of links follow their words if `most_units` allow it.

    Links of citation markers are not written out, because the list of sources has them. Addresses
    that were shown as code get look-alike dots, so that they do not become links.
    """
    index_by_utf16_offset = {
        utf16_offset: index for index, utf16_offset in enumerate(utf16_offsets(message.text))
    }
    code_spans = [
        (index_by_utf16_offset[entity.offset], index_by_utf16_offset[entity.offset + entity.length])
        for entity in message.entities
        if entity.type in VERBATIM
    ]
    text = _with_links(message, _defuse(message.text, code_spans), most_units)
    return RenderedMessage(text, buttons=message.buttons)


def _with_links(message: RenderedMessage, text: str, most_units: int) -> str:
    """A text as long as the message's, with each link's address after its words."""
    index_by_utf16_offset = {
        utf16_offset: index for index, utf16_offset in enumerate(utf16_offsets(message.text))
    }
    links = [
        (
            entity.url,
            index_by_utf16_offset[entity.offset],
            index_by_utf16_offset[entity.offset + entity.length],
        )
        for entity in message.entities
        if entity.type == "text_link" and entity.url
    ]
    length_units, text_parts, text_end = utf16_length(text), list[str](), len(text)
    # From the end, because the last links are those that fit first.
    for url, start, end in sorted(links, key=lambda link: -link[2]):
        words = message.text[start:end]
        if _CITATION.fullmatch(words):
            continue
        length_units += utf16_length(url) + 1
        if url not in words and length_units <= most_units:
            text_parts += [text[end:text_end], f" {url}"]
            text_end = end
    return text[:text_end] + "".join(reversed(text_parts))


def _defuse(text: str, code_spans: Sequence[tuple[int, int]]) -> str:
    """The text with its code changed so that Telegram does not link it; the length stays."""
    for code_start, code_end in code_spans:
        for start, end in spans_to_defuse(text[code_start:code_end]):
            text = _harmless(text, code_start + start, code_start + end)
    # A mention may begin before the code.
    for start, end in spans_to_defuse(text):
        if any(start < code_end and code_start < end for code_start, code_end in code_spans):
            text = _harmless(text, start, end)
    return text


def _harmless(text: str, start: int, end: int) -> str:
    """The text with look-alikes in place of the marks of addresses between two indexes."""
    return text[:start] + text[start:end].translate(_HARMLESS) + text[end:]
