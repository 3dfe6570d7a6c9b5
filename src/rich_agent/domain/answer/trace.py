"""The trace of a turn's nodes, for /why, `rich-agent trace` and the log: sizes, never words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self, get_args

from rich_agent.domain.usage_limits import ModelUse, Usage

Size = int | float | str
"""A count, a length such as "17 characters", or a word of the product's own, such as a plan."""


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
"""The nodes as a turn can come through them."""
NODE_ORDER: tuple[NodeId, ...] = get_args(NodeId)


FURTHER_QUERIES = "further_queries"
CALLS_PLANNED = "calls_planned"
"""Counts, in the report of N14, what the rounds so far have looked for."""


EARLIER_TURN = "turn:"
"""Before the request of an earlier turn, among what a node recalled."""


def node_position(node: str) -> int:
    """Return the position of a node among all, from 0; an unknown node is last."""
    return [*NODE_ORDER, node].index(node)


@dataclass(frozen=True, slots=True)
class NodeReport:
    """One node's part in a turn.

    `input` and `output` name what went in and came out. `attempts` counts the tries of the process
    in which the node ended; `resumed` says that a process before it had begun there and did not
    come to the node's end. `survived` maps each failure that the node went around to its kind.
    `usage` has an entry for each kind of call and model: `kind`, `model`, `calls`, what they used.
    `recalled` names what was put into the prompt of what the user said before: the marks of
    memories, and the requests of earlier turns behind "turn:".
    """

    input: Mapping[str, Size] = field(default_factory=dict)
    output: Mapping[str, Size] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    attempts: int = 1
    resumed: bool = False
    survived: Mapping[str, str] = field(default_factory=dict)
    usage: Sequence[Mapping[str, Any]] = ()
    recalled: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """The report as JSON, without what is as usual."""
        usual = {"attempts": 1}
        return {
            name: value
            for name, value in asdict(self).items()
            if value and value != usual.get(name)
        }

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The report that `to_json` wrote; what an older version wrote is left out."""
        if not isinstance(value, Mapping):
            return cls()
        return cls(**{name: part for name, part in value.items() if name in cls.__slots__})


def calls_in(reports: Iterable[NodeReport]) -> list[ModelUse]:
    """Return the model usage of the nodes, by node and model."""
    return [
        ModelUse(call.get("model", ""), Usage.from_json(call))
        for report in reports
        for call in report.usage
    ]


def models_in(reports: Iterable[NodeReport]) -> list[str]:
    """The models that were asked, each once, in the order of the nodes."""
    models = [call["model"] for report in reports for call in report.usage if call.get("model")]
    return list(dict.fromkeys(models))
