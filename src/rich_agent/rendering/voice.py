"""A quote of what was heard, above its answer."""

from collections.abc import Iterable

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.domain.text import shorten, utf16_length
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.rendering.links import restrict_links
from rich_agent.rendering.markdown import LONG_QUOTE_UNITS
from rich_agent.rendering.spans import nested

_GLANCE_CHARS = 300
"""Shown above what grows or asks, which has one message."""


def heard_quote(words: str, allowed_links: Iterable[str] = ()) -> RenderedMessage:
    """The words as a quote, folded if they are many; an empty message for none."""
    if not words:
        return RenderedMessage("")
    body = restrict_links(RenderedMessage(words), AllowedLinks.of(allowed_links))
    units = utf16_length(words)
    kind = "expandable_blockquote" if units > LONG_QUOTE_UNITS else "blockquote"
    return RenderedMessage(words, nested([TextEntity(kind, 0, units), *body.entities]))


def heard_glance(words: str) -> RenderedMessage:
    """The beginning of the words as a quote, without links."""
    return heard_quote(shorten(words, _GLANCE_CHARS))
