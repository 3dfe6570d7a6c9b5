"""Metrics of a running bot, and what is written about them."""

import json
import re
from collections.abc import Iterator

import httpx
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.acceptance.world import ROOT, World, wait_until

_NAME = re.compile(r"\b(?:telegram|turn|model|rich_agent)_[a-z_]+")
_PARTS = ("_bucket", "_count", "_sum", "_total", "_created")


def served(world: World) -> set[str]:
    """The names of the metrics that a bot has, without their endings."""
    page = httpx.get(f"{world.environment['PUBLIC_URL']}/metrics", trust_env=False)
    names = {family.name for family in text_string_to_metric_families(page.text)}
    return {name for name in names if not name.endswith("_created")}


def named_in(expressions: Iterator[str]) -> set[str]:
    """The names of metrics in queries, without their endings."""
    names = {name for expression in expressions for name in _NAME.findall(expression)}
    for part in _PARTS:
        names = {name.removesuffix(part) for name in names}
    return names


def test_metrics_of_alerts_and_dashboard_exist(world: World) -> None:
    """A query for a name that no process has would be silent for good."""
    alerts = yaml.safe_load((ROOT / "deploy/prometheus-alerts.yml").read_text("utf-8"))
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    assert all({"summary", "do"} <= rule["annotations"].keys() for rule in rules)
    dashboard = json.loads((ROOT / "deploy/grafana-dashboard.json").read_text("utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked = named_in(rule["expr"] for rule in rules) | named_in(iter(queries))
    assert len(asked) > 15
    assert asked <= served(world)


def test_every_metric_is_explained(world: World) -> None:
    """The table for operators has all that a bot serves, and nothing else."""
    page = (ROOT / "docs/how-to/operate.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    listed = named_in(name for row in rows for name in re.findall(r"`(\w+)", row))
    assert listed == served(world)


def test_process_tells_of_its_connections_and_its_loop(world: World, user: int) -> None:
    """After a turn: connections were used, the loop was looked at, and messages are heard of."""
    world.ask(user, "hello")

    def looked() -> dict[tuple[str, ...], float] | None:
        page = httpx.get(f"{world.environment['PUBLIC_URL']}/metrics", trust_env=False).text
        found = {
            (sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(page)
            for sample in family.samples
        }
        return found if found["rich_agent_loop_lag_seconds_count",] > 0 else None

    samples = wait_until(looked, "the loop was looked at")
    assert samples["rich_agent_listens",] == 1
    assert samples["rich_agent_pool_connections", "sessions", "busy"] >= 1
    assert samples["rich_agent_pool_waiting", "app"] == 0
