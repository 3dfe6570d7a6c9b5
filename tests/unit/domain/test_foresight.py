"""Plans of turns, guessed from those before."""

from rich_agent.domain.routing.foresight import OTHER, Evidence, Foreseen, Foresight
from rich_agent.domain.routing.plan import ABOUT_BOT, GENERAL

ON_SUBJECT = Evidence("documents", is_first=True)
ON_NOTHING = Evidence("nothing", is_first=True)
DIRECT, FROM_DOCUMENTS = Foreseen("direct", GENERAL), Foreseen("rag", GENERAL)


def test_first_guess_is_what_is_usual() -> None:
    """Documents that say something are read, and where none does the model knows."""
    foresight = Foresight()
    assert foresight.likeliest(ON_SUBJECT) == FROM_DOCUMENTS
    assert foresight.likeliest(Evidence("bot", is_first=False)) == Foreseen("rag", ABOUT_BOT)
    assert foresight.likeliest(ON_NOTHING) == DIRECT


def test_nothing_is_guessed_where_turns_come_to_anything() -> None:
    """Less than half of them is too few; other evidence is not touched by it."""
    foresight = Foresight()
    for _ in range(3):
        foresight.learn(ON_NOTHING, OTHER)
    assert foresight.likeliest(ON_NOTHING) is None
    assert foresight.likeliest(ON_SUBJECT) == FROM_DOCUMENTS


def test_guess_follows_what_turns_come_to() -> None:
    """Also after a long time in which they came to something else."""
    foresight = Foresight()
    for _ in range(1_000):
        foresight.learn(ON_NOTHING, FROM_DOCUMENTS)
    assert foresight.likeliest(ON_NOTHING) == FROM_DOCUMENTS
    for _ in range(65):
        foresight.learn(ON_NOTHING, DIRECT)
    assert foresight.likeliest(ON_NOTHING) == DIRECT
