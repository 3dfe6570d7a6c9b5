"""Answers as Telegram messages: text with entities, sources, only links that are allowed."""

from rich_agent.telegram.rendering.answers import render, render_partial
from rich_agent.telegram.rendering.links import is_web, links_in
from rich_agent.telegram.rendering.notices import (
    folded,
    quotation,
    section,
    together,
    unlinked,
)
from rich_agent.telegram.rendering.plain import without_entities

__all__ = [
    "folded",
    "is_web",
    "links_in",
    "quotation",
    "render",
    "render_partial",
    "section",
    "together",
    "unlinked",
    "without_entities",
]
