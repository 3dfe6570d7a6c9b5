"""Events of a running turn for a surface, from the graph's stream and state."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from langgraph.types import Overwrite

from rich_agent.domain.answer.citation import Answer, CommandOffer
from rich_agent.domain.answer.trace import NodeReport
from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.message import Decided
from rich_agent.domain.tools import ASK_TOOL, ActingState, ToolCall, ToolResult
from rich_agent.graph.state import TurnUpdate
from rich_agent.phrases import say
from rich_agent.ports.turns import TurnOutcome
from rich_agent.turns.snapshots import answer_of

Stage = Literal[
    "reading", "looking", "thinking", "searching", "searching_web", "drafting", "acting", "busy"
]


@dataclass(frozen=True, slots=True)
class StageChanged:
    """The stage of the bot's work; it acts by `tool`, and is busy while it waits for a model."""

    stage: Stage
    tool: str = ""


@dataclass(frozen=True, slots=True)
class RoutePlanned:
    """The route by which the message is going to be answered; it `acts` if tools are offered."""

    intent: str
    plan: str
    acts: bool = False


@dataclass(frozen=True, slots=True)
class TextSoFar:
    """The answer as far as it is written, from its first character.

    What the model says before it calls tools comes as such a text too; the answer begins anew.
    """

    text: str


@dataclass(frozen=True, slots=True)
class CallSoFar:
    """A call as far as the model has written it: `arguments` is JSON, from its first character.

    The same call comes in `ToolsCalled` in the end, unless the model thinks better of it.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolsCalled:
    """The calls that the model wants to be run, perhaps once the user approved it."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class ToolsReturned:
    """The results of calls, each with its call."""

    results: tuple[tuple[ToolCall, ToolResult], ...]


@dataclass(frozen=True, slots=True)
class AnswerWritten:
    """The whole answer before its sentences are judged; `Answered` has what becomes of it.

    A surface that cannot change what it has shown waits for that.
    """

    answer: Answer


@dataclass(frozen=True, slots=True)
class Answered:
    """The complete answer; after it, the turn is only stored."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """Something is missing: the turn waits until the user has answered this question.

    Where `calls` of tools wait for approval, `approves` is their fingerprint, and the first choice
    approves them, the second refuses; `cards` are what has to be shown of each. `files` came with
    the message and may be remembered.
    `locale` is the language of the turn's own phrases, "" if it is not known. `commands` are
    offered below it, such as that which ends a guided session. `shown_by` is the request in whose
    answer it stands. `deletes`: what the choices delete is gone for good.
    """

    request_id: str
    question: str
    choices: tuple[str, ...] = ()
    approves: str = ""
    calls: tuple[ToolCall, ...] = ()
    files: tuple[int, ...] = ()
    locale: str = ""
    cards: tuple[ApprovalCard, ...] = ()
    commands: tuple[CommandOffer, ...] = ()
    shown_by: str = ""
    deletes: bool = False

    @property
    def refusal(self) -> str:
        """The sentence once it is passed over, "" for a question on which no act depends."""
        if not (self.approves or self.deletes):
            return ""
        return say(self.locale or "en", "forgetting-kept" if self.deletes else "card-not-done")


@dataclass(frozen=True, slots=True)
class Withheld:
    """The answer is kept back; what the user reads instead."""

    notice: str


@dataclass(frozen=True, slots=True)
class QuestionClosed:
    """The question of an earlier request is answered, or given up for what came instead.

    `card` are the calls that waited, or what was to be deleted, where their message does not show
    yet what became of them; `decision` is what the user's words decided, "" if nothing is done;
    None if the same calls are asked for again.
    """

    request_id: str
    card: QuestionAsked | None = None
    decision: Decided | None = ""

    @property
    def notice(self) -> str:
        """The sentence that names what is not done, "" where it is, or waits on."""
        if self.card is None or self.decision != "":
            return ""
        titles = ", ".join(dict.fromkeys(card.title for card in self.card.cards))
        return f"✗ {titles}: {self.card.refusal}" if titles else f"✗ {self.card.refusal}"


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn is stored, or stands still; the last event of every turn.

    `used` is what models and searches used for it this time, by kind and model.
    """

    outcome: TurnOutcome
    used: tuple[Mapping[str, Any], ...] = ()


TurnEvent = (
    RoutePlanned
    | StageChanged
    | TextSoFar
    | CallSoFar
    | ToolsCalled
    | ToolsReturned
    | AnswerWritten
    | Answered
    | QuestionAsked
    | Withheld
    | QuestionClosed
    | Finished
)


def event_of(part: Mapping[str, Any]) -> TurnEvent | None:
    """The event that a part of the graph's stream means to a surface, None if nothing."""
    data = part["data"]
    if part["type"] == "custom":
        return _written_so_far(data)
    if part["type"] != "updates":
        return None
    for node, update in data.items():
        if update and node in _READERS and (event := _READERS[node](update)):
            return event
    return None


def _written_so_far(data: Mapping[str, Any]) -> TurnEvent:
    """The event that a node wrote into the stream before its end."""
    if "stage" in data:
        return StageChanged(data["stage"], data.get("tool", ""))
    if "call" in data:
        return CallSoFar(**data["call"])
    if "taken" in data:
        return QuestionClosed("", decision=data["taken"])
    if "whole" in data:
        return AnswerWritten(answer_of({"answer": data["whole"]}))
    return TextSoFar(data["text"])


def _route_of(update: TurnUpdate) -> RoutePlanned | None:
    routing = update.get("routing", {})
    if "plan" not in routing:
        return None
    return RoutePlanned(routing["intent"], routing["plan"], routing.get("acts", False))


def _text_or_calls_of(update: TurnUpdate) -> Answered | ToolsCalled | None:
    """The answer that N6 wrote, or the calls that it wants to be run."""
    if "answer" in update:
        return Answered(answer_of(update))
    if "acting" in update:
        return ToolsCalled(tuple(ToolCall(**call) for call in update["acting"]["calls"]))
    return None


def _results_of(update: TurnUpdate) -> ToolsReturned | None:
    """The results of what N12 ran; what waits for the user's words is not over."""
    waits = "clarification" in update
    last_results = _last_round(update.get("acting", {}))
    return _results(pair for pair in last_results if not (waits and _is_asking(*pair)))


def _decisions_of(update: TurnUpdate) -> ToolsReturned | None:
    """The results of the calls that the user's reply decided, unless they are run now."""
    acting = update.get("acting", {})
    last_results = [] if acting.get("calls") else _last_round(acting)
    return _results((c, r) for c, r in last_results if r.status == "denied" or _is_asking(c, r))


def _is_asking(call: ToolCall, result: ToolResult) -> bool:
    return call.name == ASK_TOOL or bool(result.question)


def _results(results: Iterable[tuple[ToolCall, ToolResult]]) -> ToolsReturned | None:
    pairs = tuple(results)
    return ToolsReturned(pairs) if pairs else None


def _last_round(acting: ActingState) -> list[tuple[ToolCall, ToolResult]]:
    rounds = acting.get("rounds")
    if not rounds:
        return []
    pairs = zip(rounds[-1]["calls"], rounds[-1]["results"], strict=True)
    return [(ToolCall(**call), ToolResult.from_state(result)) for call, result in pairs]


def plan_update_in(part: Mapping[str, Any]) -> TurnUpdate | None:
    """The update that N4 wrote, if the part is of it."""
    data: Mapping[str, TurnUpdate] = part["data"] if part["type"] == "updates" else {}
    return data.get("N4_build_effective_query") or None


def visible_answer(state: TurnUpdate) -> Answered | Withheld:
    """The answer in a state, or what stands in its place."""
    answer = answer_of(state)
    return Withheld(answer.text) if state.get("approval") else Answered(answer)


_READERS: Mapping[str, Callable[[TurnUpdate], TurnEvent | None]] = MappingProxyType(
    {
        "N4_build_effective_query": _route_of,
        "N6_synthesize": _text_or_calls_of,
        "N10_take_answer": _decisions_of,
        "N11_request_approval": visible_answer,
        "N12_act": _results_of,
    }
)


@dataclass(frozen=True, slots=True)
class NodeEnded:
    """A node came to its end and its step is stored."""

    request_id: str
    node: str
    latency_ms: float
    report: NodeReport


def ignore_node(node_end: NodeEnded) -> None:
    """Callback that ignores the end of a node."""


def node_ends(part: Mapping[str, Any], request_id: str) -> Iterator[NodeEnded]:
    """The nodes that ended with this part of a graph's stream."""
    if part["type"] != "updates":
        return
    for node, update in part["data"].items():
        if isinstance(update, Mapping) and "node_log" in update:
            latency, log = (_plain(update[key]) for key in ("latency_ms", "node_log"))
            yield NodeEnded(request_id, node, latency[node], NodeReport.from_json(log[node]))


def _plain(value: Any) -> Any:  # noqa: ANN401 - a channel's value
    return value.value if isinstance(value, Overwrite) else value
