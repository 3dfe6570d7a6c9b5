"""Rendered messages as Markdown: read again, they say the same."""

import pytest

from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.markdown import convert
from rich_agent.rendering.message_markdown import as_markdown
from rich_agent.rendering.notices import folded, section, together


@pytest.mark.parametrize(
    "message",
    [
        section("2 tasks", "1. Buy *milk* · due", "2. snake_case _x_ `a` ~b~ | $5$ [1]"),
        section("Marks", "- a", "+ b", "# c", "> d", "=== e", "[f](g) and <b>h</b>"),
        section("Links", "evil.com/x and https://evil.com/y"),
        together(section("Why", "It is 👍 so."), folded("Looked for: x", "• one")),
        RenderedMessage("One paragraph.\n\nAnother one."),
    ],
)
def test_as_markdown_keeps_text_and_marks(message: RenderedMessage) -> None:
    """Characters that look like marks stay characters, and lines stay lines."""
    again = convert(as_markdown(message))
    assert again.text == message.text
    marks = {"bold", "code"}
    assert [one for one in again.entities if one.type in marks] == [
        one for one in message.entities if one.type in marks
    ]
