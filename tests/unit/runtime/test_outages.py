"""An upstream that is away is told of once, then hourly, and when it is back."""

from structlog.testing import capture_logs

from rich_agent.errors import UpstreamUnavailableError
from rich_agent.runtime.outages import OutageLog

AWAY = UpstreamUnavailableError("telegram", "api.telegram.org cannot be reached", hint="Look.")


def test_outage_is_told_once_then_hourly_and_when_it_is_over() -> None:
    """A try each five seconds for two and a half hours is three lines; its end is a fourth."""
    clock = [0.0]
    outages = OutageLog(lambda: clock[0])
    with capture_logs() as logs:
        for _ in range(2 * 720 + 360):
            outages.report("telegram_away", AWAY)
            clock[0] += 5
        outages.end("telegram_away")
        outages.end("telegram_away")
    assert [line["event"] for line in logs] == [*["telegram_away"] * 3, "telegram_away_over"]
    assert logs[0]["do"] == "Look."
    assert logs[-1]["after_s"] == 9000


def test_failures_that_come_and_go_are_told_once_a_minute() -> None:
    """A connection that breaks at every second call does not fill the log."""
    clock = [0.0]
    outages = OutageLog(lambda: clock[0])
    with capture_logs() as logs:
        for _ in range(60):
            outages.report("telegram_away", AWAY)
            outages.end("telegram_away")
            clock[0] += 2
    assert len([line for line in logs if line["event"] == "telegram_away"]) == 2
    assert len(logs) == 4
