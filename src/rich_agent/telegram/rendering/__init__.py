"""Answers as Telegram messages: text with entities, sources, only links that are allowed."""

from rich_agent.telegram.rendering.answers import render, render_partial
from rich_agent.telegram.rendering.links import links_in
from rich_agent.telegram.rendering.notices import folded, section, together, unlinked
from rich_agent.telegram.rendering.plain import without_entities

__all__ = [
    "folded",
    "links_in",
    "render",
    "render_partial",
    "section",
    "together",
    "unlinked",
    "without_entities",
]
