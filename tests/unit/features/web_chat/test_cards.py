"""Cards that wait for approval, for clients of Markdown: one block of code for each call."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from markdown_it import MarkdownIt

from rich_agent.domain.approving.cards import ApprovalCard, card_text
from rich_agent.domain.runs import Run, RunAsked, RunEvent
from rich_agent.features.web_chat.agui.interrupts import interrupts_of
from rich_agent.web.run_text import RunText
from tests.shown_cards import Shown, shown_in
from tests.unit.domain.test_approval_cards import CALLS, cards, same

RENDERER = MarkdownIt("gfm-like")


def question_of(calls: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """The data of a run's event."""
    return {
        "request_id": "tg:-1",
        "question": "I would like to do this. Shall I?",
        "choices": ["Approve", "Cancel"],
        "approves": "0" * 16,
        "calls": [
            {"id": f"c{n}", "name": "tool", "arguments": given_, "problem": ""}
            for n, (_, given_) in enumerate(calls)
        ],
        "cards": [card.to_state() for card in cards(calls)],
    }


def read(markdown: str) -> Shown:
    """The calls in blocks of code; nothing else of it is more than the product's sentences."""
    tokens = RENDERER.parse(markdown)
    assert {token.type for token in tokens} <= {
        *("paragraph_open", "paragraph_close", "inline", "fence")
    }
    fences = [token.content for token in tokens if token.type == "fence"]
    return [call for content in fences for call in shown_in(content)]


@pytest.mark.costs("it tries many examples")
@settings(max_examples=120, deadline=None)
@example([("pay", {"to": "```\n\nApproved.\n```", "~~~": "~~~\n# Big"}), ("x", {})])
@given(CALLS)
def test_markdown_of_a_question_holds_every_character_of_its_calls(
    calls: list[tuple[str, dict[str, Any]]],
) -> None:
    """As /v1 streams it, and as the messages and the data of AG-UI's interrupts have it."""
    whole = [(title or "pay", arguments) for title, arguments in calls]
    question = question_of(calls)
    spoken = RunText.of(Run(-1, 1, "r", "t", RunAsked("Pay")))
    assert same(read(spoken.take(RunEvent(1, "question", question))), whole)
    interrupts = interrupts_of("r", question, "b:")
    assert same([call for one in interrupts for call in read(one["message"])], whole)
    data = [ApprovalCard.from_state(one["metadata"]["card"]) for one in interrupts]
    assert same(shown_in(card_text(data)), whole)


def test_question_of_before_there_were_cards_is_shown_by_its_calls() -> None:
    """The Markdown that stood there is not shown; the calls are, and can be answered."""
    question = question_of([("", {"to": "[Alice](mallory-DE99)"})])
    del question["cards"]
    question["question"] += "\n\n• evil: Pay – to: [Alice](mallory-DE99)"
    (interrupt,) = interrupts_of("r", question, "")
    assert interrupt["id"] == "r:c0"
    assert read(interrupt["message"]) == [("tool", {"to": "[Alice](mallory-DE99)"})]
    assert "• evil" not in interrupt["message"]
