"""Scores of labelled utterances: accuracy by label, and the confusion matrix."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bench.routing.utterances import Utterance

_WIDTH = 25
_COLUMN = 10


@dataclass(frozen=True, slots=True)
class Routed:
    """An utterance and what it was taken for; `failed` when the model gave no usable plan."""

    utterance: Utterance
    intent: str
    plan: str
    query: str
    by_model: bool
    web: str = "never"
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
    def web_fits(self) -> bool:
        """Whether the web is searched as it should be."""
        return self.web in self.utterance.web_uses

    @property
    def fits(self) -> bool:
        """Whether intent and plan are right."""
        return self.intent_fits and self.plan_fits

    @property
    def query_fits(self) -> bool:
        """Whether the query names all that the message leans on."""
        query = self.query.casefold()
        return all(name.casefold() in query for name in self.utterance.query_names)


def report(routed: Sequence[Routed]) -> str:
    """The figures as text: by language, then accuracy for intent and plan, and their matrices."""
    leaning = [one for one in routed if one.utterance.query_names]
    asked = [one for one in routed if one.by_model]
    return "\n\n".join(
        [
            by_language(routed),
            _accuracies("intent", routed, lambda one: one.utterance.intents[0], _intent_fits),
            _matrix("intent", routed, lambda one: (one.utterance.intents[0], one.intent)),
            _accuracies("plan", routed, lambda one: one.utterance.plans[0], _plan_fits),
            _matrix("plan", routed, lambda one: (one.utterance.plans[0], one.plan)),
            f"queries that name their subject: {_share(one.query_fits for one in leaning)}",
            ", ".join(
                [
                    f"model asked: {len(asked)}",
                    f"needed no model: {len(routed) - len(asked)}",
                    f"without a usable plan: {sum(one.failed for one in asked)}",
                    f"tokens used: {sum(one.tokens for one in asked)}",
                ]
            ),
        ]
    )


def by_language(routed: Sequence[Routed]) -> str:
    """A line for each language and one for all: the share of right intents, plans, uses of the web.

    `both` is intent and plan; `held back` is the same, of the utterances that are.
    """
    languages = dict.fromkeys(one.utterance.language for one in routed)
    groups = {name: [o for o in routed if o.utterance.language == name] for name in languages}
    columns = ("of", "intent", "plan", "web", "both", "held back")
    head = f"{'language':{_WIDTH}}" + "".join(f"{name:>{_COLUMN}}" for name in columns)
    rows = [
        f"{name:{_WIDTH}}" + "".join(f"{cell:>{_COLUMN}}" for cell in _cells(group))
        for name, group in [*groups.items(), ("overall", routed)]
    ]
    return "\n".join([head, *rows])


def _cells(group: Sequence[Routed]) -> list[str]:
    held_back = [one for one in group if one.utterance.held_back]
    shares = [
        f"{share_of(fits, group):.0%}" for fits in (_intent_fits, _plan_fits, _web_fits, _both_fit)
    ]
    return [str(len(group)), *shares, f"{share_of(_both_fit, held_back):.0%}" if held_back else "-"]


def share_of(fits: Callable[[Routed], bool], routed: Sequence[Routed]) -> float:
    """The share of those that fit, 0..1."""
    return sum(map(fits, routed)) / max(1, len(routed))


def misses(routed: Iterable[Routed]) -> str:
    """A line for each utterance whose intent, plan, use of the web or query does not fit."""
    wrong = [one for one in routed if not (one.fits and one.web_fits and one.query_fits)]
    return "\n".join(
        f"{one.utterance.language} {one.utterance.text!r}: "
        f"{one.intent}, {one.plan}, {one.web}, {one.query!r}; wanted {_wanted(one.utterance)}"
        + "".join(f", “{name}”" for name in one.utterance.query_names)
        for one in wrong
    )


def _wanted(utterance: Utterance) -> str:
    labels = (utterance.intents, utterance.plans, utterance.web_uses)
    return ", ".join("|".join(label) for label in labels)


def _intent_fits(one: Routed) -> bool:
    return one.intent_fits


def _plan_fits(one: Routed) -> bool:
    return one.plan_fits


def _web_fits(one: Routed) -> bool:
    return one.web_fits


def _both_fit(one: Routed) -> bool:
    return one.fits


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
