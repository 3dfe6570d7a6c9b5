"""Waiting in the inbox for a busy model server, and for how long."""

import pytest

from rich_agent.errors import TurnHeldError
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.models import ModelAwayError, ModelBusyError
from rich_agent.telegram.serve.retry_waits import hold_or_give_up


def held(asked_s: float | None, holds: int = 0, held_s: float = 0.0) -> float | None:
    """Seconds that are waited, to the tenth; None when it was long enough."""
    update = StoredUpdate(1, b"{}", 1, holds=holds, held_s=held_s)
    outcome = hold_or_give_up(ModelBusyError("model", asked_s), update)
    return outcome.wait_s if isinstance(outcome, TurnHeldError) else None


@pytest.mark.parametrize(
    ("asked_s", "holds", "least_s"),
    [
        # What the server asks for is kept to, for hours too.
        (90.0, 0, 90.0),
        (7_200.0, 3, 7_200.0),
        # It asks for a short time again and again.
        (5.0, 4, 480.0),
        (5.0, 40, 600.0),
        # It names none.
        (None, 0, 60.0),
        (None, 3, 480.0),
        (None, 40, 1_800.0),
    ],
)
def test_wait_is_the_servers_or_a_growing_one(
    asked_s: float | None, holds: int, least_s: float
) -> None:
    """Never less, and hardly more: a few seconds spread those who were told the same."""
    wait_s = held(asked_s, holds)
    assert wait_s is not None
    assert least_s <= wait_s <= least_s + 3.5


def test_wait_ends_after_a_day_in_all() -> None:
    """A time that is farther off, or a server that is busy for so long, is told instead."""
    assert held(80_000.0) is not None
    assert held(90_000.0) is None
    assert held(10_000.0, holds=9, held_s=80_000.0) is None
    away = hold_or_give_up(ModelBusyError("model", 1e300), StoredUpdate(1, b"{}", 1))
    assert isinstance(away, ModelAwayError)
