"""What the Telegram surface counts, for Prometheus. Labels never hold an id or a text."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from rich_agent.errors import TurnDrainedError, TurnHeldError
from rich_agent.ports.inbox import Lane

_ACK_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_TURN_BUCKETS = (0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300)


class Metrics:
    """The metrics of one process; all are registered in `registry`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self.updates = Counter(
            "telegram_updates", "Updates received", ("result",), registry=registry
        )
        self.ack_seconds = Histogram(
            "telegram_webhook_ack_seconds",
            "Time from a webhook request to its answer",
            buckets=_ACK_BUCKETS,
            registry=registry,
        )
        self.turn_seconds = Histogram(
            "telegram_turn_seconds",
            "Time from taking an update to its end",
            ("result",),
            buckets=_TURN_BUCKETS,
            registry=registry,
        )
        self.lanes_lost = Counter(
            "telegram_lanes_lost", "Lanes that another worker took over", registry=registry
        )
        self.dead_letters = Counter(
            "telegram_dead_letters", "Updates given up after the last attempt", registry=registry
        )
        self.polling_completed = Gauge(
            "telegram_polling_completed_timestamp_seconds",
            "When getUpdates last came back",
            registry=registry,
        )
        self.polling_reconnects = Counter(
            "telegram_polling_reconnects",
            "New connections after a silence of getUpdates",
            registry=registry,
        )
        self.polling_conflicts = Counter(
            "telegram_polling_conflicts",
            "Answers that another program takes the updates",
            registry=registry,
        )
        self.redelivered = Counter(
            "telegram_redelivered", "Updates handed out again after a failure", registry=registry
        )
        self.floods = Counter(
            "telegram_floods", "Bursts over the cap of a user's pending updates", registry=registry
        )
        self.inbox_pending = Gauge("telegram_inbox_pending", "Updates not done", registry=registry)
        self.inbox_held = Gauge(
            "telegram_inbox_held", "Updates that wait for a busy model server", registry=registry
        )
        self.inbox_oldest_seconds = Gauge(
            "telegram_inbox_oldest_seconds", "Age of the oldest update not done", registry=registry
        )
        self.outbox_oldest_seconds = Gauge(
            "telegram_outbox_oldest_seconds",
            "Age of the oldest message of an answer whose sending is not known to have ended",
            registry=registry,
        )
        self.rate_limits = Counter(
            "telegram_rate_limits", "Answers 429 of Telegram", registry=registry
        )
        self.send_share = Gauge(
            "telegram_send_share_per_second",
            "Messages per second that this process may send to all chats together",
            registry=registry,
        )
        self.inbox_dead = Gauge("telegram_inbox_dead", "Dead letters kept", registry=registry)

    def count(self, lane: Lane) -> None:
        """Note a lane that was taken."""
        self.redelivered.inc(sum(update.attempt > 1 for update in lane.updates))
        self.floods.inc(sum(update.over_cap for update in lane.updates))

    def count_turn(self, failure: Exception | None, seconds: float) -> None:
        """Note how the serving of a lane ended."""
        result = "failed" if failure else "done"
        if isinstance(failure, TurnDrainedError | TurnHeldError):
            result = "handed_over" if isinstance(failure, TurnDrainedError) else "held"
        self.turn_seconds.labels(result).observe(seconds)
