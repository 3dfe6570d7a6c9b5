"""Marks of answers, sums over all questions, and the difference between two evaluations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from rich_agent.features.evaluation.intervals import Interval, change_of, mean_of, share_of

CITES, REFUSES = "an expected source is cited", "the answer says that there is none"


@dataclass(frozen=True, slots=True)
class AnswerMarks:
    """An answer with its marks.

    `facts`: for each fact, whether the answer states it.
    `cites`: whether an expected source is cited, None if no source is expected.
    `refuses`: whether the answer refuses, None if no refusal is expected.
    `judged`: the number of marks given by a model instead of the wording.
    `cost_usd`: the cost in US dollars, None without a price.
    `failure`: why there is no answer, "" if there is one.
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
        """All expectations by their description, and whether each is met."""
        other_expectations = {CITES: self.cites, REFUSES: self.refuses}
        expected_marks = {
            name: is_met for name, is_met in other_expectations.items() if is_met is not None
        }
        return {f"“{fact}”": is_met for fact, is_met in self.facts.items()} | expected_marks

    @property
    def is_right(self) -> bool:
        """Whether all expectations are met."""
        return all(self.expectations.values())

    @property
    def misses(self) -> list[str]:
        """The expectations that are not met."""
        return [name for name, is_met in self.expectations.items() if not is_met]


@dataclass(frozen=True, slots=True)
class AnswerEvaluation:
    """The answers to all questions, under the settings that `label` names."""

    label: str
    at: datetime
    answers: Sequence[AnswerMarks]

    @property
    def failures(self) -> list[str]:
        """The reasons for missing answers, each once."""
        return list(dict.fromkeys(answer.failure for answer in self.answers if answer.failure))

    def measures(self) -> dict[str, Interval | None]:
        """Shares of the questions, and means over the answered questions."""
        complete_answers = [answer for answer in self.answers if not answer.failure]
        costs = [answer.cost_usd for answer in complete_answers if answer.cost_usd is not None]
        return {
            "right": share_of([answer.is_right for answer in self.answers]),
            "facts": share_of(
                [all(answer.facts.values()) for answer in self.answers if answer.facts]
            ),
            "citations": share_of(
                [answer.cites for answer in self.answers if answer.cites is not None]
            ),
            "refusals": share_of(
                [answer.refuses for answer in self.answers if answer.refuses is not None]
            ),
            "tokens": mean_of([answer.tokens for answer in complete_answers]),
            "seconds": mean_of([answer.seconds for answer in complete_answers]),
            "cost": mean_of(costs),
        }


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """The expectations that the answer to a question newly meets, and no longer meets."""

    ask: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvaluationDifference:
    """The changed questions among the questions in both evaluations.

    `right`: the difference of the shares of right answers.
    """

    right: Interval | None
    changes: tuple[AnswerChange, ...]

    @property
    def worse(self) -> tuple[AnswerChange, ...]:
        """The questions whose answers lost a met expectation."""
        return tuple(change for change in self.changes if change.lost)

    @property
    def better(self) -> tuple[AnswerChange, ...]:
        """The questions whose answers only gained met expectations."""
        return tuple(change for change in self.changes if change.gained and not change.lost)


def difference(before: AnswerEvaluation, after: AnswerEvaluation) -> EvaluationDifference:
    """The difference for the questions in both evaluations, matched by their wording.

    A new expectation counts neither as gained nor as lost.
    """
    first_answer_by_question = {answer.ask: answer for answer in before.answers}
    pairs = [
        (first_answer_by_question[answer.ask], answer)
        for answer in after.answers
        if answer.ask in first_answer_by_question
    ]
    changes = [
        AnswerChange(
            second_answer.ask,
            _changes_between(
                first_answer, second_answer, lambda was_met, is_met: is_met and not was_met
            ),
            _changes_between(
                first_answer, second_answer, lambda was_met, is_met: was_met and not is_met
            ),
        )
        for first_answer, second_answer in pairs
    ]
    right_change = change_of(
        [(first_answer.is_right, second_answer.is_right) for first_answer, second_answer in pairs]
    )
    return EvaluationDifference(
        right_change, tuple(change for change in changes if change.gained or change.lost)
    )


def _changes_between(
    first_answer: AnswerMarks, second_answer: AnswerMarks, is_counted: Callable[[bool, bool], bool]
) -> tuple[str, ...]:
    first_expectations = first_answer.expectations
    return tuple(
        name
        for name, is_met in second_answer.expectations.items()
        if name in first_expectations and is_counted(first_expectations[name], is_met)
    )
