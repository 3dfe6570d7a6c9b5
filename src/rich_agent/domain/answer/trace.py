"""The trace of a turn's nodes for /why, `rich-agent trace` and the log: sizes, never words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

from rich_agent.domain.usage_limits import CHAT_KINDS, NOTHING, ModelUse, Usage, total

Size = int | float | str
"""A count, a length such as "17 characters", or a word of the product, such as a plan."""


NodeId = Literal[
    "N1_ingest_input",
    "N2_load_long_term_memory",
    "N13_read_files",
    "N3_vision_summarize",
    "N4_build_effective_query",
    "N9_ask_back",
    "N10_take_answer",
    "N5_retrieve",
    "N14_search_further",
    "N8_web_search",
    "N6_synthesize",
    "N12_act",
    "N11_request_approval",
    "N7_persist",
]
"""The nodes, in the order in which a turn can pass them."""
NODE_ORDER: tuple[NodeId, ...] = get_args(NodeId)


FURTHER_QUERIES = "further_queries"
"""The name of N14's count of the queries in its rounds so far."""
CALLS_PLANNED = "calls_planned"
"""The name of N7's count of the planned calls."""
LOOK_LEFT_OUT = "look_left_out"
"""The name of N14's count of rounds that a slow model server would have delayed too long."""
CHECK_LEFT_OUT = "check_left_out"
"""The name of N6's count of checks that a slow model server would not have ended in time."""

CALLS_BEFORE_ANSWER = "calls_before_answer"
"""The name of N7's count of the calls in a row up to the first word; missing without a call."""


EARLIER_TURN = "turn:"
"""The prefix of an earlier turn's request among what a node recalled."""


def node_position(node: str) -> int:
    """The position of a node among all, from 0; an unknown node is last."""
    return [*NODE_ORDER, node].index(node)


@dataclass(frozen=True, slots=True)
class NodeReport:
    """The report of one node in a turn."""

    input: Mapping[str, Size] = field(default_factory=dict)
    """The sizes of what the node read."""
    output: Mapping[str, Size] = field(default_factory=dict)
    """The sizes of what it returned."""
    counts: Mapping[str, int] = field(default_factory=dict)
    attempts: int = 1
    """The number of attempts in the process in which the node ended."""
    resumed: bool = False
    """Whether an earlier process began the node and did not end it."""
    survived: Mapping[str, str] = field(default_factory=dict)
    """The kind of each error that did not end the node, by event."""
    usage: Sequence[Mapping[str, Any]] = ()
    """The usage by kind and model: `kind`, `model`, `calls`, and what the calls used."""
    recalled: Sequence[str] = ()
    """The marks of memories, and "turn:" with the request of an earlier turn, in the prompt."""

    def to_json(self) -> dict[str, Any]:
        """The report as JSON, without default values."""
        default_values = {"attempts": 1}
        fields = ((name, getattr(self, name)) for name in self.__slots__)
        return {
            name: value for name, value in fields if value and value != default_values.get(name)
        }

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The report that `to_json` wrote; keys of other versions are left out."""
        if not isinstance(value, Mapping):
            return cls()
        return cls(
            **{name: field_value for name, field_value in value.items() if name in cls.__slots__}
        )


def calls_in(reports: Iterable[NodeReport]) -> list[ModelUse]:
    """The usage of the nodes, by node and model."""
    return [
        ModelUse(call.get("model", ""), Usage.from_json(call))
        for report in reports
        for call in report.usage
    ]


@dataclass(frozen=True, slots=True)
class TurnCalls:
    """The calls of chat models in a turn, and the tokens that they read."""

    calls: int = 0
    before_answer: int = 0
    """Calls in a row up to the first word of the answer."""
    input_tokens: int = 0
    cached_tokens: int = 0
    """Tokens among the `input_tokens` that the server had read before."""


def turn_calls(reports: Iterable[NodeReport]) -> TurnCalls:
    """The calls of a turn with these nodes."""
    usage, before_answer = NOTHING, 0
    for report in reports:
        before_answer += report.counts.get(CALLS_BEFORE_ANSWER, 0)
        chat_calls = (call for call in report.usage if call.get("kind") in CHAT_KINDS)
        usage += total(map(Usage.from_json, chat_calls))
    return TurnCalls(usage.calls, before_answer, usage.input_tokens, usage.cached_tokens)


def models_in(reports: Iterable[NodeReport]) -> list[str]:
    """The models that were called, each once, in the order of the nodes."""
    models = [call["model"] for report in reports for call in report.usage if call.get("model")]
    return list(dict.fromkeys(models))
