"""Cards are answered in words, and none ends silently."""

import pytest

from rich_agent.phrases import say
from tests.acceptance.test_acting import asked, settled, titles, two_tasks
from tests.acceptance.test_commands import labels, press, shown
from tests.acceptance.world import World


@pytest.mark.feature("agenda")
@pytest.mark.req("ACT-2")
@pytest.mark.parametrize("words", ["yes", "Approve", "はい"])
def test_card_is_approved_in_words(world: World, user: int, words: str) -> None:
    """As by its button; the card says so and has none any more."""
    card = asked(world, user, two_tasks(), "Both are on your list.")
    world.ask(user, words)
    assert titles(world, user) == ["Bread", "Salt"]
    decided = shown(world.sandbox.chat(user), card["message_id"])
    assert decided["text"].endswith("✓ Approve")
    assert labels(decided) == []


@pytest.mark.feature("agenda")
@pytest.mark.req("ACT-2")
@pytest.mark.parametrize("words", ["thanks", "/status"])
def test_card_that_is_passed_over_says_that_it_was_not_done(
    world: World, user: int, words: str
) -> None:
    """By another message, or by a command: nothing dies silently."""
    card = asked(world, user, two_tasks(), "As you like.")
    world.ask(user, words)
    settled(world, user)
    assert titles(world, user) == []
    ended = shown(world.sandbox.chat(user), card["message_id"])
    assert ended["text"].endswith("✗ Not done.")
    assert labels(ended) == []
    assert "■" in ended["text"]


def test_open_session_is_left_by_the_button_below_the_refusal(world: World, user: int) -> None:
    """A second /plan says that one is open, and has the button that each of its steps has."""
    world.ask(user, "/plan")
    refusal = world.ask(user, "/plan")
    assert labels(refusal) == [say("en", "tool-complete_ceremony")]
    press(world, user, refusal, labels(refusal)[0])
    assert "is cancelled" in settled(world, user)["text"]
