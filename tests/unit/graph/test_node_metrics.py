"""Metrics of a process about its turns: figures and a log line for each node."""

from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from rich_agent.errors import MalformedOutputError, UpstreamUnavailableError
from rich_agent.turns.events import NodeEnded
from rich_agent.turns.metrics import NodeMetrics
from tests import make
from tests.scripted import ScriptedChat, ScriptedPlanner
from tests.turns_in_memory import cast_for, run, turns_with

SECRET = "my-secret-canary"


async def observed(cast: make.Fakes, registry: CollectorRegistry) -> list[NodeEnded]:
    """The nodes of a turn, which the metrics of `registry` have seen too."""
    seen: list[NodeEnded] = []
    metrics = NodeMetrics(registry)

    def observe(ended: NodeEnded) -> None:
        metrics.observe(ended)
        seen.append(ended)

    await run(replace(turns_with(cast), observe=observe), f"What is staking, {SECRET}?")
    return seen


@pytest.mark.req("OBS-1")
async def test_every_node_is_logged_with_its_duration_and_without_a_word() -> None:
    """In order, under the turn's id."""
    with capture_logs() as lines:
        seen = await observed(cast_for("rag"), CollectorRegistry())
    told = [line for line in lines if line["event"] == "turn.node"]
    assert [line["node"] for line in told] == [ended.node for ended in seen]
    assert [line["node"][:2] for line in told] == ["N1", "N2", "N4", "N5", "N6", "N7"]
    assert {line["request_id"] for line in told} == {"r1"}
    assert {line["log_level"] for line in told} == {"debug"}
    assert all(line["duration_ms"] >= 0 for line in told)
    assert SECRET not in str(lines)


@pytest.mark.req("OBS-1")
async def test_nodes_are_counted_with_retries_and_survived_failures() -> None:
    """A second try of N6, a planner that failed."""
    cast = cast_for("rag")
    cast.planner = ScriptedPlanner(failure=MalformedOutputError("model", "no plan"))
    cast.chat = ScriptedChat(("It is so [1].",), [UpstreamUnavailableError("model", "cut")])
    registry = CollectorRegistry()
    await observed(cast, registry)
    assert registry.get_sample_value("turn_node_seconds_count", {"node": "N6_synthesize"}) == 1
    retried = {"node": "N6_synthesize", "cause": "retry"}
    assert registry.get_sample_value("turn_node_reruns_total", retried) == 1
    failed = {"failure": "planner_failed"}
    assert registry.get_sample_value("turn_survived_failures_total", failed) == 1


@pytest.mark.req("OBS-1", "DUR-1")
async def test_turn_that_goes_on_counts_the_node_at_which_it_does() -> None:
    """Nodes that had ended are not seen again."""
    cast = cast_for("direct")
    cast.chat = ScriptedChat(("So.",), [UpstreamUnavailableError("model", "cut")] * 3)
    registry, seen = CollectorRegistry(), list[NodeEnded]()
    turns = replace(turns_with(cast), observe=seen.append)
    with pytest.raises(UpstreamUnavailableError):
        await run(turns)
    metrics = NodeMetrics(registry)
    begun = len(seen)
    await run(turns)
    for ended in seen[begun:]:
        metrics.observe(ended)
    assert [ended.node for ended in seen[begun:]] == ["N6_synthesize", "N7_persist"]
    resumed = {"node": "N6_synthesize", "cause": "resumed"}
    assert registry.get_sample_value("turn_node_reruns_total", resumed) == 1
