"""Guided sessions from their first message to their last."""

import pytest

from rich_agent.phrases import say
from tests.acceptance.scripting import calling
from tests.acceptance.test_acting import decide
from tests.acceptance.world import World


@pytest.mark.feature("agenda")
@pytest.mark.costs("a session is led to its end")
def test_session_is_led_to_its_end(world: World, user: int) -> None:
    """Plain messages belong to it, blocks are written under one approval, and it ends."""
    blocks = [
        calling(
            "create_schedule_block",
            date="2099-01-05",
            start_time=at,
            duration_minutes=60,
            title=title,
        )
        for at, title in (("09:00", "Research"), ("10:15", "Letters"))
    ]
    world.sandbox.script(f"session of {user}", calling("get_tasks"), "How long is the research?")
    opened = world.ask(user, f"/plan session of {user}")
    assert "How long is the research?" in opened["text"]
    world.sandbox.script(f"an hour, {user}", "Research at nine, letters at a quarter past ten?")
    world.ask(user, f"an hour, {user}")
    world.sandbox.script(f"agreed, {user}", {"calls": blocks}, calling("complete_ceremony"), "Go!")
    card = world.ask(user, f"agreed, {user}")
    assert [line for line in card["text"].split("\n") if line] == [
        say("en", "approve-calls"),
        "■ Add to your schedule: Research · Mon, 5 Jan 2099, 9:00–10:00",
        "■ Add to your schedule: Letters · Mon, 5 Jan 2099, 10:15–11:15",
    ]
    planned = "SELECT count(*) AS n FROM schedule_blocks WHERE user_id = %s"
    assert world.rows(planned, user) == [{"n": 0}]
    decide(world, user, card, "Approve")
    assert world.rows(planned, user) == [{"n": 2}]
    ended = world.sandbox.replies(user)[-2]  # above the picture of the day
    assert "Daily planning completed" in ended["text"]
    assert world.ask(user, "/cancel")["text"] == "No session is open."


def test_session_takes_fifty_messages(world: World, user: int) -> None:
    """The next one is refused without a model; another session waits until this one is over."""
    world.ask(user, f"/brainstorm names for boat {user}")
    world.rows(
        "UPDATE guided_sessions SET requests = array(SELECT 'tg:' || n "
        "FROM generate_series(1, 50) AS n) WHERE user_id = %s RETURNING id",
        user,
    )
    assert "A session is open: Brainstorming" in world.ask(user, "/plan")["text"]
    since = world.sandbox.mark()
    assert "50 messages" in world.ask(user, "Argo, perhaps")["text"]
    calls = world.sandbox.calls("openai", since)
    # What the message before taught may be read meanwhile; nothing is written to the user.
    assert [call for call in calls if call["body"].get("stream")] == []
    assert "Brainstorming is cancelled" in world.ask(user, "/cancel")["text"]
