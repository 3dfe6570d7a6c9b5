"""Metrics of features, for Prometheus."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import structlog
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from typing_extensions import override

_log = structlog.get_logger()


class FeatureMetrics(Collector):
    """Metrics that features collect when they are asked for, registered in `registry`.

    `collectors` returns those of the open features, by the features' names. A collector that breaks
    and a metric that does not bear the feature's name are left out, and the others are shown.
    """

    def __init__(
        self,
        registry: CollectorRegistry,
        collectors: Callable[[], Mapping[str, Sequence[Collector]]],
    ) -> None:
        self._collectors = collectors
        registry.register(self)

    @override
    def collect(self) -> Iterator[Metric]:
        """The metrics of all open features."""
        for feature, collectors in self._collectors().items():
            for collector in collectors:
                yield from _readable_metrics(feature, collector)


def _readable_metrics(feature: str, collector: Collector) -> Sequence[Metric]:
    try:
        metrics = list(collector.collect())
        # A value that is no number would break the page with all metrics of the bot.
        generate_latest(_Collected(metrics))
    except Exception:  # noqa: BLE001 - whatever a stranger's collector does
        _log.exception("feature.metrics_broke", feature=feature)
        return ()
    own_metrics = [one for one in metrics if one.name.startswith(f"rich_agent_{feature}_")]
    if len(own_metrics) < len(metrics):
        _log.warning("feature.metrics_misnamed", feature=feature)
    return own_metrics


class _Collected(CollectorRegistry):
    """A registry of metrics that were collected before."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        super().__init__()
        self._metrics = metrics

    @override
    def collect(self) -> Iterator[Metric]:
        return iter(self._metrics)
