"""The failover of `python -m bench.failover`, with few users and short answers."""

import pytest

from bench.failover import QUICK_TRIAL, by_hand, fail_over


@pytest.mark.soak
def test_failover_loses_nothing_doubles_nothing_and_keeps_the_order() -> None:
    """The primary ends in the middle of conversations, and its standby is promoted."""
    with by_hand() as pair:
        outcome = fail_over(pair, QUICK_TRIAL)
    assert len(outcome.seen.asked) == QUICK_TRIAL.users * QUICK_TRIAL.turns
    assert outcome.is_sound, str(outcome)
    assert outcome.moments.failed < outcome.moments.promoted <= outcome.moments.ready
