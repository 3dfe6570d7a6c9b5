"""Cards that wait for approval at the terminal: all of it, at any width."""

from typing import Any

import pytest
import wcwidth
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rich_agent.commands.chat_answer import printed_cards
from tests.shown_cards import CALL, NAME, TITLE, VALUE, WRAPPED, shown_in, unwrapped
from tests.unit.domain.test_approval_cards import CALLS, cards, same


@pytest.mark.costs("it tries many examples")
@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(CALLS, st.integers(20, 90))
def test_printed_cards_hold_every_character_of_a_call(
    monkeypatch: pytest.MonkeyPatch, calls: list[tuple[str, dict[str, Any]]], columns: int
) -> None:
    """No line is wider than the terminal, so each begins with the mark of what it is."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    whole = [(title or "pay", arguments) for title, arguments in calls]
    printed = printed_cards(cards(calls))
    assert same(shown_in(unwrapped(printed)), whole)
    for line in filter(None, printed.split("\n")):
        assert line[:2] in {TITLE, CALL, NAME, VALUE, WRAPPED}
        assert wcwidth.wcswidth(line) < columns
