"""Differences between two runs of a turn."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich_agent.feature.rehearsal import TurnResult

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


@dataclass(frozen=True, slots=True)
class ListChange:
    """The labels added to a list or removed from it, and the number of labels that stayed."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: int = 0


@dataclass(frozen=True, slots=True)
class TurnDifference:
    """The differences between two runs of a turn.

    `decision`: for each changed field, its first and its second value.
    `answer`: the sentences of both answers, each preceded by "+" (only in the second), "-" (only in
    the first) or " "; empty if the answers are the same.
    """

    decision: dict[str, tuple[str, str]]
    read: ListChange
    cited: ListChange
    answer: tuple[str, ...]

    def __bool__(self) -> bool:
        changes = (self.read, self.cited)
        return bool(
            self.decision
            or self.answer
            or any(change.added or change.removed for change in changes)
        )


def compare(first: TurnResult, second: TurnResult) -> TurnDifference:
    """The differences between two runs of one turn."""
    field_names = ("intent", "plan", "reason", "query")
    values_by_field = {
        name: (str(getattr(first, name)), str(getattr(second, name))) for name in field_names
    }
    return TurnDifference(
        decision={
            name: values for name, values in values_by_field.items() if values[0] != values[1]
        },
        read=_exchange(first.read, second.read),
        cited=_exchange(first.cited, second.cited),
        answer=tuple(_sentence_changes(first.answer, second.answer)),
    )


def _exchange(first: Sequence[tuple[str, str]], second: Sequence[tuple[str, str]]) -> ListChange:
    first_labels, second_labels = dict(first), dict(second)
    return ListChange(
        added=tuple(
            label for passage_id, label in second_labels.items() if passage_id not in first_labels
        ),
        removed=tuple(
            label for passage_id, label in first_labels.items() if passage_id not in second_labels
        ),
        kept=len(first_labels.keys() & second_labels.keys()),
    )


def _sentence_changes(first: str, second: str) -> Iterator[str]:
    first_sentences, second_sentences = _sentences(first), _sentences(second)
    if first_sentences == second_sentences:
        return
    for line in difflib.ndiff(first_sentences, second_sentences):
        # "?" lines mark characters, which helps with code, but not with prose.
        if not line.startswith("?"):
            yield line


def _sentences(text: str) -> list[str]:
    return [part for piece in _SENTENCE_END.split(text) if (part := piece.strip())]
