"""Allows only some of what Telegram would make clickable.

Any other address is shown as code, which Telegram does not link, and which a tap copies.
"""

from collections.abc import Iterable, Iterator

from rich_agent.domain.answer.links import AllowedLinks, find_links, is_web
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.spans import VERBATIM, Reach, nested, utf16_offsets


def restrict_links(message: RenderedMessage, allowed: AllowedLinks) -> RenderedMessage:
    """The message with links to allowed places only; other addresses are shown as code."""
    offsets = utf16_offsets(message.text)
    kept = [
        entity
        for entity in message.entities
        if entity.type != "text_link" or (is_web(entity.url) and allowed.permit(entity.url))
    ]
    verbatim = Reach.of(entity for entity in kept if entity.type in VERBATIM)
    linked = Reach.of(entity for entity in kept if entity.type == "text_link")
    refused: list[tuple[int, int]] = []
    code_end = link_end = 0
    for found in sorted(find_links(message.text), key=lambda found: found.start):
        start = offsets[found.start]
        end = offsets[found.start + len(found.texts[0])]
        if max(verbatim.of_those_before(start + 1), code_end) >= end:
            continue
        permitted = next(filter(allowed.permit, found.texts), None)
        if permitted is None:
            refused.append((start, end))
            shown = code_end = offsets[found.start + len(found.texts[-1])]
            kept.append(TextEntity("code", start, shown - start))
        elif permitted != found.texts[0] and (max(linked.of_those_before(end), link_end) <= start):
            shown = link_end = offsets[found.start + len(permitted)]
            url = permitted if is_web(permitted) else f"https://{permitted}"
            kept.append(TextEntity("text_link", start, shown - start, url=url))
    return RenderedMessage(message.text, nested(_without_links(kept, Reach(refused))))


def _without_links(entities: Iterable[TextEntity], refused: Reach) -> Iterator[TextEntity]:
    """The entities except links over refused spans: a link and code cannot share a span."""
    for entity in entities:
        end = entity.offset + entity.length
        if entity.type != "text_link" or refused.of_those_before(end) <= entity.offset:
            yield entity


def spans_to_defuse(text: str) -> list[tuple[int, int]]:
    """The spans that Telegram would turn into links, in characters."""
    return [(found.start, found.start + len(found.texts[0])) for found in find_links(text)]
