"""Reports of a node's run: the sizes of its input and output, and the errors it survived.

A report never holds a user's words, and its size is bounded.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import structlog

from rich_agent.domain.answer.trace import NodeId, NodeReport, Size
from rich_agent.graph.state import TurnState
from rich_agent.runtime.reach import log_failure

MOST_SIZES = 24
"""The most sizes on each side of a report, about 1 kB."""
_DEPTH = 3
_READS: Mapping[NodeId, tuple[str, ...]] = MappingProxyType(
    {
        "N1_ingest_input": ("request",),
        "N4_build_effective_query": ("input", "vision", "memory", "messages"),
        "N5_retrieve": ("rag", "routing"),
        "N14_search_further": ("rag",),
        "N8_web_search": ("rag",),
        "N6_synthesize": ("input", "vision", "memory", "messages", "rag", "routing"),
        "N7_persist": ("answer", "messages"),
    }
)
_READ_BY_OTHERS = ("input",)
# The values of these keys are words of the product, or of the operator's settings.
_VOCABULARY = frozenset({"intent", "plan", "locale"})
_WORD = re.compile(r"[a-z0-9_+-]{1,64}")
_NAMES = re.compile(r"(?:.*_(?:id|at)|sha256|fresh_from|revision|replaces|first_name|mime)\Z")
_log = structlog.get_logger()


@dataclass(slots=True)
class NodeNotes:
    """The notes of one attempt of a node, besides its result."""

    attempt: int = 1
    """The number of this attempt, from 1."""
    resumed: bool = False
    """Whether the turn was interrupted in this node before."""
    survived: dict[str, str] = field(default_factory=dict)
    """The names of the errors that did not end the node, by event."""
    counts: Counter[str] = field(default_factory=Counter)
    recalled: list[str] = field(default_factory=list)
    """The names of the memories that went into the prompt."""

    def survive(self, event: str, error: BaseException) -> None:
        """Note and log an error that does not end the node."""
        self.survived[event] = type(error).__name__
        log_failure(event, error)

    def count(self, what: str, number: int = 1) -> None:
        """Add a number to the count of this name."""
        self.counts[what] += number

    def recall(self, names: Iterable[str]) -> None:
        """Note the names of the memories that went into the prompt."""
        self.recalled += names


def report_of(
    node_id: NodeId, state: TurnState, update: Mapping[str, Any], notes: NodeNotes
) -> NodeReport:
    """The report on a run of a node that read `state` and returned `update`."""
    return NodeReport(
        input=_sizes_read(node_id, state),
        output=sizes_of(update),
        counts=dict(notes.counts),
        attempts=notes.attempt,
        resumed=notes.resumed,
        survived=notes.survived,
        recalled=notes.recalled or (),
    )


def _sizes_read(node_id: NodeId, state: TurnState) -> dict[str, Size]:
    """The sizes of the values that the node reads from the state."""
    state_values: Mapping[str, Any] = state
    field_names = _READS.get(node_id, _READ_BY_OTHERS)
    return sizes_of({name: state_values[name] for name in field_names if state_values.get(name)})


def sizes_of(values: Mapping[str, Any]) -> dict[str, Size]:
    """The size of each value by its path, such as `rag.query`; at most `MOST_SIZES`."""
    size_by_path = dict(_flatten(values, "", _DEPTH))
    first_size_by_path = dict(list(size_by_path.items())[:MOST_SIZES])
    return (
        first_size_by_path
        if len(first_size_by_path) == len(size_by_path)
        else {**first_size_by_path, "more": len(size_by_path) - len(first_size_by_path)}
    )


def _flatten(values: Mapping[str, Any], path: str, depth: int) -> Iterator[tuple[str, Size]]:
    """The path and size of each value, down to `depth` levels."""
    for name, field_value in values.items():
        if _NAMES.match(name) or field_value in (None, "", {}):
            continue
        value_path = f"{path}{name}"
        if isinstance(field_value, Mapping) and depth > 1:
            yield from _flatten(field_value, f"{value_path}.", depth - 1)
        else:
            yield value_path, _size(name, field_value)


def _size(name: str, value: object) -> Size:
    """A number as it is, a word of the product, a length, or the name of the type."""
    if isinstance(value, str):
        is_word = name in _VOCABULARY and _WORD.fullmatch(value)
        return value if is_word else f"{len(value)} characters"
    if isinstance(value, bool | int | float):
        return value
    return len(value) if isinstance(value, Mapping | list | tuple) else type(value).__name__
