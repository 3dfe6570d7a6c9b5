"""Progress that the user sees while the graph runs."""

from itertools import pairwise

import pytest

from tests.acceptance.world import World


@pytest.mark.req("TG-4", "UX-1")
def test_long_turn_shows_typing_status_and_growing_text(world: World, user: int) -> None:
    """A run of about 12 s: typing first and again, statuses, growing texts, the whole last."""
    sandbox = world.sandbox
    world.ask(user, "hi")
    before = sandbox.mark()
    for delay_s in (6.0, 4.0):  # the planner, the answer
        sandbox.fail("openai", "slow", method="chat.completions", delay_s=delay_s)
    # Not ready when the plan is: the search takes long enough to be seen.
    sandbox.fail("openai", "500", method="embeddings")
    sandbox.fail("openai", "timeout", method="embeddings", delay_s=2.0)
    answer = world.ask(user, "How is funding paid on perpetual futures?")
    calls = [c for c in sandbox.calls("telegram", before) if c["body"].get("chat_id") == user]
    methods = [c["method"] for c in calls]
    assert methods[0] == "sendChatAction"
    assert methods[: methods.index("sendMessage")].count("sendChatAction") >= 2
    texts = [c["body"]["text"] for c in calls if c["method"] in {"sendMessage", "editMessageText"}]
    assert "Searching…" in texts
    assert "Drafting…" in texts
    assert texts.index("Searching…") < texts.index("Drafting…")
    growing = texts[texts.index("Drafting…") + 1 : -1]
    assert len(growing) >= 2
    assert all(len(a) < len(b) for a, b in pairwise(growing))
    assert answer["text"] == texts[-1]
    assert "Sources" in answer["text"]
    assert methods.count("sendMessage") == 1


def test_second_message_is_queued_and_answered_after_the_first(world: World, user: int) -> None:
    """Two quick messages: in order, one answer each."""
    world.sandbox.fail("openai", "slow", method="chat.completions", delay_s=1.0, times=2)
    first = world.sandbox.say(user, "What is impermanent loss?")
    second = world.sandbox.say(user, "What is a validator?")
    world.answer(user, second)
    assert world.is_done(first)
    assert [d["request_id"] for d in world.decisions(user)] == [
        f"tg:{first.update_id}",
        f"tg:{second.update_id}",
    ]
