"""Answers in groups that only their user sees, since not everybody may read what they say."""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from tests.acceptance.faults import end_leases
from tests.acceptance.test_guests import in_group, texts_naming
from tests.acceptance.world import (
    TOKEN,
    Sent,
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

NAME = "@rich_agent_bot"
SECRET = "zephyrine"
BOARD = f"""# Minutes of the board

## Lantern works

The board sells the lantern works to {SECRET} for 4,800 euros.
"""
HANDBOOK = """# Handbook

## Lamps

The lamps of the house are cleaned on Mondays.
"""
QUESTION = f"{NAME} To whom does the board sell the lantern works?"
LAMPS = f"{NAME} When are the lamps of the house cleaned?"
BOT = int(TOKEN.partition(":")[0])
READERS = itertools.count(7_100_001)


def board_settings(sandbox: str, url: str) -> dict[str, str]:
    """A bot that answers in groups as often as it is asked."""
    limits = {"GUEST_ANSWERS_PER_DAY": "0", "GUEST_GROUP_ANSWERS_PER_HOUR": "0"}
    return environment(sandbox, url, GUEST_MODE="allowed", **limits)


@pytest.fixture(scope="module")
def board(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> str:
    """Name of a database with a handbook for everybody and the minutes of a board for a list."""
    folder = tmp_path_factory.mktemp("documents")

    def fill(url: str) -> None:
        with running_sandbox() as sandbox:
            settings = board_settings(sandbox.url, url)
            for name, text in (("board", BOARD), ("handbook", HANDBOOK)):
                (folder / f"{name}.md").write_text(text, "utf-8")
            for line in (
                ("space", "add", "Board", "--grant", "list:board"),
                ("add-source", str(folder / "board.md"), "--space", "board"),
                ("add-source", str(folder / "handbook.md")),
                ("sync",),
            ):
                command(["ingest.cli", *line], settings)
            World(sandbox, settings, url).rows(
                "INSERT INTO rag_memberships (user_id, principal) SELECT id, 'list:board' "
                "FROM generate_series(7100001, 7100030) AS of_board (id) RETURNING 1"
            )

    return database_server.filled_template("board", database_template, fill)


@contextmanager
def closed_house(server: PostgresServer, board: str) -> Iterator[World]:
    """A sandbox and a copy of that database; no bot runs yet."""
    with running_sandbox() as sandbox, server.database(board) as url:
        yield World(sandbox, board_settings(sandbox.url, url), url)


@pytest.fixture(scope="module")
def house(database_server: PostgresServer, board: str) -> Iterator[World]:
    """A running bot."""
    with closed_house(database_server, board) as made, running_bot(made.environment):
        yield made


@pytest.fixture(scope="module")
def old_house(database_server: PostgresServer, board: str) -> Iterator[World]:
    """A bot that does not run yet, since it remembers what the Bot API server knows."""
    with closed_house(database_server, board) as made:
        yield made


@pytest.fixture
def world(house: World) -> Iterator[World]:
    """The house, with a server that knows ephemeral messages."""
    yield house
    house.sandbox.recover()
    become(house, "new")
    house.await_idle()


@pytest.fixture
def reader() -> int:
    """A member of the board who has never written before."""
    return next(READERS)


def ask(world: World, user: int, text: str = QUESTION, kind: str = "group", **more: Any) -> Sent:
    """A question in the user's group, once it is done."""
    sent = world.sandbox.say(user, text, chat_type=kind, **more)
    wait_until(lambda: world.is_done(sent) or None, "the question is done")
    return sent


def whispered(world: World, user: int, viewer: int | None = None) -> list[str]:
    """The bot's texts in the user's group that only the viewer sees, by default this user."""
    path = f"/sim/chats/{in_group(user)}?viewer={viewer or user}"
    shown = world.sandbox.http.get(world.sandbox.url + path).json()["ephemeral"]
    return [message["text"] for message in shown if message["from"] == "bot"]


def public(world: World, user: int, kind: str = "group") -> list[str]:
    """The bot's texts that everybody in the user's group sees."""
    chat = in_group(user, "guest" if kind == "guest" else "group")
    return [message["text"] for message in world.sandbox.replies(chat)]


def in_private(world: World, user: int) -> list[str]:
    """The bot's texts in the private chat."""
    return [message["text"] for message in world.sandbox.replies(user)]


def make_member(world: World, user: int) -> None:
    """Take the bot's rights of an administrator in the user's group."""
    url = f"{world.sandbox.url}/sim/groups/{in_group(user)}/members"
    answer = world.sandbox.http.post(url, json={"user_id": BOT, "status": "member"})
    assert answer.status_code == 200, answer.text


def become(world: World, age: str, **more: Any) -> None:
    """Have a Bot API server of another age."""
    answer = world.sandbox.http.post(f"{world.sandbox.url}/sim/server", json={"age": age, **more})
    assert answer.status_code == 200, answer.text


def let_questions_be_too_old(world: World) -> None:
    """Have a server for which the 15 s are over at once."""
    become(world, "new", answered_within_s=0)


def moderate(world: World, user: int, message_id: int) -> None:
    """Delete a message of the user's group."""
    url = f"{world.sandbox.url}/bot{TOKEN}/deleteMessage"
    place = {"chat_id": in_group(user), "message_id": message_id}
    assert world.sandbox.http.post(url, json=place).status_code == 200


def assert_nobody_else_was_sent(world: World, user: int, since: int) -> None:
    """Fail if any call since then gave the secret to another chat than the user's."""
    for call in world.sandbox.calls("telegram", since):
        body: Mapping[str, Any] = call["body"]
        if SECRET in json.dumps(body, ensure_ascii=False):
            is_for_user = body.get("chat_id") == user or body.get("receiver_user_id") == user
            is_edit = call["method"] == "editEphemeralMessageText"
            assert is_for_user, call
            assert is_edit or body["chat_id"] == user, call


def test_reader_of_more_is_answered_alone_in_the_group(world: World, reader: int) -> None:
    """The answer has their rights and its sources; others see neither it nor a line."""
    since = world.sandbox.mark()
    ask(world, reader)
    (answer,) = whispered(world, reader)
    assert SECRET in answer
    assert whispered(world, reader, viewer=5) == []
    assert public(world, reader) == []
    assert in_private(world, reader) == []
    assert_nobody_else_was_sent(world, reader, since)
    ask(world, reader, LAMPS)
    assert "Mondays" in whispered(world, reader)[-1]
    assert texts_naming(world, f"{in_group(reader)}") == []


def test_others_are_answered_for_all_to_read(world: World, user: int) -> None:
    """As before: from what everybody may read, in the group."""
    ask(world, user, LAMPS)
    ask(world, user)
    lamps, board = public(world, user)
    assert "Mondays" in lamps
    assert SECRET not in board
    assert whispered(world, user) == []


def test_private_answer_knows_nothing_of_its_user(world: World, reader: int) -> None:
    """Neither memory nor conversation is in its prompts, and it leaves none."""
    world.ask(reader, "I live in Zanzibar and my dog is called Quixote.")
    since = world.sandbox.mark()
    ask(world, reader, f"{NAME} Where do I live, and to whom are the lantern works sold?")
    prompts = json.dumps(world.sandbox.calls("openai", since))
    assert "where only the one who asks reads your answer" in prompts
    assert "Zanzibar" not in prompts
    assert '"tools"' not in prompts
    since = world.sandbox.mark()
    world.ask(reader, "What is a lamp?")
    assert "lantern works sold" not in json.dumps(world.sandbox.calls("openai", since))


@pytest.mark.costs("it starts a bot for each server")
@pytest.mark.parametrize("age", ["old", "ignoring"])
def test_server_that_knows_no_ephemeral_messages_shows_nothing(
    old_house: World, reader: int, age: str
) -> None:
    """The answer goes to the private chat; the group sees one line, and no placeholder."""
    become(old_house, age)
    with running_bot(old_house.environment):
        old_house.ask(reader, "hi")
        since = old_house.sandbox.mark()
        ask(old_house, reader)
        ask(old_house, reader, LAMPS)
        old_house.await_idle()
    board, lamps = in_private(old_house, reader)[-2:]
    assert SECRET in board
    assert "Mondays" in lamps
    assert public(old_house, reader) == ["I answered you in our private chat."] * 2
    assert whispered(old_house, reader) == []
    assert_nobody_else_was_sent(old_house, reader, since)
    tried = [
        call
        for call in old_house.sandbox.calls("telegram", since)
        if "ephemeral_message_parameters" in call["body"]
    ]
    assert len(tried) == (0 if age == "old" else 1)


def test_bot_that_is_no_administrator_answers_in_the_private_chat(
    world: World, reader: int
) -> None:
    """Telegram refuses it the message for one; of two ways only one is used."""
    world.ask(reader, "hi")
    make_member(world, reader)
    since = world.sandbox.mark()
    ask(world, reader)
    assert SECRET in in_private(world, reader)[-1]
    assert public(world, reader) == ["I answered you in our private chat."]
    assert_nobody_else_was_sent(world, reader, since)


@pytest.mark.parametrize("kind", ["group", "guest"])
def test_group_is_told_how_to_reach_the_bot_if_there_is_no_private_chat(
    world: World, reader: int, kind: str
) -> None:
    """One line without content; no model is asked for what nobody could be told."""
    make_member(world, reader)
    since = world.sandbox.mark()
    ask(world, reader, kind=kind)
    (line,) = public(world, reader, kind)
    assert "private chat" in line
    assert "https://t.me/rich_agent_bot" in line
    assert world.sandbox.calls("openai", since) == []
    assert_nobody_else_was_sent(world, reader, since)


def test_guest_query_of_a_reader_of_more_is_answered_in_the_private_chat(
    world: World, reader: int
) -> None:
    """The one message that the bot may post, as no member of the group, has no content."""
    world.ask(reader, "hi")
    since = world.sandbox.mark()
    ask(world, reader, kind="guest")
    assert SECRET in in_private(world, reader)[-1]
    assert public(world, reader, "guest") == ["I answered you in our private chat."]
    assert_nobody_else_was_sent(world, reader, since)


def test_answer_that_is_refused_after_its_placeholder_goes_to_the_private_chat(
    world: World, reader: int
) -> None:
    """The placeholder is taken back, and the answer is sent once."""
    world.ask(reader, "hi")
    world.sandbox.fail("telegram", "403_blocked", method="editEphemeralMessageText", times=9)
    since = world.sandbox.mark()
    ask(world, reader)
    assert whispered(world, reader) == []
    assert SECRET in in_private(world, reader)[-1]
    assert_nobody_else_was_sent(world, reader, since)


@pytest.mark.parametrize("fault", ["502_done", "reset", "502"])
def test_private_answer_survives_lost_calls(world: World, reader: int, fault: str) -> None:
    """Nothing is public, and the user has the answer once."""
    for method in ("sendMessage", "editEphemeralMessageText"):
        world.sandbox.fail("telegram", fault, method=method, chat_id=in_group(reader))
    since = world.sandbox.mark()
    ask(world, reader)
    texts = whispered(world, reader)
    assert [SECRET in text for text in texts].count(True) == 1
    assert public(world, reader) == []
    assert_nobody_else_was_sent(world, reader, since)


def test_commands_show_what_is_ones_own_to_oneself(world: World, user: int) -> None:
    """The menu of groups marks them, so that clients send them unseen; also where that fails."""
    world.ask(user, "I live in Zanzibar.")
    menu = [
        call["body"]
        for call in world.sandbox.calls("telegram")
        if call["method"] == "setMyCommands"
        and call["body"].get("scope") == {"type": "all_group_chats"}
    ]
    commands = {one["command"]: one for one in menu[0]["commands"]}
    assert {"files", "memory", "sources", "status"} <= commands.keys()
    assert all(one["is_ephemeral"] for one in commands.values())
    assert not {"new", "forget", "start"} & commands.keys()
    ask(world, user, "/memory")
    assert ["Zanzibar" in text for text in whispered(world, user)] == [True]
    ask(world, user, f"/memory{NAME}")
    assert ["Zanzibar" in text for text in whispered(world, user)] == [True, True]
    assert public(world, user) == []


def test_command_in_a_group_overtakes_the_answer_in_the_private_chat(
    world: World, user: int
) -> None:
    """As the same command there does; and it speaks the language that its user chose."""
    world.ask(user, "/language de")
    since = world.sandbox.mark()
    world.sandbox.fail("openai", "delay", method="chat.completions", delay_s=4)
    slow = world.sandbox.say(user, "What is a lamp?")
    ask(world, user, f"/memory{NAME}")
    assert not world.is_done(slow)
    (placeholder,) = [call for call in world.sandbox.calls("telegram", since) if is_whisper(call)]
    assert placeholder["body"]["text"] == "Ich denke nach…"
    wait_until(lambda: world.is_done(slow) or None, "the answer in the private chat")


def test_command_that_is_not_for_groups_is_left_alone(world: World, user: int) -> None:
    """As before; and a command without the bot's name may be for another bot."""
    ask(world, user, f"/forget{NAME}")
    before = world.rows("SELECT count(*) AS n FROM telegram_inbox")
    world.sandbox.say(user, "/forget", chat_type="group")
    world.await_idle()
    assert world.rows("SELECT count(*) AS n FROM telegram_inbox") == before
    assert whispered(world, user) == public(world, user) == []


def test_reply_to_a_private_answer_is_answered_privately(world: World, reader: int) -> None:
    """Only the bot sees it, so nobody sees the answer; a bot that is no administrator may, too."""
    ask(world, reader)
    make_member(world, reader)
    shown = world.sandbox.chat(in_group(reader))["ephemeral"]
    own = next(one for one in shown if one["from"] == "bot")["ephemeral_message_id"]
    ask(world, reader, "When are the lamps cleaned?", reply_to_ephemeral_id=own)
    assert "Mondays" in whispered(world, reader)[-1]
    assert public(world, reader) == []


@pytest.mark.parametrize("is_admin", [True, False], ids=["administrator", "member"])
@pytest.mark.parametrize("kind", ["reply", "command"])
def test_unseen_question_is_answered_although_15_s_are_over(
    world: World, reader: int, kind: str, *, is_admin: bool
) -> None:
    """An administrator may send what is for one at any time; another bot has the private chat."""
    world.ask(reader, "I live in Zanzibar.")
    ask(world, reader)
    shown = world.sandbox.chat(in_group(reader))["ephemeral"][-1]["ephemeral_message_id"]
    if not is_admin:
        make_member(world, reader)
    let_questions_be_too_old(world)
    since = world.sandbox.mark()
    if kind == "command":
        ask(world, reader, "/memory")
    else:
        ask(world, reader, "When are the lamps cleaned?", reply_to_ephemeral_id=shown)
    texts = whispered(world, reader) if is_admin else in_private(world, reader)
    assert ("Zanzibar" if kind == "command" else "Mondays") in texts[-1]
    assert len(whispered(world, reader)) == (2 if is_admin else 1)
    assert public(world, reader) == []
    sends = [call for call in world.sandbox.calls("telegram", since) if is_whisper(call)]
    assert len(sends) == 2


def is_whisper(call: Mapping[str, Any]) -> bool:
    """Whether a call sends what is for one."""
    return "ephemeral_message_parameters" in call["body"]


def test_long_answer_whose_second_part_is_late_is_shown(world: World, reader: int) -> None:
    """It stands behind the first part, and replies to nothing."""
    ask(world, reader)
    shown = world.sandbox.chat(in_group(reader))["ephemeral"][-1]["ephemeral_message_id"]
    words = "The lamps of the house are cleaned on Mondays. " * 120
    world.sandbox.script("lamps cleaned", words)
    world.sandbox.fail("openai", "delay", method="chat.completions", delay_s=1)
    text = "When are the lamps cleaned?"
    sent = world.sandbox.say(reader, text, chat_type="group", reply_to_ephemeral_id=shown)
    wait_until(lambda: "Thinking…" in whispered(world, reader) or None, "the placeholder")
    let_questions_be_too_old(world)
    wait_until(lambda: world.is_done(sent) or None, "the question is done")
    first, second = whispered(world, reader)[1:]
    assert "Mondays" in first
    assert "Mondays" in second
    assert public(world, reader) == []


def test_question_that_was_deleted_is_answered_in_the_group(world: World, reader: int) -> None:
    """A bot that keeps order may delete it before the answer, which then replies to nothing."""
    world.sandbox.fail("openai", "delay", method="chat.completions", delay_s=1)
    before = world.sandbox.say(reader, "hi")
    sent = world.sandbox.say(reader, QUESTION, chat_type="group")
    moderate(world, reader, sent.message_id)
    wait_until(lambda: (world.is_done(before) and world.is_done(sent)) or None, "it is done")
    assert [SECRET in text for text in whispered(world, reader)] == [True]
    assert public(world, reader) == []


def test_search_for_a_lost_copy_leaves_other_private_answers(world: World, reader: int) -> None:
    """The answer to the question before is in the same chat; the lost copy alone is deleted."""
    world.ask(reader, "hi")
    make_member(world, reader)
    ask(world, reader, LAMPS)
    world.sandbox.fail("telegram", "502_done", method="sendMessage", chat_id=reader)
    ask(world, reader)
    lamps, board = in_private(world, reader)[-2:]
    assert "Mondays" in lamps
    assert SECRET in board
    assert len(in_private(world, reader)) == 3
    assert texts_naming(world, f"{in_group(reader)}") == []


def kill_during(
    world: World, user: int, method: str, chat: int, has_happened: Callable[[], bool]
) -> Sent:
    """Ask, and kill the bot while it waits for what a call to Telegram gave; start no other."""
    with running_bot(world.environment) as bot:
        world.sandbox.fail("telegram", "timeout", method=method, chat_id=chat, delay_s=60)
        sent = world.sandbox.say(user, QUESTION, chat_type="group")
        wait_until(lambda: has_happened() or None, f"{method} is done")
        bot.kill()
        bot.wait(5)
    world.sandbox.recover()
    end_leases(world)
    return sent


@pytest.mark.costs("it starts a bot before and after each kill")
@pytest.mark.parametrize("method", ["sendMessage", "editEphemeralMessageText"])
def test_bot_killed_during_a_private_answer_makes_nothing_public(
    old_house: World, reader: int, method: str
) -> None:
    """Also if the user loses their rights meanwhile, as was decided before the turn began."""
    become(old_house, "new")
    since = old_house.sandbox.mark()
    is_content = method != "sendMessage"

    def has_happened() -> bool:
        return any(SECRET in text or not is_content for text in whispered(old_house, reader))

    sent = kill_during(old_house, reader, method, in_group(reader), has_happened)
    if is_content:
        old_house.rows("DELETE FROM rag_memberships WHERE user_id = %s RETURNING user_id", reader)
    with running_bot(old_house.environment):
        wait_until(lambda: old_house.is_done(sent) or None, "the question is done")
    assert [SECRET in text for text in whispered(old_house, reader)].count(True) == 1
    assert public(old_house, reader) == []
    assert_nobody_else_was_sent(old_house, reader, since)


@pytest.mark.costs("it starts a bot before and after each kill")
@pytest.mark.parametrize("place", ["private chat", "group"])
def test_bot_killed_during_an_answer_in_the_private_chat_sends_nothing_twice(
    old_house: World, reader: int, place: str
) -> None:
    """Neither the answer nor the line in the group; what was sent last is found and deleted."""
    become(old_house, "new")
    old_house.sandbox.say(reader, "hi")
    old_house.sandbox.say(reader, "hello", chat_type="group")
    make_member(old_house, reader)
    since = old_house.sandbox.mark()
    in_chat = place == "private chat"

    def has_happened() -> bool:
        texts = in_private(old_house, reader) if in_chat else public(old_house, reader)
        return any(SECRET in text or not in_chat for text in texts)

    chat = reader if in_chat else in_group(reader)
    with running_bot(old_house.environment):
        old_house.await_idle()
    sent = kill_during(old_house, reader, "sendMessage", chat, has_happened)
    with running_bot(old_house.environment):
        wait_until(lambda: old_house.is_done(sent) or None, "the question is done")
    assert [SECRET in text for text in in_private(old_house, reader)].count(True) == 1
    assert public(old_house, reader) == ["I answered you in our private chat."]
    assert_nobody_else_was_sent(old_house, reader, since)


def test_failure_of_a_private_answer_is_told_to_its_user_alone(world: World, reader: int) -> None:
    """The apology takes the placeholder's place; the group sees nothing."""
    aim = ["lantern works", '"stream":true']
    world.sandbox.fail("openai", "500", method="chat.completions", times=20, containing=aim)
    ask(world, reader)

    def texts() -> list[str]:
        return [text[:5] for text in whispered(world, reader)]

    wait_until(lambda: texts() == ["Sorry"] or None, "the apology")
    assert public(world, reader) == []
