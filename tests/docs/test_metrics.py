"""Every metric is described where an operator looks, and nothing is described that is not there."""

import re
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry
from prometheus_client.metrics import MetricWrapperBase

from rich_agent.domain.usage_limits import Prices
from rich_agent.telegram.metrics import Metrics
from rich_agent.turns.metrics import NodeMetrics, UsageMetrics

DOCS = Path(__file__).parents[2] / "docs"
_ROW = re.compile(
    r"^\| `((?:telegram|turn|model|rich_agent_due)_[a-z_]+)(?:\{([a-z,]+)\})?` \|", re.MULTILINE
)


def registered() -> Iterator[tuple[str, str]]:
    """Name and labels of each metric, as Prometheus shows them."""
    registry = CollectorRegistry()
    for owner in (
        Metrics(registry),
        NodeMetrics(registry),
        UsageMetrics(registry, Prices),
    ):
        for metric in vars(owner).values():
            if isinstance(metric, MetricWrapperBase):
                (family,) = metric.describe()
                suffix = "_total" if family.type == "counter" else ""
                yield f"{family.name}{suffix}", ",".join(metric._labelnames)


def described() -> set[tuple[str, str]]:
    """Name and labels of each metric in a table of the how-to guides."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("how-to/*.md"))
    return set(_ROW.findall(pages))


def test_metrics_are_those_that_the_documentation_describes() -> None:
    """With the same labels."""
    assert described() == set(registered())


def test_no_label_of_a_metric_could_hold_an_id_or_a_text() -> None:
    """Labels are of few values; a label for each user would also tell who they are."""
    known = {"result", "node", "cause", "failure", "kind", "model", "direction", "limit", "status"}
    known.add("state")
    assert {label for _, labels in registered() for label in labels.split(",") if label} <= known
