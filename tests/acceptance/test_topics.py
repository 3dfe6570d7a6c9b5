"""Topics of a private chat: answers stay in them; by setting, each is a conversation."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.acceptance.test_interrupts import press
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer

HOME, TRIP = 7, 9
Message = dict[str, Any]


@pytest.fixture(scope="module")
def apart(database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """A bot that keeps topics apart."""
    with running_sandbox() as sandbox, database_server.database(with_samples) as url:
        settings = environment(sandbox.url, url, CONVERSATION_PER_TOPIC="true")
        made = World(sandbox, settings, url)
        with running_bot(made.environment):
            yield made
            made.await_idle()


def ask_in(world: World, topic: int, text: str, user: int) -> Message:
    """The answer to a question in a topic, which is in that topic too."""
    answer = world.ask(user, text, message_thread_id=topic)
    assert answer["message_thread_id"] == topic
    return answer


def prompts_since(world: World, mark: int) -> str:
    """The prompts that the models were sent since then."""
    return json.dumps(world.sandbox.calls("openai", mark), ensure_ascii=False)


def states_of(world: World, user: int) -> set[str]:
    """The threads of a user that have a state."""
    found = world.rows(
        "SELECT DISTINCT thread_id FROM checkpoints WHERE starts_with(thread_id, %s)", f"tg:{user}"
    )
    return {row["thread_id"] for row in found}


@pytest.mark.feature("reminder")
def test_reminder_comes_in_the_topic_in_which_it_was_set(world: World, user: int) -> None:
    """The turn that sets it runs for an update of that topic, which is stored with it."""
    ask_in(world, HOME, "Remind me in 20 minutes to water the ficus", user)
    with psycopg.connect(world.database_url, autocommit=True) as connection:
        connection.execute(
            "UPDATE schedules SET next_at = clock_timestamp(), "
            "local_next = clock_timestamp() AT TIME ZONE tz WHERE user_id = %s",
            (user,),
        )

    def came() -> Message | None:
        return next((m for m in world.sandbox.replies(user) if "⏰" in m["text"]), None)

    assert wait_until(came, "the reminder comes")["message_thread_id"] == HOME


@pytest.mark.costs("it talks in several topics")
def test_topics_share_one_conversation_by_default(world: World, user: int) -> None:
    """A fact said in one is known in the other."""
    ask_in(world, HOME, "My boat is called Skidbladnir.", user)
    world.await_idle()
    mark = world.sandbox.mark()
    ask_in(world, TRIP, "What is proof of history?", user)
    assert "Skidbladnir" in prompts_since(world, mark)
    assert states_of(world, user) == {f"tg:{user}"}


@pytest.mark.costs("it talks in several topics")
def test_topics_are_conversations_of_their_own_by_setting(apart: World) -> None:
    """History and /why are those of the topic; a button and /retry find its answer."""
    user = 31_001
    ask_in(apart, HOME, "What is proof of history, dear Skidbladnir?", user)
    apart.await_idle()
    mark = apart.sandbox.mark()
    ask_in(apart, TRIP, "What is impermanent loss?", user)
    assert "Skidbladnir" not in prompts_since(apart, mark)
    assert states_of(apart, user) == {f"tg:{user}:{HOME}", f"tg:{user}:{TRIP}"}
    assert "history" in ask_in(apart, HOME, "/why", user)["text"].lower()
    assert "impermanent" in ask_in(apart, TRIP, "/why", user)["text"].lower()
    apart.await_idle()
    mark = apart.sandbox.mark()
    ask_in(apart, HOME, "/retry", user)
    assert "Skidbladnir" in prompts_since(apart, mark)


def test_forgetting_in_one_topic_reaches_the_state_of_the_others(apart: World) -> None:
    """No checkpoint, transcript or archive holds it any more; what else was said is archived."""
    user = 31_002
    ask_in(apart, HOME, "I work as a falconer.", user)
    ask_in(apart, HOME, "What is proof of history?", user)
    asked = ask_in(apart, TRIP, "Forget what I said about my job.", user)
    press(apart, user, asked["message_id"], asked["buttons"][0][0]["callback_data"])
    wait_until(lambda: states_of(apart, user) == {f"tg:{user}:{TRIP}"} or None, "it is put away")
    apart.await_idle()
    for table in ("messages", "turn_archive", "telegram_outbox", "store", "due_work"):
        rows = apart.rows(f"SELECT row::text AS told FROM {table} AS row")
        assert not [row for row in rows if "falconer" in row["told"]], table
    (kept,) = apart.rows("SELECT question FROM turn_archive WHERE user_id = %s", user)
    assert kept["question"] == "What is proof of history?"


def test_new_in_one_topic_begins_all_conversations_afresh(apart: World) -> None:
    """The user's /new is about everything that was said before."""
    user = 31_003
    ask_in(apart, HOME, "What is proof of history, dear Quonset?", user)
    ask_in(apart, TRIP, "/new", user)
    apart.await_idle()
    mark = apart.sandbox.mark()
    ask_in(apart, HOME, "What is impermanent loss?", user)
    assert "Quonset" not in prompts_since(apart, mark)


def test_forget_command_covers_all_topics(apart: World) -> None:
    """No state and no decision of either conversation is left."""
    user = 31_004
    ask_in(apart, HOME, "What is proof of history?", user)
    ask_in(apart, TRIP, "What is impermanent loss?", user)
    asked = ask_in(apart, HOME, "/forget", user)
    yes = {"message_id": asked["message_id"]}
    yes["callback_data"] = asked["buttons"][0][0]["callback_data"]
    apart.sandbox.http.post(f"{apart.sandbox.url}/sim/chats/{user}/press", json=yes)
    wait_until(lambda: not states_of(apart, user) or None, "the states are gone")
    decisions = apart.rows(
        "SELECT 1 FROM retrieval_decisions WHERE starts_with(thread_id, %s)", f"tg:{user}"
    )
    assert not decisions
