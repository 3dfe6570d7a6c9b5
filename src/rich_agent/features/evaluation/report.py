"""Prints the result of `rich-agent eval answers`: measures, changes, and missed expectations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich_agent.feature.terminal import out, show_table
from rich_agent.feature.text import counted, shorten
from rich_agent.features.evaluation.intervals import Interval, bound_in_words
from rich_agent.features.evaluation.marks import (
    AnswerChange,
    AnswerEvaluation,
    EvaluationDifference,
    difference,
)

_ASK_CHARS = 100
_ANSWER_CHARS = 300
_SHARES = {
    "right": "everything as expected",
    "facts": "all facts stated",
    "citations": "an expected source cited",
    "refusals": "refused where expected",
}
_MEANS = {"tokens": "tokens per answer", "seconds": "seconds", "cost": "cost per answer"}


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """An evaluation with its comparisons.

    `own`: the evaluation with the present settings.
    `last`: the last evaluation, with the settings of that time.
    `against`: evaluations with other settings.
    """

    own: AnswerEvaluation
    last: AnswerEvaluation | None = None
    against: Sequence[AnswerEvaluation] = ()

    @property
    def all(self) -> list[AnswerEvaluation]:
        """All evaluations made now."""
        return [self.own, *self.against]

    def differences(self) -> Iterator[tuple[str, EvaluationDifference]]:
        """Each comparison with its title."""
        if self.last:
            description = f"{self.last.at:%Y-%m-%d %H:%M} UTC, with {self.last.label}"
            yield f"since the last evaluation, {description}", difference(self.last, self.own)
        for other in self.against:
            yield f"{other.label} instead of {self.own.label}", difference(self.own, other)


def report_to_json(report: EvaluationReport) -> dict[str, Any]:
    """The evaluations and their differences, as printed by `--json`."""
    return {
        "evaluations": [_evaluation_to_json(evaluation) for evaluation in report.all],
        "differences": [
            {
                "title": title,
                "right": change.right and asdict(change.right),
                "worse": [asdict(answer_change) for answer_change in change.worse],
                "better": [asdict(answer_change) for answer_change in change.better],
            }
            for title, change in report.differences()
        ],
    }


def _evaluation_to_json(evaluation: AnswerEvaluation) -> dict[str, Any]:
    measures = {
        name: interval and asdict(interval) for name, interval in evaluation.measures().items()
    }
    return {**asdict(evaluation), "measures": measures}


def print_report(report: EvaluationReport) -> None:
    """Print all measures, the better and worse answers, and the missed expectations."""
    judged_count = sum(answer.judged for answer in report.own.answers)
    out(
        f"{counted(len(report.own.answers), 'question')}; "
        f"a model judged {counted(judged_count, 'mark')}"
    )
    measures = [evaluation.measures() for evaluation in report.all]
    show_table(("", *(evaluation.label for evaluation in report.all)), list(_rows(measures)))
    for evaluation in report.all:
        for reason in evaluation.failures:
            out(f"{evaluation.label}: questions without an answer: {reason}", colour="red")
    for title, change in report.differences():
        _tell_difference(title, change)
    _tell_failures(report.own)


def _rows(columns: Sequence[Mapping[str, Interval | None]]) -> Iterator[tuple[str, ...]]:
    for name, label in {**_SHARES, **_MEANS}.items():
        intervals = [measures[name] for measures in columns]
        if any(intervals):
            yield label, *(_in_words(name, value) for value in intervals)


def _in_words(name: str, interval: Interval | None) -> str:
    """The value with its interval, and the number of questions."""
    if interval is None:
        return "–"
    value, low, high = (
        bound_in_words(name, bound) for bound in (interval.value, interval.low, interval.high)
    )
    return f"{value} ({low} to {high}) of {interval.count}"


def _tell_difference(title: str, change: EvaluationDifference) -> None:
    out(f"\n{title[:1].upper()}{title[1:]}:")
    if change.right is None:
        out("No question was asked in both.")
        return
    right_change = change.right
    bounds = f"{right_change.low:+.3f} to {right_change.high:+.3f}"
    out(f"right {right_change.value:+.3f} ({bounds}) of {right_change.count} questions")
    if not change.changes:
        out("No question changed.")
    _tell_changes("worse", change.worse, "red")
    _tell_changes("better", change.better, "green")


def _tell_changes(name: str, changes: Sequence[AnswerChange], colour: str) -> None:
    for change_of_answer in changes:
        out(f"{name}: {shorten(change_of_answer.ask, _ASK_CHARS)}", colour=colour)
        _tell_lines("-", change_of_answer.lost)
        _tell_lines("+", change_of_answer.gained)


def _tell_failures(evaluation: AnswerEvaluation) -> None:
    wrong_answers = [answer for answer in evaluation.answers if not answer.is_right]
    if wrong_answers:
        out(f"\nNot as expected ({len(wrong_answers)}):")
    for answer in wrong_answers:
        out(shorten(answer.ask, _ASK_CHARS))
        _tell_lines("-", [f"failed: {answer.failure}"] if answer.failure else answer.misses)
        if answer_text := " ".join(answer.answer.split()):
            out(f"  answer: {shorten(answer_text, _ANSWER_CHARS)}")


def _tell_lines(sign: str, lines: Iterable[str]) -> None:
    for line in lines:
        out(f"  {sign} {line}")
