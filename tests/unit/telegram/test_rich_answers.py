"""Answers as rich messages: when they are made, and what bounds them."""

import pytest

from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.json_values import strings_in
from rich_agent.ports.bot_api import RICH_WORDS
from rich_agent.rendering.rich_answers import render_rich

HEADING = "## A heading\n\n"


def test_render_rich_lists_sources_with_links() -> None:
    """Markers and the list of sources lead to the places that are cited."""
    page = "https://docs.example/page#part"
    cited = Citation(1, "c1", "document", page, page, "Page", "Part")
    answer = Answer(HEADING + "It is so. [1]", (cited,))
    shown = render_rich(answer, locale="en")
    assert shown is not None
    heading, body, sources = shown.blocks
    assert heading["type"] == "heading"
    assert body["text"][-1] == {"type": "url", "text": "[1]", "url": cited.link}
    assert "Sources" in "".join(strings_in(sources, RICH_WORDS))


@pytest.mark.parametrize(
    "markdown",
    [
        HEADING + "word " * 6_600,
        HEADING + "\n\n".join(["word"] * 500),
        HEADING + ">" * 40 + " deep",
        HEADING + "".join(f"{'  ' * depth}- item\n" for depth in range(30)),
    ],
    ids=["characters", "blocks", "quotes", "lists"],
)
def test_render_rich_leaves_what_breaks_a_limit_to_ordinary_messages(markdown: str) -> None:
    """Telegram would refuse it."""
    assert render_rich(Answer(markdown), locale="en") is None


def test_render_rich_keeps_characters_of_two_units_whole() -> None:
    """Offsets count UTF-16 units, and an emoji has two."""
    shown = render_rich(Answer(HEADING + "🎉 **bold 🎉** end"), locale="en")
    assert shown is not None
    assert shown.blocks[1]["text"] == ["🎉 ", {"type": "bold", "text": "bold 🎉"}, " end"]


def test_render_rich_shows_tasks_formulas_and_rules() -> None:
    """Each as a block of its own."""
    shown = render_rich(Answer("- [x] done\n- [ ] open\n\n$$x^2$$\n\n---\n"), locale="en")
    assert shown is not None
    tasks, formula, rule = shown.blocks
    assert [item["is_checked"] for item in tasks["items"]] == [True, False]
    assert formula == {"type": "mathematical_expression", "expression": "x^2"}
    assert rule == {"type": "divider"}
