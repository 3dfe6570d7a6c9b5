"""The likeliest plan of a message, by the plans of earlier turns with the same evidence."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from rich_agent.domain.routing.plan import ABOUT_BOT, GENERAL, Plan

_LEAST = 0.5
"""The least share of turns with the same outcome for a guess."""
_KEPT = 64
"""The number of turns after which all counts are halved, so that changes show soon."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts about a message before it is planned."""

    of: Literal["nothing", "bot", "documents"]
    """The subject of the documents that fit its words: none, the bot itself, or their own."""
    is_first: bool
    """Whether the conversation has no message before it."""


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """The plan and intent of a turn, searched for the user's own words."""

    plan: Plan
    intent: str


OTHER = PlanOutcome("web", GENERAL)
"""Every outcome without preparation: other words or language, the web, a question to the user."""


@dataclass(slots=True)
class PlanOdds:
    """The outcomes of this process's turns by their evidence, starting with the usual ones.

    `is_used` if answers begin by its guesses. `subject` is the intent of questions on the
    documents.
    """

    is_used: bool = False
    subject: str = GENERAL
    _outcomes: dict[Evidence, Counter[PlanOutcome]] = field(default_factory=dict)

    def turn_to(self, subject: str) -> None:
        """Guess this intent for questions on the documents; the counts begin again if it is new."""
        if subject != self.subject:
            self.subject = subject
            self._outcomes.clear()

    def likeliest(self, evidence: Evidence) -> PlanOutcome | None:
        """The outcome of at least half of the turns with this evidence, None without one."""
        outcomes = self._of(evidence)
        [(outcome, turn_count)] = outcomes.most_common(1)
        return outcome if outcome != OTHER and turn_count >= _LEAST * outcomes.total() else None

    def learn(self, evidence: Evidence, outcome: PlanOutcome) -> None:
        """Count the outcome of a turn."""
        outcomes = self._of(evidence)
        outcomes[outcome] += 1
        if outcomes.total() > _KEPT:
            self._outcomes[evidence] = Counter(
                {
                    counted_outcome: turn_count // 2
                    for counted_outcome, turn_count in outcomes.items()
                }
            )

    def _of(self, evidence: Evidence) -> Counter[PlanOutcome]:
        """The counted outcomes for this evidence."""
        usual_outcomes = {
            "nothing": PlanOutcome("direct", GENERAL),
            "bot": PlanOutcome("rag", ABOUT_BOT),
            "documents": PlanOutcome("rag", self.subject),
        }
        return self._outcomes.setdefault(evidence, Counter({usual_outcomes[evidence.of]: 2}))
