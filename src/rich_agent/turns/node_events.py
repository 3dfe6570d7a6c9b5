"""The ends of nodes, for those who watch a turn from outside."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph.types import Overwrite

from rich_agent.domain.answer.trace import NodeReport


@dataclass(frozen=True, slots=True)
class NodeEnded:
    """A node came to its end and its step is stored."""

    request_id: str
    node: str
    latency_ms: float
    report: NodeReport


def unobserved(ended: NodeEnded) -> None:
    """Nobody watches."""


def nodes_ended(part: Mapping[str, Any], request_id: str) -> Iterator[NodeEnded]:
    """The nodes that ended with this part of a graph's stream."""
    if part["type"] != "updates":
        return
    for node, update in part["data"].items():
        if isinstance(update, Mapping) and "node_log" in update:
            latency, log = (_plain(update[key]) for key in ("latency_ms", "node_log"))
            yield NodeEnded(request_id, node, latency[node], NodeReport.from_json(log[node]))


def _plain(value: Any) -> Any:  # noqa: ANN401 - a channel's value
    return value.value if isinstance(value, Overwrite) else value
