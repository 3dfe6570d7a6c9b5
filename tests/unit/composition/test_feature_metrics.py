"""Metrics of features beside those of the core."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from typing_extensions import override

from rich_agent.composition.feature_metrics import FeatureMetrics


class _Stakes(Collector):
    """One gauge with this name and value."""

    def __init__(self, name: str, value: object) -> None:
        self._name, self._value = name, value

    @override
    def collect(self) -> Iterator[Metric]:
        if isinstance(self._value, Exception):
            raise self._value
        yield GaugeMetricFamily(self._name, "Money", value=self._value)  # type: ignore[arg-type]


def test_metrics_of_features_are_shown_as_far_as_they_can_be_read() -> None:
    """One that breaks, is no number or bears another's name is left out; the bot's own stay."""
    registry = CollectorRegistry()
    Gauge("rich_agent_of_the_core", "One of the core", registry=registry).set(1)
    collectors = {
        "poker": [_Stakes("rich_agent_poker_stakes", 7), _Stakes("rich_agent_of_the_core", 8)],
        "chess": [_Stakes("rich_agent_chess_stakes", "a pawn")],
        "bridge": [_Stakes("rich_agent_bridge_stakes", RuntimeError("no partner"))],
    }
    FeatureMetrics(registry, lambda: collectors)
    lines = generate_latest(registry).decode().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "rich_agent_of_the_core 1.0",
        "rich_agent_poker_stakes 7.0",
    ]
