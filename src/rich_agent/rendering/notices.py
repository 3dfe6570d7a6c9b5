"""The bot's own notices and lists. Texts of users and models in them contain no links."""

from datetime import datetime
from functools import reduce

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.domain.text import utf16_length
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.markdown import LONG_QUOTE_UNITS, convert
from rich_agent.rendering.spans import QUOTES, join, restrict_links
from rich_agent.rendering.splitting import split_message
from rich_agent.times import Clocks

_MOMENT = "\ue000"
"""A placeholder for the time in a phrase, by which the time's offset is found."""
_NO_LINKS = AllowedLinks(frozenset())
_QUOTED_UNITS = 3_500
"""Units for a passage or a page; the rest of the message is left for the heading."""


def say_at(clocks: Clocks, key: str, instant: datetime, **values: str | int) -> RenderedMessage:
    """A phrase with a time, which Telegram shows in the reader's own time zone.

    Source: Bot API, MessageEntity `date_time`.
    """
    text_before, _, text_after = say(clocks.locale, key, at=_MOMENT, **values).partition(_MOMENT)
    moment = clocks.moment(instant)
    entity = TextEntity(
        "date_time", utf16_length(text_before), utf16_length(moment), moment=instant
    )
    return RenderedMessage(text_before + moment + text_after, (entity,))


def unlinked(text: str) -> RenderedMessage:
    """The text unchanged, with no links in it, although it may contain names from outside."""
    return restrict_links(RenderedMessage(text), _NO_LINKS)


def section(heading: str, *lines: str) -> RenderedMessage:
    """A bold heading with lines below it; without links."""
    bold = RenderedMessage(heading, (TextEntity("bold", 0, utf16_length(heading)),))
    return join(restrict_links(bold, _NO_LINKS), unlinked("\n".join(lines)), "\n")


def folded(*lines: str) -> RenderedMessage:
    """Lines that Telegram folds until they are tapped; without links.

    Source: Bot API, MessageEntity `expandable_blockquote`.
    """
    body = unlinked("\n".join(lines))
    quote = TextEntity("expandable_blockquote", 0, utf16_length(body.text))
    return RenderedMessage(body.text, (quote, *body.entities) if body.text else ())


def pages(markdown: str) -> list[RenderedMessage]:
    """The text in parts, each of which fits into a message with a heading; without links."""
    return split_message(restrict_links(convert(markdown), _NO_LINKS), _QUOTED_UNITS)


def quotation(heading: str, markdown: str) -> RenderedMessage:
    """A bold heading and a passage as a quote, cut to one message; without links."""
    body = pages(markdown)[0]
    inner_entities = tuple(entity for entity in body.entities if entity.type not in QUOTES)
    kind = "expandable_blockquote" if utf16_length(body.text) > LONG_QUOTE_UNITS else "blockquote"
    quote = TextEntity(kind, 0, utf16_length(body.text))
    return join(section(heading), RenderedMessage(body.text, (quote, *inner_entities)), "\n")


def together(*messages: RenderedMessage) -> RenderedMessage:
    """One message of all messages with text, separated by blank lines."""
    return reduce(join, messages)
