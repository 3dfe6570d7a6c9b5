"""Marks of answers, sums over all questions, and the difference between two evaluations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from rich_agent.features.evaluation.intervals import Interval, change_of, mean_of, share_of

CITES, REFUSES = "an expected source is cited", "the answer says that there is none"


@dataclass(frozen=True, slots=True)
class AnswerMarks:
    """An answer with what is right of it.

    `facts` says of each fact whether the answer states it. `cites` and `refuses` are None where
    neither is expected. `judged` marks were given by a model, not by the wording. `cost_usd` is
    None without a price. `failure` says why there is no answer.
    """

    ask: str
    answer: str = ""
    facts: Mapping[str, bool] = field(default_factory=dict)
    cites: bool | None = None
    refuses: bool | None = None
    judged: int = 0
    tokens: int = 0
    seconds: float = 0.0
    cost_usd: float | None = None
    failure: str = ""

    @property
    def expectations(self) -> dict[str, bool]:
        """All that is expected of the answer, in words, and whether it is so."""
        others = {CITES: self.cites, REFUSES: self.refuses}
        by_name = {name: is_so for name, is_so in others.items() if is_so is not None}
        return {f"“{fact}”": is_so for fact, is_so in self.facts.items()} | by_name

    @property
    def is_right(self) -> bool:
        """Whether everything is as expected."""
        return all(self.expectations.values())

    @property
    def misses(self) -> list[str]:
        """The expectations that are not met."""
        return [name for name, is_so in self.expectations.items() if not is_so]


@dataclass(frozen=True, slots=True)
class AnswerEvaluation:
    """The answers to all questions under the settings that `label` names."""

    label: str
    at: datetime
    answers: Sequence[AnswerMarks]

    @property
    def failures(self) -> list[str]:
        """Why questions have no answer, each reason once."""
        return list(dict.fromkeys(one.failure for one in self.answers if one.failure))

    def measures(self) -> dict[str, Interval | None]:
        """Shares of questions, and means over the questions that were answered."""
        complete = [one for one in self.answers if not one.failure]
        costs = [one.cost_usd for one in complete if one.cost_usd is not None]
        return {
            "right": share_of([one.is_right for one in self.answers]),
            "facts": share_of([all(one.facts.values()) for one in self.answers if one.facts]),
            "citations": share_of([one.cites for one in self.answers if one.cites is not None]),
            "refusals": share_of([one.refuses for one in self.answers if one.refuses is not None]),
            "tokens": mean_of([one.tokens for one in complete]),
            "seconds": mean_of([one.seconds for one in complete]),
            "cost": mean_of(costs),
        }


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """The expectations that a question's answer meets now and did not before, and the reverse."""

    ask: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvaluationDifference:
    """The questions of both evaluations that changed; `right` is the difference of the shares."""

    right: Interval | None
    changes: tuple[AnswerChange, ...]

    @property
    def worse(self) -> tuple[AnswerChange, ...]:
        """The questions whose answers lost something."""
        return tuple(one for one in self.changes if one.lost)

    @property
    def better(self) -> tuple[AnswerChange, ...]:
        """The questions whose answers only gained."""
        return tuple(one for one in self.changes if one.gained and not one.lost)


def difference(before: AnswerEvaluation, after: AnswerEvaluation) -> EvaluationDifference:
    """The difference for the questions of both evaluations, each by its words.

    What is expected only now counts for neither.
    """
    answers_before = {one.ask: one for one in before.answers}
    pairs = [(answers_before[one.ask], one) for one in after.answers if one.ask in answers_before]
    changes = [
        AnswerChange(
            now.ask,
            _changes_between(then, now, lambda was, is_now: is_now and not was),
            _changes_between(then, now, lambda was, is_now: was and not is_now),
        )
        for then, now in pairs
    ]
    right = change_of([(then.is_right, now.is_right) for then, now in pairs])
    return EvaluationDifference(right, tuple(one for one in changes if one.gained or one.lost))


def _changes_between(
    then: AnswerMarks, now: AnswerMarks, is_meant: Callable[[bool, bool], bool]
) -> tuple[str, ...]:
    was = then.expectations
    return tuple(
        name
        for name, is_now in now.expectations.items()
        if name in was and is_meant(was[name], is_now)
    )
