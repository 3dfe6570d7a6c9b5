"""Renders an answer as a rich message: tables, headings, lists; links only to permitted places."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.answer.links import AllowedLinks, find_links, is_web
from rich_agent.ports.bot_api import RenderedMessage, RichBlock, TextEntity
from rich_agent.rendering.answers import link_markers, render, render_sources
from rich_agent.rendering.links import restrict_links
from rich_agent.rendering.rich_blocks import RichText, is_within_limits, read_blocks
from rich_agent.rendering.spans import VERBATIM, Reach, nested, utf16_offsets

_TYPES: Mapping[str, str] = {
    "bold": "bold",
    "italic": "italic",
    "underline": "underline",
    "strikethrough": "strikethrough",
    "spoiler": "spoiler",
    "code": "code",
    "pre": "code",
}
_PLAIN = frozenset({"paragraph", "pre", "blockquote"})


def render_rich(
    answer: Answer, *, locale: str, allowed_links: Iterable[str] = ()
) -> RenderedMessage | None:
    """The answer as one rich message; None where an ordinary message shows it as well.

    That is if it has nothing but paragraphs, quotes and code, and fits into one message; or if it
    is more than a rich message holds.
    """
    parts = render(answer, locale=locale, allowed_links=allowed_links)
    links = {citation.number: citation.link for citation in answer.citations}
    cited = (link for c in answer.citations for link in (c.link, c.source_url) if is_web(link))
    allowed = AllowedLinks.of([*allowed_links, *cited])

    def wording(said: RenderedMessage) -> RichText:
        guarded = link_markers(restrict_links(said, allowed), links)
        return rich_text(_with_bare_links(guarded, allowed))

    blocks = read_blocks(answer.text, wording)
    if blocks is None or (len(parts) == 1 and all(one["type"] in _PLAIN for one in blocks)):
        return None
    sources: list[RichBlock] = [
        {"type": "paragraph", "text": rich_text(part)}
        for part in render_sources(answer.citations, locale)
    ]
    whole = [*blocks, *sources]
    if not is_within_limits(whole):
        return None
    return replace(parts[0], blocks=tuple(whole))


def _with_bare_links(message: RenderedMessage, allowed: AllowedLinks) -> RenderedMessage:
    """Permitted addresses as links: Telegram is not to find any by itself."""
    offsets = utf16_offsets(message.text)
    taken = Reach.of(e for e in message.entities if e.type in VERBATIM | {"text_link"})
    added: list[TextEntity] = []
    for found in find_links(message.text):
        link = next(filter(allowed.permit, found.texts), None)
        if link is None or "@" in link or link.startswith("+"):
            continue
        start, end = offsets[found.start], offsets[found.start + len(link)]
        if taken.of_those_before(end) <= start:
            url = link if is_web(link) else f"https://{link}"
            added.append(TextEntity("text_link", start, end - start, url=url))
    return RenderedMessage(message.text, nested([*message.entities, *added]))


def rich_text(message: RenderedMessage) -> RichText:
    """A text with entities as nested rich text. Source: Bot API, RichText."""
    units = message.text.encode("utf-16-le")
    ordered = sorted(message.entities, key=lambda entity: (entity.offset, -entity.length))
    return _range(units, 0, len(units) // 2, deque(e for e in ordered if _type_of(e)))


def _type_of(entity: TextEntity) -> str | None:
    return "url" if entity.type == "text_link" and entity.url else _TYPES.get(entity.type)


def _range(units: bytes, start: int, end: int, entities: deque[TextEntity]) -> RichText:
    parts: list[Any] = []
    at = start
    while entities:
        outer = entities.popleft()
        stop = min(outer.offset + outer.length, end)
        if outer.offset < at or stop <= outer.offset:
            continue
        parts.append(units[2 * at : 2 * outer.offset].decode("utf-16-le"))
        inner: deque[TextEntity] = deque()
        while entities and entities[0].offset < stop:
            inner.append(entities.popleft())
        shown: dict[str, Any] = {
            "type": _type_of(outer),
            "text": _range(units, outer.offset, stop, inner),
        }
        parts.append({**shown, "url": outer.url} if shown["type"] == "url" else shown)
        at = stop
    parts.append(units[2 * at : 2 * end].decode("utf-16-le"))
    said = [part for part in parts if part]
    return said[0] if len(said) == 1 else (said or "")
