"""Finds the web addresses in messages by Telegram's own marks; nothing in a text is guessed."""

from collections.abc import Iterator, Sequence

from rich_agent.domain.text import bare_words
from rich_agent.telegram.receive.wire import Message

MOST_LINKS = 10
_LINKING = frozenset({"url", "text_link"})
_WEB = ("http://", "https://")


def links_of(messages: Sequence[Message]) -> tuple[str, ...]:
    """The distinct addresses of pages in the messages, in order, at most `MOST_LINKS`."""
    found = (link for message in messages for link, _, _ in _links(message))
    return tuple(dict.fromkeys(found))[:MOST_LINKS]


def are_only_links(messages: Sequence[Message]) -> bool:
    """Whether the messages are links, without a word besides."""
    return bool(links_of(messages)) and not any(bare_words(_rest(one)) for one in messages)


def _links(message: Message) -> Iterator[tuple[str, int, int]]:
    """Each address of a page, and where it begins and ends, in UTF-16 units."""
    units = _units(message)
    for entity in message.marks():
        if entity.type not in _LINKING:
            continue
        start, end = entity.offset, entity.offset + entity.length
        shown = units[2 * start : 2 * end].decode("utf-16-le", "replace")
        link = entity.url or (shown if "://" in shown else f"https://{shown}")
        if link.lower().startswith(_WEB):
            yield link, start, end


def _rest(message: Message) -> str:
    units = bytearray(_units(message))
    for _, start, end in sorted(_links(message), key=lambda found: -found[1]):
        del units[2 * start : 2 * end]
    return units.decode("utf-16-le", "replace")


def _units(message: Message) -> bytes:
    return message.written().encode("utf-16-le", "surrogatepass")
