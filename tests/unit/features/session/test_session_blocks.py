"""Blocks of guided sessions: what can begin, what is open, and how it ended."""

import zlib

import pytest

from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.features.session.blocks import choice_block, session_block
from rich_agent.features.session.records import SessionRecord
from rich_agent.features.session.sessions import GuidedSession
from rich_agent.features.session.templates import load_templates
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button
from rich_agent.rendering.widgets import widget_html

RESULTS = [{"output_type": "plan", "data": ["Paint"]}, {"summary": "You want to paint the boat."}]


def record(status: str = "active", outputs: object = RESULTS) -> SessionRecord:
    """Session 7 in a state."""
    return SessionRecord(GuidedSession(7, "plan", 3), status, outputs, ())  # type: ignore[arg-type]


def test_open_session_shows_its_results_and_the_way_out() -> None:
    """It has no steps: no template counts any."""
    block = session_block(record(), "Daily planning", "en")
    assert (block.kind, block.title, block.steps) == (
        "session",
        "Open session: Daily planning",
        (0, 0),
    )
    assert [(row.text, row.label, row.mark) for row in block.rows] == [
        ("Daily planning", "", "current"),
        ("Plan", "", ""),
        ("You want to paint the boat.", "Summary", ""),
    ]
    (leave,) = block.actions
    assert (leave.label, leave.data) == ("End the session", "sessionend1:7")
    assert leave.name == "End the session: Daily planning"


@pytest.mark.parametrize(
    ("status", "title", "mark"),
    [
        ("completed", "Daily planning completed", "done"),
        ("cancelled", "Daily planning is cancelled. What you approved in it stays.", ""),
    ],
)
def test_ended_session_says_how_it_ended(status: str, title: str, mark: str) -> None:
    """Nothing can be pressed any more; the results stay, the newest five of them."""
    many = [{"summary": f"Result {number}"} for number in range(9)]
    block = session_block(record(status, many), "Daily planning", "en")
    assert (block.title, block.rows[0].mark, block.actions) == (title, mark, ())
    assert [row.text for row in block.rows[1:]] == [f"Result {n}" for n in range(4, 9)]
    assert [row.key for row in block.rows[1:]] == [f"result-{n}" for n in range(4, 9)]


def test_sessions_that_can_begin_are_buttons() -> None:
    """Each with the command that begins it; without a block if the name of one is too long."""
    block = choice_block([Button("Standup", "c1:session standup")], "en")
    assert block
    assert block.title == "Which session shall we begin?"
    (action,) = block.actions
    assert (action.label, action.data) == ("Standup", "c1:session standup")
    assert action.name == "Begin a guided session: Standup"
    assert choice_block([Button("Standup", "c1:session " + "x" * 60)], "en") is None


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_blocks_of_sessions_fit_into_a_widget_in_every_language(locale: str) -> None:
    """All of the product's sessions, and one with five long summaries."""
    titles = [one.title(locale) for one in load_templates().values()]
    text = " ".join(say(locale, key) for key in ("start", "too-many", "apology-spent"))
    many = [{"summary": f"{text[20 * number :]} {text}"} for number in range(5)]
    buttons = [Button(title, f"c1:session {title[:10]}") for title in titles]
    for block in (
        choice_block(buttons, locale),
        session_block(record("active", many), titles[0], locale),
    ):
        assert block
        html = widget_html(block)
        assert html
        assert len(zlib.compress(html.encode(), 9)) <= 4_000
