"""Metrics of the Telegram surface, for Prometheus. Labels never hold an id or a text."""

from collections.abc import Callable
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from rich_agent.errors import TurnDrainedError, TurnHeldError
from rich_agent.ports.due_work import DueWorkReader
from rich_agent.ports.inbox import Lane

_ACK_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_TURN_BUCKETS = (0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300)


class Metrics:
    """The metrics of one process, kept in `registry`. The due work is counted at each reading."""

    def __init__(self, registry: CollectorRegistry, due_work: DueWorkReader | None = None) -> None:
        self.registry = registry
        self._due_work = due_work
        counter, gauge = partial(Counter, registry=registry), partial(Gauge, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self.updates = counter("telegram_updates", "Updates received", ("result",))
        self.ack_seconds = histogram(
            "telegram_webhook_ack_seconds",
            "Time from a webhook request to its answer",
            ("status",),
            buckets=_ACK_BUCKETS,
        )
        self.turn_seconds = histogram(
            "telegram_turn_seconds",
            "Time from taking an update to its end",
            ("result",),
            buckets=_TURN_BUCKETS,
        )
        self.lanes_lost = counter("telegram_lanes_lost", "Lanes that another worker took over")
        self.dead_letters = counter(
            "telegram_dead_letters", "Updates given up after the last attempt"
        )
        self.polling_completed = gauge(
            "telegram_polling_completed_timestamp_seconds", "When getUpdates last came back"
        )
        self.polling_reconnects = counter(
            "telegram_polling_reconnects", "New connections after a silence of getUpdates"
        )
        self.polling_conflicts = counter(
            "telegram_polling_conflicts", "Replies that another program takes the updates"
        )
        self.redelivered = counter(
            "telegram_redelivered", "Updates handed out again after a failure"
        )
        self.floods = counter("telegram_floods", "Bursts over the cap of a user's pending updates")
        self.rate_limits = counter("telegram_rate_limits", "429 answers from Telegram")
        self.send_waits = counter(
            "telegram_send_wait_seconds", "Waits of messages for the limit of all chats together"
        )
        self._add_gauges_of_inbox(gauge)

    def _add_gauges_of_inbox(self, gauge: Callable[[str, str], Gauge]) -> None:
        self.inbox_pending = gauge("telegram_inbox_pending", "Updates not done")
        self.inbox_held = gauge("telegram_inbox_held", "Updates that wait for a busy model server")
        self.inbox_oldest_seconds = gauge(
            "telegram_inbox_oldest_seconds", "Age of the oldest update not done"
        )
        self.inbox_oldest_waiting_seconds = gauge(
            "telegram_inbox_oldest_waiting_seconds",
            "Age of the oldest update that no worker has taken yet",
        )
        self.outbox_oldest_seconds = gauge(
            "telegram_outbox_oldest_seconds",
            "Age of the oldest message that is still being sent",
        )
        self.inbox_dead = gauge("telegram_inbox_dead", "Dead letters kept")
        self.due_work = Gauge(
            *("rich_agent_due_work", "Due work by its kind and state", ("kind", "state")),
            registry=self.registry,
        )

    async def count_due_work(self) -> None:
        """Set the gauge of due work to the present counts. Raises: DatabaseUnavailableError."""
        counts = await self._due_work.counts() if self._due_work else ()
        self.due_work.clear()
        for count in counts:
            self.due_work.labels(count.kind, count.state).set(count.rows)

    def count(self, lane: Lane) -> None:
        """Count the redeliveries and the flooded updates of a lane that was taken."""
        self.redelivered.inc(sum(update.attempt > 1 for update in lane.updates))
        self.floods.inc(sum(update.over_cap for update in lane.updates))

    def count_turn(self, failure: Exception | None, seconds: float) -> None:
        """Record the seconds of serving a lane, by its end: done, failed, handed over or held."""
        result = "failed" if failure else "done"
        if isinstance(failure, TurnDrainedError | TurnHeldError):
            result = "handed_over" if isinstance(failure, TurnDrainedError) else "held"
        self.turn_seconds.labels(result).observe(seconds)
