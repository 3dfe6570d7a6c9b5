"""What a planning model gives, read as far as it can be."""

import pytest
from pydantic import ValidationError

from rich_agent.upstreams.chat import PlannedTurn


def test_planned_turn_takes_null_for_what_is_left_out() -> None:
    """A plan is not lost for a field that a small model filled with nothing."""
    nothing = dict.fromkeys(("query", "queries", "reason", "clarification", "image_question"))
    planned = PlannedTurn.model_validate({"intent": "x", "plan": "direct", **nothing})
    assert (planned.query, planned.queries, planned.reason) == ("", [], "")


def test_planned_turn_takes_one_query_as_text() -> None:
    """A text is a list of one."""
    given = {"intent": "x", "plan": "rag", "query": "q", "queries": "q", "reason": "r"}
    assert PlannedTurn.model_validate(given).queries == ["q"]


@pytest.mark.parametrize("given", [[], "rag", {"intent": "x"}, {"intent": "x", "plan": "maybe"}])
def test_planned_turn_refuses_what_is_no_plan(given: object) -> None:
    """Without a plan the rules decide."""
    with pytest.raises(ValidationError):
        PlannedTurn.model_validate(given)
