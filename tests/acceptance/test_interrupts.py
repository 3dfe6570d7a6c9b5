"""The bot asks back and waits: what the user sees, over HTTP and PostgreSQL."""

from typing import Any

import psycopg
import pytest

from tests.acceptance.pictures import picture
from tests.acceptance.session import Session, data_of
from tests.acceptance.world import Sent, World, command, wait_until

_PENDING = """
SELECT 1 FROM checkpoint_writes WHERE thread_id = %s AND channel = '__interrupt__'
    AND checkpoint_id = (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = %s)
"""
UNCLEAR = "what are the fees for that?"


def is_pending(world: World, user: int) -> bool:
    """Whether an interrupt waits in the user's thread."""
    return bool(world.rows(_PENDING, f"tg:{user}", f"tg:{user}"))


def looks(world: World, since: int) -> int:
    """The number of calls of the vision model."""
    calls = world.sandbox.calls("openai", since)
    return sum("image_url" in str(call["body"]) for call in calls)


def press(world: World, user: int, message_id: int, data: str) -> str:
    """The user presses; the notice that they are shown once the press is handled."""
    body = {"message_id": message_id, "callback_data": data}
    http, url = world.sandbox.http, world.sandbox.url
    before = world.sandbox.mark()
    answer = http.post(f"{url}/sim/chats/{user}/press", json=body)
    assert answer.status_code == 200, answer.text
    pressed = Sent(0, answer.json()["update_id"])
    wait_until(lambda: world.is_done(pressed) or None, f"{data} is handled")
    calls = world.sandbox.calls("telegram", before)
    answers = [call["body"] for call in calls if call["method"] == "answerCallbackQuery"]
    # An earlier press, of whatever user, may be answered meanwhile.
    query = str(answer.json()["callback_query_id"])
    (told,) = (body for body in answers if str(body["callback_query_id"]) == query)
    return str(told.get("text", ""))


def asked_about_photo(world: World, user: int, text: str | None = "?") -> dict[str, Any]:
    """The question that follows a photo without one."""
    return world.ask(user, text, photo=picture("teal", "orange", seed=user))


@pytest.mark.req("INT-1", "REL-2")
def test_photo_with_a_question_mark_is_asked_about_and_the_answer_resumes(
    world: World, user: int
) -> None:
    """An interrupt is pending; the next message resumes it, and nobody looks again."""
    before = world.sandbox.mark()
    asked = asked_about_photo(world, user)
    assert "What would you like to know" in asked["text"]
    assert "teal" in asked["text"].lower()
    assert data_of(asked)
    assert is_pending(world, user)
    assert looks(world, before) == 1
    answer = world.ask(user, "what is in this picture?")
    assert not is_pending(world, user)
    assert "teal" in answer["text"].lower()
    assert looks(world, before) == 1
    question = next(
        m for m in world.sandbox.replies(user) if m["message_id"] == asked["message_id"]
    )
    assert data_of(question) == []
    (decision,) = world.decisions(user)
    assert {"N3_vision_summarize", "N10_take_answer", "N7_persist"} <= set(decision["latency_ms"])


@pytest.mark.req("INT-1", "REL-2")
def test_button_answers_and_foreign_and_second_presses_change_nothing(
    world: World, user: int
) -> None:
    """The choice stands in the question; each press but the first is told that it is too late."""
    asked = asked_about_photo(world, user, None)
    data = data_of(asked)
    other = user + 50_000
    theirs = asked_about_photo(world, other)
    assert "no longer works" in press(world, other, theirs["message_id"], data[0])
    assert is_pending(world, user)
    assert is_pending(world, other)
    assert press(world, user, asked["message_id"], data[0]) == ""
    question, answer = world.sandbox.replies(user)
    assert "✓ Describe the picture" in question["text"]
    assert data_of(question) == []
    assert "teal" in answer["text"].lower()
    before = world.sandbox.mark()
    assert "no longer works" in press(world, user, asked["message_id"], data[0])
    assert len(world.sandbox.replies(user)) == 2
    assert world.sandbox.calls("openai", before) == []


@pytest.mark.req("INT-1")
def test_unclear_subject_is_asked_for_with_choices(world: World, user: int) -> None:
    """One question back; a press completes the question, which is then answered with sources."""
    session = Session(world, user)
    asked = session.say(UNCLEAR)
    assert is_pending(world, user)
    chosen = next(data for data in data_of(asked))
    assert press(world, user, asked["message_id"], chosen) == ""
    assert not is_pending(world, user)
    assert len(world.sandbox.replies(user)) == 2
    assert len(world.decisions(user)) == 1


@pytest.mark.req("INT-1")
@pytest.mark.parametrize("by_button", [True, False])
def test_question_back_in_spanish_is_answered(world: World, user: int, *, by_button: bool) -> None:
    """Asked in Spanish; a press or free text completes what was said first."""
    asked = world.ask(user, "¿Cuánto cuesta eso?")
    assert asked["text"].startswith("¿A qué te refieres")
    assert is_pending(world, user)
    if by_button:
        assert press(world, user, asked["message_id"], data_of(asked)[0]) == ""
    else:
        world.ask(user, "la delegación de staking en Solana")
    assert not is_pending(world, user)
    (decision,) = world.decisions(user)
    assert "N10_take_answer" in decision["latency_ms"]
    assert decision["query"].startswith("¿Cuánto cuesta eso?")
    assert len(world.sandbox.replies(user)) == 2


@pytest.mark.req("INT-1")
def test_photo_without_a_question_in_a_conversation_is_asked_about(world: World, user: int) -> None:
    """The planner says that nothing before tells what it is for; what is seen is named."""
    world.ask(user, "What is a validator?")
    world.sandbox.pause(user)
    asked = asked_about_photo(world, user, None)
    assert "teal" in asked["text"].lower()
    assert data_of(asked)
    assert is_pending(world, user)


@pytest.mark.req("INT-1")
def test_another_request_ends_the_question_and_is_answered(world: World, user: int) -> None:
    """The old question is in the conversation; its buttons are gone and no longer work."""
    asked = asked_about_photo(world, user)
    answer = world.ask(user, "How does proof of history order transactions on Solana?")
    assert "Sources" in answer["text"]
    assert not is_pending(world, user)
    assert len(world.decisions(user)) == 2
    assert data_of(world.sandbox.replies(user)[0]) == []
    notice = press(world, user, asked["message_id"], data_of(asked)[0])
    assert "no longer works" in notice
    assert "you do not have to answer" not in world.ask(user, "/stop")["text"]


@pytest.mark.req("INT-1")
def test_command_ends_the_question(world: World, user: int) -> None:
    """The next message is a question of its own, and the buttons are gone."""
    asked_about_photo(world, user)
    assert "you do not have to answer" in world.ask(user, "/stop")["text"]
    assert data_of(world.sandbox.replies(user)[0]) == []
    before = world.sandbox.mark()
    assert "Sources" in world.ask(user, "What is a validator?")["text"]
    assert looks(world, before) == 0
    assert len(world.decisions(user)) == 2


@pytest.mark.req("INT-1")
def test_question_expires_without_blocking(world: World, user: int) -> None:
    """A day later the next message is a turn of its own, and the buttons say so."""
    asked = asked_about_photo(world, user)
    with psycopg.connect(world.database_url) as connection:
        connection.execute(
            "UPDATE clarifications SET asked_at = asked_at - interval '25 hours' "
            "WHERE thread_id = %s",
            (f"tg:{user}",),
        )
    assert "no longer works" in press(world, user, asked["message_id"], data_of(asked)[0])
    assert "Sources" in world.ask(user, "What is a validator?")["text"]
    assert len(world.decisions(user)) == 2


@pytest.mark.req("INT-1")
def test_edited_question_takes_the_place_of_the_question_back(world: World, user: int) -> None:
    """The message that asked becomes the answer."""
    sent = world.sandbox.say(user, "?", photo=picture("teal", "orange", seed=user))
    asked = world.answer(user, sent)
    edited = world.sandbox.say(user, "what is in this picture?", edit_message_id=sent.message_id)
    wait_until(lambda: world.is_done(edited) or None, "the edit is answered")
    (answer,) = world.sandbox.replies(user)
    assert answer["message_id"] == asked["message_id"]
    assert "What would you like" not in answer["text"]
    assert not is_pending(world, user)


@pytest.mark.req("INT-1")
def test_forget_removes_what_was_asked(world: World, user: int) -> None:
    """No row of it stays."""
    asked_about_photo(world, user)
    reply = world.ask(user, "/forget")
    confirm = next(data for data in data_of(reply) if data.startswith("forget1"))
    body = {"message_id": reply["message_id"], "callback_data": confirm}
    world.sandbox.http.post(f"{world.sandbox.url}/sim/chats/{user}/press", json=body)
    wait_until(
        lambda: "deleted" in world.sandbox.replies(user)[-1]["text"] or None, "all is forgotten"
    )
    assert world.rows("SELECT 1 FROM clarifications WHERE thread_id = %s", f"tg:{user}") == []
    assert not is_pending(world, user)


@pytest.mark.req("INT-1", "REL-2")
def test_terminal_shows_the_interrupt_and_goes_on_with_the_answer(world: World, user: int) -> None:
    """`ask --json` has the question in `interrupt`; the next `ask` answers it."""
    settings = world.environment
    who = ["--user", str(user), "--json"]
    first = command(["rich_agent.cli", "ask", UNCLEAR, *who], settings).stdout
    assert '"kind": "question"' in first
    second = command(["rich_agent.cli", "ask", "DeFi", *who], settings).stdout
    assert '"interrupt": null' in second
    assert "N10_take_answer" in second
