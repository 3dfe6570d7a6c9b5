"""Events of a running turn for surfaces, read from the graph's stream and state."""

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
    """A new stage of the turn: "acting" with `tool`, or "busy" while it waits for a model."""

    stage: Stage
    tool: str = ""


@dataclass(frozen=True, slots=True)
class RoutePlanned:
    """The planned route of the answer; `acts` is true if the model is offered tools."""

    intent: str
    plan: str
    acts: bool = False


@dataclass(frozen=True, slots=True)
class TextSoFar:
    """The answer written so far, from its first character.

    If the model writes a text before it calls tools, that comes as such events, too. After the
    calls, the text starts again from nothing.
    """

    text: str


@dataclass(frozen=True, slots=True)
class CallSoFar:
    """A tool call written so far: `arguments` is the beginning of its JSON.

    The finished call comes in `ToolsCalled`, unless the model drops it.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolsCalled:
    """The tool calls of the model; some may have to wait for the user's approval."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class ToolsReturned:
    """The results of tool calls, as pairs of call and result."""

    results: tuple[tuple[ToolCall, ToolResult], ...]


@dataclass(frozen=True, slots=True)
class AnswerWritten:
    """The whole answer before its sentences are judged; `Answered` has the final answer.

    A surface that cannot change a text once it is shown waits for `Answered`.
    """

    answer: Answer


@dataclass(frozen=True, slots=True)
class Answered:
    """The final answer; after this event, the turn is only stored."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A question of the bot, for whose answer the turn waits.

    - `request_id`: the request that is being answered.
    - `choices`: the offered answers. If `approves` is set, the first one approves, the second
      refuses.
    - `approves`: the fingerprint of the calls that wait for approval, "" without any.
    - `calls`, `cards`: the waiting calls, and the card that shows each.
    - `files`: the ids of files that came with the message and may be remembered.
    - `locale`: the language of the bot's own phrases, "" if it is not known.
    - `commands`: offered below the question, such as the one that ends a guided session.
    - `shown_by`: the request in whose answer the question stands.
    - `deletes`: whether a choice deletes something for good.
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
        """The sentence that the act is not done, for a question that is passed over.

        "" if no act depends on the question.
        """
        if not (self.approves or self.deletes):
            return ""
        return say(self.locale or "en", "forgetting-kept" if self.deletes else "card-not-done")


@dataclass(frozen=True, slots=True)
class Withheld:
    """A notice in place of an answer that a person has yet to approve."""

    notice: str


@dataclass(frozen=True, slots=True)
class QuestionClosed:
    """The end of an earlier request's question: it was answered, or given up for another request.

    - `request_id`: the request in whose answer the question stands.
    - `card`: the question, if it asked for an act and its message does not show the outcome yet.
    - `decision`: the decision in the user's words, "" if nothing is done; None if the same calls
      are asked for again.
    """

    request_id: str
    card: QuestionAsked | None = None
    decision: Decided | None = ""

    @property
    def notice(self) -> str:
        """The sentence that names the acts that are not done; "" if they are done or still wait."""
        if self.card is None or self.decision != "":
            return ""
        title_list = ", ".join(dict.fromkeys(card.title for card in self.card.cards))
        return f"✗ {title_list}: {self.card.refusal}" if title_list else f"✗ {self.card.refusal}"


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of every turn, which is stored now, or waits for an answer.

    `used` is the usage of models and searches in this run of the turn, by kind and model.
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
    """The event for a part of the graph's stream, None if it is not for surfaces."""
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
    """The planned route in an update of node N4, None without one."""
    routing = update.get("routing", {})
    if "plan" not in routing:
        return None
    return RoutePlanned(routing["intent"], routing["plan"], routing.get("acts", False))


def _text_or_calls_of(update: TurnUpdate) -> Answered | ToolsCalled | None:
    """The answer or the tool calls of node N6, None without either."""
    if "answer" in update:
        return Answered(answer_of(update))
    if "acting" in update:
        return ToolsCalled(tuple(ToolCall(**call) for call in update["acting"]["calls"]))
    return None


def _results_of(update: TurnUpdate) -> ToolsReturned | None:
    """The results of the calls that node N12 ran, except calls that wait for the user's answer."""
    waits_for_user = "clarification" in update
    last_results = _last_round(update.get("acting", {}))
    return _results(pair for pair in last_results if not (waits_for_user and _is_asking(*pair)))


def _decisions_of(update: TurnUpdate) -> ToolsReturned | None:
    """The results of the calls that the user's reply settled; None if calls are run next."""
    acting = update.get("acting", {})
    last_results = [] if acting.get("calls") else _last_round(acting)
    return _results(
        (call, result)
        for call, result in last_results
        if result.status == "denied" or _is_asking(call, result)
    )


def _is_asking(call: ToolCall, result: ToolResult) -> bool:
    """Whether the call asks the user a question."""
    return call.name == ASK_TOOL or bool(result.question)


def _results(results: Iterable[tuple[ToolCall, ToolResult]]) -> ToolsReturned | None:
    """The event with these results, None without any."""
    pairs = tuple(results)
    return ToolsReturned(pairs) if pairs else None


def _last_round(acting: ActingState) -> list[tuple[ToolCall, ToolResult]]:
    """The calls of the last round with their results."""
    rounds = acting.get("rounds")
    if not rounds:
        return []
    pairs = zip(rounds[-1]["calls"], rounds[-1]["results"], strict=True)
    return [(ToolCall(**call), ToolResult.from_state(result)) for call, result in pairs]


def plan_update_in(part: Mapping[str, Any]) -> TurnUpdate | None:
    """The state update of node N4 in a part of the stream, None if there is none."""
    data: Mapping[str, TurnUpdate] = part["data"] if part["type"] == "updates" else {}
    return data.get("N4_build_effective_query") or None


def visible_answer(state: TurnUpdate) -> Answered | Withheld:
    """The answer in a state, or the notice in its place while it waits for approval."""
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
    """The end of a node, whose step is stored."""

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
    """The value of a channel, also if it is overwritten."""
    return value.value if isinstance(value, Overwrite) else value
