"""Outages are told of once, then hourly, and when they are over."""

import asyncio

from structlog.testing import capture_logs

from rich_agent.errors import Target, UpstreamUnavailableError
from rich_agent.runtime.concurrency import survived
from rich_agent.runtime.reach import (
    Outages,
    in_reach,
    log_failure,
    noting_outages,
    out_of_reach,
    present_outages,
)

TELEGRAM = Target("telegram", "api.telegram.org")
AWAY = UpstreamUnavailableError("telegram", "api.telegram.org cannot be reached", hint="Look.")


def test_outage_is_told_once_then_hourly_and_when_it_is_over() -> None:
    """A try each five seconds for two and a half hours is three lines; its end is a fourth."""
    clock = [0.0]
    reach = Outages(lambda: clock[0])
    with capture_logs() as logs:
        for _ in range(2 * 720 + 360):
            reach.report(TELEGRAM, AWAY)
            clock[0] += 5
        reach.end(TELEGRAM)
        reach.end(TELEGRAM)
    assert [line["event"] for line in logs] == [*["out_of_reach"] * 3, "back_in_reach"]
    assert (logs[0]["what"], logs[0]["address"], logs[0]["do"]) == (*TELEGRAM, "Look.")
    assert (logs[-1]["after_s"], logs[-1]["failures"]) == (9000, 1800)


def test_failures_that_come_and_go_do_not_fill_the_log() -> None:
    """A connection that breaks at every second call for a day, as with a full disk."""
    clock = [0.0]
    reach = Outages(lambda: clock[0])
    with capture_logs() as logs:
        for _ in range(43_200):
            reach.report(TELEGRAM, AWAY)
            reach.end(TELEGRAM)
            clock[0] += 2
    assert len([line for line in logs if line["event"] == "out_of_reach"]) <= 6 + 24
    assert len(logs) <= 60


def test_outage_that_lasts_is_told_soon_after_one_that_was_short() -> None:
    """It waits for the pause between two outages, not for the hour; until then it is not told."""
    clock = [0.0]
    reach = Outages(lambda: clock[0])
    told: list[bool] = []
    with capture_logs() as logs:
        reach.report(TELEGRAM, AWAY)
        clock[0] = 10
        reach.end(TELEGRAM)
        for clock[0] in range(20, 7200, 5):
            reach.report(TELEGRAM, AWAY)
            told.append(reach.has_reported(TELEGRAM))
    again = [line["since_s"] for line in logs if line["event"] == "out_of_reach"][1:]
    assert again == [100, 3700]
    assert told.index(True) == 20  # at 120 s
    assert all(told[20:])


def test_outage_is_known_to_all_tasks_of_its_process() -> None:
    """Nobody is told twice: what an outage breaks off is logged for debugging only."""

    async def fail(target: Target) -> None:
        with survived("work_failed", UpstreamUnavailableError, level="warning"):
            raise out_of_reach(target, UpstreamUnavailableError("x", "away"))

    async def fail_everywhere() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(6):
                group.create_task(fail(Target("model server", str(number % 2))))

    with noting_outages(), capture_logs() as logs:
        asyncio.run(fail_everywhere())
        assert [outage.target.address for outage in present_outages()] == ["0", "1"]
        in_reach(Target("model server", "0"), Target("model server", "2"))
        assert [outage.target.address for outage in present_outages()] == ["1"]
        log_failure("other", UpstreamUnavailableError("x", "broke"))
    loud = [line["event"] for line in logs if line["log_level"] == "warning"]
    assert loud == ["out_of_reach", "out_of_reach", "other"]


def test_outage_outside_a_serving_process_is_only_an_error() -> None:
    """A command prints its error, and keeps no state."""
    with capture_logs() as logs:
        assert out_of_reach(TELEGRAM, AWAY).target == TELEGRAM
    assert (present_outages(), logs) == ([], [])
