"""What a process tells of its turns: a log line and figures for each node. Never what was said."""

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from rich_agent.turns.events import NodeEnded

_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
_log = structlog.get_logger()


class NodeMetrics:
    """Watches the nodes of all turns; all metrics are registered in `registry`."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._seconds = Histogram(
            "turn_node_seconds",
            "Time that a node took, its last try alone",
            ("node",),
            buckets=_BUCKETS_S,
            registry=registry,
        )
        self._again = Counter(
            "turn_node_reruns",
            "Nodes that were begun before: tried again, or taken up after a crash or a hand-over",
            ("node", "cause"),
            registry=registry,
        )
        self._survived = Counter(
            "turn_survived_failures",
            "Failures that a turn went around",
            ("failure",),
            registry=registry,
        )

    def observe(self, ended: NodeEnded) -> None:
        """Count a node that ended, and log it."""
        node, report = ended.node, ended.report
        self._seconds.labels(node).observe(ended.latency_ms / 1000)
        if report.attempts > 1:
            self._again.labels(node, "retry").inc(report.attempts - 1)
        if report.resumed:
            self._again.labels(node, "resumed").inc()
        for failure in report.survived:
            self._survived.labels(failure).inc()
        _log.debug(
            "turn.node",
            request_id=ended.request_id,
            node=node,
            duration_ms=ended.latency_ms,
            tries=report.attempts,
            resumed=report.resumed,
        )
