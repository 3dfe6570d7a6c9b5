"""The words in which a decision on a call is explained."""

from typing import get_args

from rich_agent.commands.tool_rules import REASONS, explanation, rule_in_words, supposed_call
from rich_agent.domain.rules import Circumstances, Rule, SpentToday, Why, decide


def test_every_reason_has_words() -> None:
    """A decision that cannot be explained would end the command."""
    assert REASONS.keys() == set(get_args(Why))


def test_bounds_of_a_day_are_said_and_explained() -> None:
    """As they stand, and for a call after others."""
    rule = Rule(most_a_day=3, sums={"amount": 99.5})
    said = rule_in_words("foreign", rule)
    assert "after 3 calls in 24 hours it asks" in said
    assert "once amount comes to more than 99.5 in 24 hours it asks" in said
    call = supposed_call('{"tool": "bank__pay", "called": {"calls": 3, "sums": {"amount": 9}}}')
    assert call.calls_today == SpentToday(3, {"amount": 9})
    (line,) = explanation(
        call,
        decide(
            "foreign",
            rule,
            {},
            Circumstances(operator_policy="auto", spending=call.calls_today),
        ),
    )
    assert line == f"bank__pay asks first: {REASONS['rate']}."
