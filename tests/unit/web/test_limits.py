"""Limits on how often something may happen."""

import pytest

from rich_agent.web.access import RateLimit


class Clock:
    """Seconds that a test lets pass."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        """The time."""
        return self.now_s


def test_rate_limit_takes_as_many_as_it_has_and_one_more_after_its_share() -> None:
    """Six in a minute: the seventh waits ten seconds, and another key does not wait."""
    clock = Clock()
    limit = RateLimit(6, now=clock)
    assert [limit.take("a") for _ in range(6)] == [0.0] * 6
    assert limit.take("a") == pytest.approx(10.0)
    assert limit.take("b") == 0.0
    clock.now_s += 10.1
    assert limit.take("a") == 0.0
    assert limit.take("a") == pytest.approx(9.9)


def test_rate_limit_tells_the_wait_without_counting() -> None:
    """However often it is asked."""
    limit = RateLimit(1, now=Clock())
    assert [limit.wait_s("a") for _ in range(3)] == [0.0] * 3
    assert limit.take("a") == 0.0
    assert limit.wait_s("a") == limit.wait_s("a") > 0


def test_rate_limit_remembers_a_bounded_number_of_keys() -> None:
    """The ones that were counted last."""
    limit = RateLimit(5, keys=2, now=Clock())
    for key in ("a", "b", "a", "c"):
        limit.take(key)
    assert [limit.remembers(key) for key in ("a", "b", "c")] == [True, False, True]


def test_rate_limit_of_none_never_waits() -> None:
    """0 stands for no limit."""
    limit = RateLimit(0, now=Clock())
    assert {limit.take("a") for _ in range(1_000)} == {0.0}
