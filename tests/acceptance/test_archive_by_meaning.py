"""Earlier turns are found by meaning too, and /why names what an answer was given from."""

import pytest

from tests.acceptance.test_commands import command
from tests.acceptance.test_long_conversation import prompts
from tests.acceptance.world import World, wait_until

THINGS = (
    *("kettle", "ladder", "passport", "hammer", "blanket", "compass", "lantern", "violin"),
    *("saddle", "thermos", "scissors", "mirror", "bucket", "tripod", "sledge", "hammock"),
    *("candle", "rucksack", "telescope", "typewriter", "umbrella", "chessboard", "trumpet"),
    *("wheelbarrow", "microscope"),
)
STORE = """
INSERT INTO turn_archive (user_id, thread_id, request_id, question, answer, asked_at)
VALUES (%s, %s, %s, %s, 'Noted.', now() - make_interval(days => %s)) RETURNING id
"""


def told_of_things(world: World, user: int) -> None:
    """Archive what an older version stored: no words are kept by which a search would find it."""
    for number, thing in enumerate(THINGS):
        said = f"I keep my {thing} where the {thing} was when we moved in."
        world.rows(STORE, user, f"tg:{user}", f"tg:old{number}", said, number + 1)


def embedded(world: World, user: int) -> int:
    """Count the archived turns of the user that have a vector."""
    counted = "SELECT count(embedding) AS number FROM turn_archive WHERE user_id = %s"
    (row,) = world.rows(counted, user)
    return int(row["number"])


@pytest.mark.req("MEM-6")
def test_earlier_turn_is_found_by_meaning_and_named_by_why(world: World, user: int) -> None:
    """The first question about the past gives the turns vectors; the next is answered by them."""
    told_of_things(world, user)
    world.ask(user, "Did I tell you about my umbrella?")
    wait_until(lambda: embedded(world, user) >= len(THINGS) or None, "the turns have vectors", 30)
    learned = "SELECT learned FROM archive_languages"
    (row,) = wait_until(lambda: world.rows(learned) or None, "the model was judged", 30)
    assert "english" in {one["name"] for one in row["learned"]}
    before = world.sandbox.mark()
    world.ask(user, "Did I tell you about my umbrella?")
    (asked,) = prompts(world, before, "<past_turn date=")
    assert "<asked>I keep my umbrella where the umbrella was when we moved in.</asked>" in asked
    why = command(world, user, "/why")["text"]
    assert "From earlier in our conversation:" in why
    assert "“I keep my umbrella where the umbrella was when we moved in.”" in why
    world.rows("DELETE FROM turn_archive WHERE user_id = %s RETURNING 1", user)
    assert "umbrella was" not in command(world, user, "/why")["text"]


@pytest.mark.req("MEM-6")
def test_embedding_model_that_fails_leaves_the_words(world: World, user: int) -> None:
    """The turn is answered from the archive all the same, and its vectors come later."""
    world.ask(user, "Where is my Zanzibar umbrella?")
    world.ask(user, "/new")
    world.ask(user, "hi")
    world.sandbox.fail("openai", "500", method="embeddings", times=50)
    before = world.sandbox.mark()
    world.ask(user, "Did I tell you about my umbrella?")
    assert len(prompts(world, before, "<asked>Where is my Zanzibar umbrella?</asked>")) == 1
    assert embedded(world, user) == 0
    world.sandbox.recover()
    world.ask(user, "Did I tell you about my umbrella?")
    wait_until(lambda: embedded(world, user) or None, "the turn has a vector", 30)


def test_why_names_memories_as_long_as_they_are_kept(world: World, user: int) -> None:
    """The nearest to the question; what was deleted since is not named again."""
    world.ask(user, "My name is Ada.")
    world.ask(user, "What is my name?")
    assert "• Name is Ada" in command(world, user, "/why")["text"]
    emptied = "UPDATE store SET value = '{}' WHERE prefix = %s AND key = 'facts' RETURNING 1"
    assert world.rows(emptied, f"users.{user}")
    assert "Ada" not in command(world, user, "/why")["text"]
