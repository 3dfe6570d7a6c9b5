"""Plans of turns, guessed from those before."""

from rich_agent.domain.routing.plan import ABOUT_BOT, GENERAL
from rich_agent.domain.routing.plan_odds import OTHER, Evidence, PlanOdds, PlanOutcome

ON_SUBJECT = Evidence("documents", is_first=True)
ON_NOTHING = Evidence("nothing", is_first=True)
DIRECT, FROM_DOCUMENTS = PlanOutcome("direct", GENERAL), PlanOutcome("rag", GENERAL)


def test_first_guess_is_what_is_usual() -> None:
    """Documents that say something are read, and where none does the model knows."""
    plan_odds = PlanOdds()
    assert plan_odds.likeliest(ON_SUBJECT) == FROM_DOCUMENTS
    assert plan_odds.likeliest(Evidence("bot", is_first=False)) == PlanOutcome("rag", ABOUT_BOT)
    assert plan_odds.likeliest(ON_NOTHING) == DIRECT


def test_nothing_is_guessed_where_turns_come_to_anything() -> None:
    """Less than half of them is too few; other evidence is not touched by it."""
    plan_odds = PlanOdds()
    for _ in range(3):
        plan_odds.learn(ON_NOTHING, OTHER)
    assert plan_odds.likeliest(ON_NOTHING) is None
    assert plan_odds.likeliest(ON_SUBJECT) == FROM_DOCUMENTS


def test_guess_follows_what_turns_come_to() -> None:
    """Also after a long time in which they came to something else."""
    plan_odds = PlanOdds()
    for _ in range(1_000):
        plan_odds.learn(ON_NOTHING, FROM_DOCUMENTS)
    assert plan_odds.likeliest(ON_NOTHING) == FROM_DOCUMENTS
    for _ in range(65):
        plan_odds.learn(ON_NOTHING, DIRECT)
    assert plan_odds.likeliest(ON_NOTHING) == DIRECT
