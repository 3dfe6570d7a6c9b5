"""Answers as Telegram messages: text with entities, sources, only links that are allowed."""

from rich_agent.telegram.rendering.answers import render, render_partial, unlinked
from rich_agent.telegram.rendering.links import links_in
from rich_agent.telegram.rendering.plain import without_entities

__all__ = ["links_in", "render", "render_partial", "unlinked", "without_entities"]
