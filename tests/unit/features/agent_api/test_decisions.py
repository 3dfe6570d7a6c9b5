"""Decisions on calls that wait, as programs send them to the small API."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from rich_agent.features.agent_api.endpoints import AgentDecision

NO_BOOLEANS = ["yes", "true", "1", "on", "approved", 1, 1.0, [True], {"approved": True}, None]


@pytest.mark.req("ACT-2")
@pytest.mark.parametrize("value", NO_BOOLEANS)
def test_small_api_takes_nothing_but_a_boolean_for_a_decision(value: Any) -> None:
    """As AG-UI; without `approved` the words count, which a choice alone approves."""
    for body in ({"approved": value}, {"approved": True, "always": value}):
        if body["approved"] is None:
            continue
        with pytest.raises(ValidationError):
            AgentDecision.model_validate_json(json.dumps(body))


def test_small_api_takes_a_boolean_for_a_decision() -> None:
    """As JSON has it."""
    assert AgentDecision.model_validate_json('{"approved": true}').approved is True
