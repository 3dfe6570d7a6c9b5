"""Decisions on calls that wait, as programs send them over HTTP."""

from typing import Any

import pytest

from rich_agent.domain.runs import Run, RunAsked
from rich_agent.features.web_chat.agui.interrupts import answer_to
from rich_agent.features.web_chat.agui.requests import Resumption
from rich_agent.web.refusals import RequestRefusedError
from tests.unit.features.web_chat.test_cards import question_of

NO_BOOLEANS = ["yes", "true", "1", "on", "approved", 1, 1.0, [True], {"approved": True}, None]
RUN = Run(-1, 1, "r1", "t", RunAsked("pay"))
QUESTION = {
    **question_of([("pay", {"to": "Ann"})]),
    "choices": ["Approve", "Cancel", "Always for this"],
}


def resumed(**payload: object) -> RunAsked:
    """The answer of a client of AG-UI to the only call."""
    sent = {"interruptId": "r1:c0", "status": "resolved", "payload": payload}
    one = Resumption.model_validate(sent)
    return answer_to(RUN, QUESTION, [one])


@pytest.mark.req("ACT-2")
@pytest.mark.parametrize("value", NO_BOOLEANS)
def test_agui_takes_nothing_but_a_boolean_for_a_decision(value: Any) -> None:
    """Neither for approving a call, nor for permitting it for good."""
    for payload in ({"approved": value}, {"approved": True, "always": value}):
        with pytest.raises(RequestRefusedError):
            resumed(**payload)


def test_decision_that_is_a_boolean_is_taken() -> None:
    """Approved, cancelled, and for good."""
    assert resumed(approved=True).decision == "approved"
    assert resumed(approved=False).decision == "cancelled"
    assert resumed(approved=True, always=True).decision == "always"
