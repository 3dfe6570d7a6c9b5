"""Questions in groups: answered from registered documents, within limits, and forgotten at once."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pytest

from tests.acceptance.world import (
    Sent,
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

NAME = "@rich_agent_bot"
GUEST_CHATS = -2_000_000_000_000
QUESTION = "What is proof of history?"


@contextmanager
def answering_groups(server: PostgresServer, samples: str, **settings: str) -> Iterator[World]:
    """A bot of its own with the sample documents."""
    with running_sandbox() as sandbox, server.database(samples) as url:
        made = World(sandbox, environment(sandbox.url, url, **settings), url)
        with running_bot(made.environment):
            yield made
            made.await_idle()


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """It answers everybody in groups, each three times a day."""
    settings = {"GUEST_MODE": "everyone", "GUEST_ANSWERS_PER_DAY": "3", "ALLOWED_USERS": "1"}
    with answering_groups(database_server, with_samples, **settings) as made:
        yield made


def in_group(user: int, kind: Literal["group", "guest"] = "group") -> int:
    """The chat in which the user asks."""
    return (GUEST_CHATS if kind == "guest" else 0) - user


def ask_in_group(
    world: World, user: int, text: str, kind: Literal["group", "guest"] = "group", **more: Any
) -> dict[str, Any]:
    """The bot's answer in the user's group."""
    sent = world.sandbox.say(user, text, chat_type=kind, **more)
    wait_until(lambda: world.is_done(sent) or None, "the question is done")
    (reply,) = world.sandbox.replies(in_group(user, kind), sent.message_id)
    return reply


def texts_naming(world: World, words: str) -> list[dict[str, Any]]:
    """The tables and rows of the database that hold these words."""
    tables = world.rows(
        "SELECT table_name FROM information_schema.tables "
        "WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
    )
    found = []
    for table in tables:
        name = table["table_name"]
        query: Any = f'SELECT 1 FROM "{name}" AS row WHERE row::text ILIKE %s LIMIT 1'
        if world.rows(query, f"%{words}%"):
            found.append(name)
    return found


@pytest.mark.parametrize("kind", ["group", "guest"])
def test_mention_in_a_group_is_answered_from_documents(
    world: World, user: int, kind: Literal["group", "guest"]
) -> None:
    """Members and guests alike: a cited answer that replies to the question, without buttons."""
    answer = ask_in_group(world, user, f"{NAME} {QUESTION}", kind)
    assert "[1]" in answer["text"]
    assert "Sources" in answer["text"]
    links = [entity["url"] for entity in answer["entities"] if entity["type"] == "text_link"]
    assert any("/library/solana/proof-of-history" in link for link in links)
    assert answer["reply_to_message_id"] is not None
    assert answer["buttons"] == []


def test_reply_to_the_bot_in_a_group_is_a_question(world: World, user: int) -> None:
    """The message replied to is all of the conversation that the model sees."""
    first = ask_in_group(world, user, f"{NAME} {QUESTION}")
    world.sandbox.say(user, "the password of the safe is tulip", chat_type="group")
    mark = world.sandbox.mark()
    reply_to = first["message_id"]
    ask_in_group(world, user, "And what is it good for?", reply_to_message_id=reply_to)
    prompts = json.dumps(world.sandbox.calls("openai", mark))
    assert "reply_to author" in prompts
    assert "tulip" not in prompts


def test_what_is_not_for_the_bot_is_not_even_stored(world: World, user: int) -> None:
    """Talk among people leaves nothing behind: no update, no call."""
    before = world.rows("SELECT count(*) AS n FROM telegram_inbox")
    mark = world.sandbox.mark()
    world.sandbox.say(user, "shall we meet at the heron bridge?", chat_type="group")
    world.sandbox.say(user, f"@someone_else {QUESTION}", chat_type="group")
    world.sandbox.say(user, f"{NAME} {QUESTION}", chat_type="group", forward_from="Bob")
    world.await_idle()
    assert world.rows("SELECT count(*) AS n FROM telegram_inbox") == before
    assert world.sandbox.calls("openai", mark) == []
    assert world.sandbox.replies(in_group(user)) == []


def test_nothing_of_a_group_is_kept(world: World, user: int) -> None:
    """Neither question nor answer, title nor chat: only a count without names."""
    ask_in_group(world, user, f"{NAME} Is a wolverine part of Solana staking?")
    ask_in_group(world, user, f"{NAME} {QUESTION}", "guest")
    assert texts_naming(world, "wolverine") == []
    assert texts_naming(world, f"{in_group(user)}") == []
    assert texts_naming(world, f"tg:{user}") == []
    # The number of an update and a time may have the digits of a user by chance.
    counted = world.rows(
        "SELECT to_jsonb(row) - 'update_id' - 'asked_at' AS row FROM guest_questions AS row "
        "WHERE update_id > 0"
    )
    assert counted
    assert not any(str(user) in json.dumps(row, default=str) for row in counted)


@pytest.mark.costs("it talks in a group and alone")
def test_group_learns_nothing_of_what_the_bot_knows_of_its_user(
    database_server: PostgresServer, with_samples: str, user: int
) -> None:
    """Neither memory nor conversation of the private chat is in a prompt of the group."""
    asked = "Where do I live? What is my dog called?"
    with answering_groups(database_server, with_samples, GUEST_MODE="allowed") as private:
        private.ask(user, "I live in Zanzibar and my dog is called Quixote.")
        mark = private.sandbox.mark()
        ask_in_group(private, user, f"{NAME} {asked}")
        prompts = json.dumps(private.sandbox.calls("openai", mark))
        mark = private.sandbox.mark()
        private.ask(user, "What is staking?")
        later = json.dumps(private.sandbox.calls("openai", mark))
    assert asked in prompts
    assert "Zanzibar" not in prompts
    assert "Quixote" not in prompts
    assert '"tools"' not in prompts
    assert "Zanzibar" in later
    assert asked not in later


def test_group_limit_is_told_once(
    database_server: PostgresServer, with_samples: str, user: int
) -> None:
    """Above the rate of its hour a group gets one notice, and its members' questions no answer."""
    settings = {"GUEST_MODE": "allowed", "GUEST_GROUP_ANSWERS_PER_HOUR": "1"}
    with answering_groups(database_server, with_samples, **settings) as busy:
        ask_in_group(busy, user, f"{NAME} hello")
        assert "This group" in ask_in_group(busy, user, f"{NAME} hello")["text"]
        third = busy.sandbox.say(user, f"{NAME} hello", chat_type="group")
        wait_until(lambda: busy.is_done(third) or None, "the third is done")
        assert busy.sandbox.replies(in_group(user), third.message_id) == []


def test_group_gets_no_web_search_unless_a_setting_says_so(world: World, user: int) -> None:
    """A question about the present is answered from documents, or not at all."""
    mark = world.sandbox.mark()
    answer = ask_in_group(world, user, f"{NAME} What is the price of SOL today?")
    assert world.sandbox.calls("tavily", mark) == []
    assert answer["text"]


def test_user_limit_is_told_once(world: World, user: int) -> None:
    """The fourth question of a day gets a notice, the fifth nothing; another user is answered."""
    for _ in range(3):
        assert "private chat" not in ask_in_group(world, user, f"{NAME} hello", "guest")["text"]
    told = ask_in_group(world, user, f"{NAME} {QUESTION}", "guest")
    assert "private chat" in told["text"]
    fifth = world.sandbox.say(user, f"{NAME} {QUESTION}", chat_type="guest")
    wait_until(lambda: world.is_done(fifth) or None, "the fifth is done")
    assert world.sandbox.replies(in_group(user, "guest"), fifth.message_id) == []


def test_group_is_answered_nowhere_if_the_mode_is_off(served: World, user: int) -> None:
    """By default a mention is not stored, and guest queries are not asked for."""
    before = served.rows("SELECT count(*) AS n FROM guest_questions")
    sent = served.sandbox.say(user, f"{NAME} {QUESTION}", chat_type="group")
    served.ask(user, "hi")
    assert not served.is_done(sent)
    assert served.sandbox.replies(in_group(user)) == []
    assert served.rows("SELECT count(*) AS n FROM guest_questions") == before


def test_guest_query_is_answered_once_after_a_lost_answer(world: World, user: int) -> None:
    """Telegram did post it, and said nothing: the second try is refused, and nobody is told."""
    world.sandbox.fail("telegram", "502_done", method="answerGuestQuery")
    sent: Sent = world.sandbox.say(user, f"{NAME} {QUESTION}", chat_type="guest")
    wait_until(lambda: world.is_done(sent) or None, "the question is done")
    (reply,) = world.sandbox.replies(in_group(user, "guest"), sent.message_id)
    assert "[1]" in reply["text"]
    assert world.rows("SELECT 1 FROM telegram_inbox WHERE dead_at IS NOT NULL") == []
