"""What was made of labelled utterances, counted: accuracy by label, and the confusion matrix."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bench.routing.utterances import Utterance

_WIDTH = 25


@dataclass(frozen=True, slots=True)
class Routed:
    """An utterance and what it was taken for; `failed` when the model gave no usable plan."""

    utterance: Utterance
    intent: str
    plan: str
    query: str
    by_model: bool
    failed: bool = False
    tokens: int = 0

    @property
    def intent_fits(self) -> bool:
        """Whether the intent is one of those that are right."""
        return self.intent in self.utterance.intents

    @property
    def plan_fits(self) -> bool:
        """Whether the plan is one of those that are right."""
        return self.plan in self.utterance.plans

    @property
    def query_fits(self) -> bool:
        """Whether the query names all that the message leans on."""
        query = self.query.casefold()
        return all(name.casefold() in query for name in self.utterance.query_names)


def report(routed: Sequence[Routed]) -> str:
    """The figures as text: accuracy for intent and plan, their matrices, and the misses."""
    leaning = [one for one in routed if one.utterance.query_names]
    asked = [one for one in routed if one.by_model]
    return "\n\n".join(
        [
            _accuracies("intent", routed, lambda one: one.utterance.intents[0], _intent_fits),
            _matrix("intent", routed, lambda one: (one.utterance.intents[0], one.intent)),
            _accuracies("plan", routed, lambda one: one.utterance.plans[0], _plan_fits),
            _matrix("plan", routed, lambda one: (one.utterance.plans[0], one.plan)),
            _accuracies("language: both", routed, lambda one: one.utterance.language, _both_fit),
            f"queries that name their subject: {_share(one.query_fits for one in leaning)}",
            ", ".join(
                [
                    f"model asked: {len(asked)}",
                    f"without a usable plan: {sum(one.failed for one in asked)}",
                    f"tokens used: {sum(one.tokens for one in asked)}",
                ]
            ),
        ]
    )


def misses(routed: Iterable[Routed]) -> str:
    """A line for each utterance whose intent, plan or query does not fit."""
    wrong = [one for one in routed if not (_both_fit(one) and one.query_fits)]
    return "\n".join(
        f"{one.utterance.text!r}: {one.intent}, {one.plan}, {one.query!r}; "
        f"wanted {'|'.join(one.utterance.intents)}, {'|'.join(one.utterance.plans)}"
        + "".join(f", “{name}”" for name in one.utterance.query_names)
        for one in wrong
    )


def _intent_fits(one: Routed) -> bool:
    return one.intent_fits


def _plan_fits(one: Routed) -> bool:
    return one.plan_fits


def _both_fit(one: Routed) -> bool:
    return one.intent_fits and one.plan_fits


def _accuracies(
    title: str,
    routed: Sequence[Routed],
    label: Callable[[Routed], str],
    fits: Callable[[Routed], bool],
) -> str:
    lines = [
        f"{name:{_WIDTH}} {_share(fits(one) for one in routed if label(one) == name)}"
        for name in dict.fromkeys(map(label, routed))
    ]
    overall = f"{'overall':{_WIDTH}} {_share(map(fits, routed))}"
    return "\n".join([f"{title:{_WIDTH}} right", *lines, overall])


def _share(fits: Iterable[bool]) -> str:
    found = list(fits)
    return f"{sum(found)}/{len(found)} ({sum(found) / max(1, len(found)):.0%})"


def _matrix(title: str, routed: Sequence[Routed], pair: Callable[[Routed], tuple[str, str]]) -> str:
    """Rows: the label; columns: what it was taken for."""
    counted = Counter(map(pair, routed))
    rows = list(dict.fromkeys(wanted for wanted, _ in map(pair, routed)))
    columns = [*rows, *sorted({taken for _, taken in counted} - set(rows))]
    width = max(map(len, columns)) + 1
    head = f"{title + ': labelled, taken for':{_WIDTH}}" + "".join(f"{c:>{width}}" for c in columns)
    body = [
        f"{row:{_WIDTH}}" + "".join(f"{counted[row, column] or '.':>{width}}" for column in columns)
        for row in rows
    ]
    return "\n".join([head, *body])
