"""Rendered messages as Telegram's server takes them and a user sees them."""

from functools import lru_cache

from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.text import utf16_length
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.answers import render
from rich_agent_sandbox.telegram.text.entities import FormattedText, fix_text, read_entities

WAYS_OUT = frozenset({"url", "text_link", "email", "mention", "phone_number", "text_mention"})
"""Entities that lead out of the chat when they are touched."""


def citation(number: int, link: str, title: str = "Guide", section: str = "Start") -> Citation:
    """A citation of a document."""
    return Citation(number, f"c{number}", "document", link, link, title, section)


def rendered(text: str, *citations: Citation, allowed: tuple[str, ...] = ()) -> RenderedMessage:
    """The only message of an answer."""
    (message,) = render(Answer(text, citations), locale="en", allowed_links=allowed)
    return message


def words_under(text: str, offset: int, length: int) -> str:
    """The words under an entity."""
    units = text.encode("utf-16-le")
    return units[2 * offset : 2 * (offset + length)].decode("utf-16-le")


def marked(message: RenderedMessage, kind: str) -> list[str]:
    """The words under the entities of a kind."""
    return [
        words_under(message.text, e.offset, e.length) for e in message.entities if e.type == kind
    ]


def shown(message: RenderedMessage, kind: str) -> list[tuple[str, str | None]]:
    """(words, url) of the entities of a kind."""
    return [
        (words_under(message.text, e.offset, e.length), e.url)
        for e in message.entities
        if e.type == kind
    ]


@lru_cache(maxsize=8)
def received(message: RenderedMessage) -> FormattedText:
    """The text that Telegram's server makes of it.

    Raises: BotApiError when it refuses.
    """
    entities = [
        {"type": e.type, "offset": e.offset, "length": e.length}
        | ({"url": e.url} if e.url else {})
        | ({"language": e.language} if e.language else {})
        for e in message.entities
    ]
    return fix_text(message.text, read_entities(entities))


def ways_out(message: RenderedMessage) -> list[str]:
    """The addresses that Telegram opens at a touch: the ways out of the chat."""
    seen = received(message)
    return [
        str(entity.extra.get("url") or words_under(seen.text, entity.offset, entity.length))
        for entity in seen.entities
        if entity.type in WAYS_OUT
    ]


def check_sendable(message: RenderedMessage) -> None:
    """Telegram takes it and keeps every entity of it."""
    assert 1 <= utf16_length(message.text) <= 4096
    assert len(message.entities) <= 100
    for entity in message.entities:
        assert entity.length > 0
        assert entity.offset + entity.length <= utf16_length(message.text)
    seen = received(message)
    assert seen.text.strip()
    kept = {(e.type, e.offset, e.length) for e in seen.entities}
    assert {(e.type, e.offset, e.length) for e in message.entities} <= kept
