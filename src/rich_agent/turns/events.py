"""What a surface learns about a running turn, from the graph's stream and state."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from langgraph.types import Overwrite

from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.answer.trace import NodeReport
from rich_agent.graph.state import TurnUpdate
from rich_agent.ports.turns import TurnOutcome
from rich_agent.turns.snapshots import answer_of

Stage = Literal["looking", "thinking", "searching", "searching_web", "drafting", "acting", "busy"]


@dataclass(frozen=True, slots=True)
class StageChanged:
    """What the bot does now; it acts by `tool`, and is busy while it waits for a busy model."""

    stage: Stage
    tool: str = ""


@dataclass(frozen=True, slots=True)
class TextSoFar:
    """The answer as far as it is written, from its first character."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The complete answer; after it, the turn is only stored."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """Something is missing: the turn waits until the user has answered this question.

    Where calls of tools wait for approval, `approves` is their fingerprint, and the first choice
    approves them, the second refuses.
    """

    request_id: str
    question: str
    choices: tuple[str, ...] = ()
    approves: str = ""


@dataclass(frozen=True, slots=True)
class Withheld:
    """The answer is kept back; what the user reads instead."""

    notice: str


@dataclass(frozen=True, slots=True)
class QuestionClosed:
    """The question of an earlier request is answered, or given up for what came instead."""

    request_id: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn is stored, or stands still; the last event of every turn."""

    outcome: TurnOutcome


TurnEvent = (
    StageChanged | TextSoFar | Answered | QuestionAsked | Withheld | QuestionClosed | Finished
)


def event_of(part: Mapping[str, Any]) -> TurnEvent | None:
    """What a part of the graph's stream means to a surface, None if nothing."""
    data = part["data"]
    if part["type"] == "custom":
        if "stage" in data:
            return StageChanged(data["stage"], data.get("tool", ""))
        return TextSoFar(data["text"])
    if part["type"] != "updates":
        return None
    if "N11_request_approval" in data:
        return shown_in(data["N11_request_approval"])
    is_written = "answer" in (data.get("N6_synthesize") or {})
    return Answered(answer_of(data["N6_synthesize"])) if is_written else None


def planned_in(part: Mapping[str, Any]) -> TurnUpdate | None:
    """What N4 wrote, if the part is of it."""
    data: Mapping[str, TurnUpdate] = part["data"] if part["type"] == "updates" else {}
    return data.get("N4_build_effective_query") or None


def shown_in(state: TurnUpdate) -> Answered | Withheld:
    """The answer in a state, or what stands in its place."""
    answer = answer_of(state)
    return Withheld(answer.text) if state.get("approval") else Answered(answer)


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
