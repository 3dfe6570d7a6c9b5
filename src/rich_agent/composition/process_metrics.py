"""Metrics of the process itself, for Prometheus: its version, its loop, its connections."""

from collections.abc import Iterator
from importlib.metadata import version

from prometheus_client import CollectorRegistry, Gauge, Histogram
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from typing_extensions import override

from rich_agent.composition.repositories import Repositories
from rich_agent.runtime.reach import Outages

_LAG_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class ProcessMetrics(Collector):
    """The metrics of this process, registered in `registry`.

    Figures of the pools are read when the metrics are collected.
    """

    def __init__(
        self, registry: CollectorRegistry, repositories: Repositories, reach: Outages
    ) -> None:
        self._repositories = repositories
        self._reach = reach
        build = Gauge(
            "rich_agent_build_info", "The version that runs", ("version",), registry=registry
        )
        build.labels(version("rich-agent")).set(1)
        self.loop_lag = Histogram(
            "rich_agent_loop_lag_seconds",
            "Delay of the event loop, looked at once a second",
            buckets=_LAG_BUCKETS_S,
            registry=registry,
        )
        registry.register(self)

    @override
    def collect(self) -> Iterator[Metric]:
        """The pools, and whether this process listens for messages."""
        open_ = GaugeMetricFamily(
            "rich_agent_pool_connections", "Connections by what they do", labels=("pool", "state")
        )
        waiting = GaugeMetricFamily(
            "rich_agent_pool_waiting", "Tasks that wait for a connection", labels=("pool",)
        )
        waits = CounterMetricFamily(
            "rich_agent_pool_wait_seconds", "Waits for a connection", labels=("pool",)
        )
        failures = CounterMetricFamily(
            "rich_agent_pool_failures", "Connections that were lost or refused", labels=("pool",)
        )
        for name, pool in self._repositories.pools.items():
            now = pool.get_stats()
            open_.add_metric((name, "idle"), now["pool_available"])
            open_.add_metric((name, "busy"), now["pool_size"] - now["pool_available"])
            waiting.add_metric((name,), now["requests_waiting"])
            waits.add_metric((name,), now.get("requests_wait_ms", 0) / 1000)
            losses = now.get("connections_lost", 0) + now.get("connections_errors", 0)
            failures.add_metric((name,), losses)
        listens = GaugeMetricFamily(
            "rich_agent_listens",
            "Whether new messages are heard of",
            value=not self._repositories.inbox.is_deaf,
        )
        yield from (open_, waiting, waits, failures, listens)
        yield from self._of_replica()
        yield from self._of_reach()

    def _of_reach(self) -> Iterator[Metric]:
        """The targets that have ever been out of reach, and since when they are so now."""
        away = GaugeMetricFamily(
            "rich_agent_out_of_reach", "Whether it is out of reach", labels=("what", "address")
        )
        seconds = GaugeMetricFamily(
            "rich_agent_out_of_reach_seconds", "For how long", labels=("what", "address")
        )
        durations = {outage.target: outage.seconds for outage in self._reach.present}
        for target in self._reach.targets:
            away.add_metric(target, target in durations)
            seconds.add_metric(target, durations.get(target, 0.0))
        yield from (away, seconds)

    def _of_replica(self) -> Iterator[Metric]:
        """The state of the replica; no values if the settings name none."""
        replica = self._repositories.replica
        yield GaugeMetricFamily(
            "rich_agent_replica_used",
            "Whether documents are searched on the replica",
            value=None if replica is None else not replica.refusal,
        )
        yield GaugeMetricFamily(
            "rich_agent_replica_lag_seconds",
            "Time that the replica is behind the primary",
            value=None if replica is None else replica.lag_s,
        )
