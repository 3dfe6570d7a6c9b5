import pytest

from rich_agent.errors import UpstreamRateLimitedError, UpstreamUnavailableError
from rich_agent.telegram.serve.retry_waits import retry_pause_s

PASSING = UpstreamUnavailableError("model", "503")


@pytest.mark.parametrize(("attempt", "around_s"), [(1, 2.0), (2, 8.0), (3, 32.0)])
def test_retry_pause_grows_and_is_spread(attempt: int, around_s: float) -> None:
    """Four times as long each time, a quarter more or less, so that retries do not come at once."""
    pauses = {retry_pause_s(PASSING, attempt, 2.0, 300.0) for _ in range(50)}
    assert len(pauses) > 1
    assert all(0.75 * around_s <= pause <= 1.25 * around_s for pause in pauses)


def test_retry_pause_has_a_limit() -> None:
    """However often it failed, and whatever the upstream asks for."""
    assert retry_pause_s(PASSING, 9, 2.0, 300.0) == 300.0
    asked = UpstreamRateLimitedError("model", 4000.0)
    assert retry_pause_s(asked, 1, 2.0, 300.0) == 300.0


def test_retry_pause_heeds_what_the_upstream_asks_for() -> None:
    """More than the pause would have been."""
    asked = UpstreamRateLimitedError("model", 60.0)
    assert retry_pause_s(asked, 1, 2.0, 300.0) == 60.0
