"""The likeliest plan of a message, from what the plans of others came to on the same evidence."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from rich_agent.domain.routing.plan import ABOUT_BOT, GENERAL, Plan

_LEAST = 0.5
"""The share of like turns that have to come to the same, before it is counted on."""
_KEPT = 64
"""After so many turns all count half as much, so that what changes is soon followed."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The facts of a message before it is planned.

    `of` is what the documents say on its words: nothing, something on the bot itself, or on their
    subject. `is_first`: no message of the conversation comes before it.
    """

    of: Literal["nothing", "bot", "documents"]
    is_first: bool


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """The plan that a turn came to, for the words as they were said."""

    plan: Plan
    intent: str


OTHER = PlanOutcome("web", GENERAL)
"""Every plan that cannot be prepared for: other words or another language, the web, a question."""


@dataclass(slots=True)
class PlanOdds:
    """The outcomes of this process's turns by their evidence; at first what is usual.

    `is_used`: answers are begun by its guesses. `subject` is the intent of questions on what the
    documents are about.
    """

    is_used: bool = False
    subject: str = GENERAL
    _outcomes: dict[Evidence, Counter[PlanOutcome]] = field(default_factory=dict)

    def likeliest(self, evidence: Evidence) -> PlanOutcome | None:
        """The outcome of at least half of the turns with this evidence, None without one."""
        outcomes = self._of(evidence)
        [(outcome, times)] = outcomes.most_common(1)
        return outcome if outcome != OTHER and times >= _LEAST * outcomes.total() else None

    def learn(self, evidence: Evidence, outcome: PlanOutcome) -> None:
        """Count the outcome of a turn."""
        outcomes = self._of(evidence)
        outcomes[outcome] += 1
        if outcomes.total() > _KEPT:
            self._outcomes[evidence] = Counter({one: times // 2 for one, times in outcomes.items()})

    def _of(self, evidence: Evidence) -> Counter[PlanOutcome]:
        usual = {
            "nothing": PlanOutcome("direct", GENERAL),
            "bot": PlanOutcome("rag", ABOUT_BOT),
            "documents": PlanOutcome("rag", self.subject),
        }
        return self._outcomes.setdefault(evidence, Counter({usual[evidence.of]: 2}))
