"""A model that is stopped, and one that fails, seen from the user and from the model's server."""

from typing import Any

import pytest

from tests.acceptance.world import World, wait_until

QUESTION = "How is funding paid on perpetual futures?"
STREAM = '"stream":true'  # as the body of such a call says it


def streams(world: World, since: int) -> list[dict[str, Any]]:
    """The calls for an answer (the others do not stream)."""
    calls = world.sandbox.calls("openai", since)
    return [call for call in calls if call["body"].get("stream")]


def test_stop_button_ends_the_models_stream(world: World, user: int) -> None:
    """The server sees the caller leave; what was said is kept, marked, without the button."""
    sandbox = world.sandbox
    before = sandbox.mark()
    sandbox.fail("openai", "slow", containing=STREAM, delay_s=30.0)
    sent = sandbox.say(user, QUESTION)

    def growing() -> dict[str, Any] | None:
        replies = sandbox.replies(user, sent.message_id)
        shows_text = bool(replies) and len(replies[-1]["text"]) > 30
        return replies[-1] if shows_text and replies[-1]["text"].endswith("…") else None

    message = wait_until(growing, "the answer grows")
    ((button,),) = message["buttons"]
    sandbox.http.post(
        f"{sandbox.url}/sim/chats/{user}/press",
        json={"message_id": message["message_id"], "callback_data": button["callback_data"]},
    )
    answer = world.answer(user, sent)
    (call,) = streams(world, before)
    assert call["status"] == 499, "the caller left before the end"
    assert call["ended_at"] - call["started_at"] < 30.0
    assert answer["message_id"] == message["message_id"]
    assert "(stopped)" in answer["text"]
    assert answer["text"].startswith(message["text"].removesuffix(" …").rstrip()[:40])
    pressable = [button["callback_data"] for row in answer["buttons"] for button in row]
    assert not any(data.startswith("stop") for data in pressable)
    (stored,) = world.rows(
        "SELECT content FROM messages WHERE request_id = %s AND role = 'assistant'",
        f"tg:{sent.update_id}",
    )
    assert stored["content"].endswith("_(stopped)_")


@pytest.mark.costs("the bot tries again after failures")
@pytest.mark.parametrize(("kind", "tries"), [("500", 3), ("truncated", 2)])
def test_failing_model_is_asked_a_few_times_and_apologised_for_once(
    world: World, user: int, kind: str, tries: int
) -> None:
    """One message in the end, and nothing of a half answer is stored."""
    sandbox = world.sandbox
    before = sandbox.mark()
    question = f"{QUESTION} And {kind}?"
    # Not the planner, which is asked first: one that fails is waited for.
    aim = [question, STREAM]
    sandbox.fail("openai", kind, method="chat.completions", times=20, containing=aim)
    sent = sandbox.say(user, question)

    def sorry() -> bool:
        texts = [reply["text"] for reply in sandbox.replies(user, sent.message_id)]
        return len(texts) == 1 and texts[0].startswith("Sorry")

    wait_until(sorry, "one apology")
    assert len(streams(world, before)) == tries
    request_id = f"tg:{sent.update_id}"
    assert world.rows("SELECT 1 FROM messages WHERE request_id = %s", request_id) == []


@pytest.mark.req("DUR-1")
def test_promise_that_a_dead_process_left_behind_is_taken_back(world: World, user: int) -> None:
    """The running bot finds a message that still says "Searching…" though its turn is over."""
    sent = world.sandbox.say(user, "What is proof of history?")
    world.answer(user, sent)
    world.rows(
        "UPDATE telegram_outbox SET text = '', state = 'sent' WHERE update_id = %s RETURNING 1",
        sent.update_id,
    )
    world.rows(
        "UPDATE telegram_inbox SET done_at = now() - interval '1 h' WHERE update_id = %s "
        "RETURNING 1",
        sent.update_id,
    )
    wait_until(
        lambda: world.sandbox.replies(user, sent.message_id)[-1]["text"].startswith("Sorry"),
        "it says that there is no answer",
    )
