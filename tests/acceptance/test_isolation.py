"""Fifty users at once: nothing of one is in a prompt, answer or export of another, or in a log."""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.pictures import picture
from tests.acceptance.test_commands import press, shown
from tests.acceptance.test_my_data import rows_naming, second_call_is_under_way
from tests.acceptance.world import (
    Sent,
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

FIRST = 61_234_567
# Numbers that begin alike: each but the first ten extends another one.
USERS = (
    FIRST,
    *(FIRST * 10 + digit for digit in range(10)),
    *(FIRST * 100 + digits for digits in range(39)),
)
EXPORTING = (*USERS[:4], USERS[12], USERS[20], USERS[36])
"""Numbers that others extend, and one of each who sends a photo or is asked back."""
PHOTOGRAPHING = USERS[20:36]
ASKED_BACK = USERS[36:40]
FORGETTING = (USERS[0], USERS[20], USERS[36])
"""One with plain words, one whose photo another user sent too, one with a question back."""
STAYING = (USERS[1], USERS[21])


@dataclass(frozen=True, slots=True)
class Crowd:
    """The users' world, with the bot's log and the second database."""

    world: World
    rag_url: str
    log: Path

    def rows_naming(self, word: str) -> dict[str, list[str]]:
        """The rows of both databases that hold a word, by table."""
        rag = rows_naming(replace(self.world, database_url=self.rag_url), word)
        return {**rows_naming(self.world, word), **{f"rag.{table}": r for table, r in rag.items()}}

    def descriptions(self, photo: bytes) -> int:
        """The number of descriptions of an image that are kept."""
        found = replace(self.world, database_url=self.rag_url).rows(
            "SELECT 1 FROM vision_summaries JOIN vision_images ON id = image_id WHERE sha256 = %s",
            hashlib.sha256(photo).hexdigest(),
        )
        return len(found)


@pytest.fixture(scope="module")
def crowd(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Crowd]:
    """A bot on two databases that logs all it can; no documents."""
    log = tmp_path_factory.mktemp("isolation") / "bot.log"
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as app_url,
        database_server.database(database_template) as rag_url,
    ):
        settings = environment(
            sandbox.url, app_url, RAG_DATABASE_URL=rag_url, LOG_LEVEL="debug", LOG_FORMAT="json"
        )
        with running_bot(settings, log=log):
            yield Crowd(World(sandbox, settings, app_url), rag_url, log)


def canary(user: int) -> str:
    """A name that nobody else has."""
    digest = hashlib.sha256(str(user).encode()).digest()[:10]
    return "Zu" + "".join(chr(ord("a") + byte % 26) for byte in digest)


def owners(value: object) -> set[int]:
    """The users whose canary stands in a JSON value."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return {user for user in USERS if canary(user) in text}


def describes(call: dict[str, Any]) -> bool:
    """Whether an image is described, for all who send it."""
    body = json.dumps(call["body"])
    return "image_bytes" in body and "Describe this image." in body


def all_done(crowd: Crowd, sent: dict[int, Sent]) -> None:
    """Wait until each user's newest update was answered, and with it those before."""
    ids = [message.update_id for message in sent.values()]
    done = "SELECT 1 FROM telegram_inbox WHERE update_id = ANY(%s) AND done_at IS NOT NULL"
    wait_until(
        lambda: len(crowd.world.rows(done, ids)) == len(ids) or None,
        "everybody is answered",
        deadline_s=300.0,
    )


def first_message(user: int) -> dict[str, Any]:
    """Facts and a task."""
    name = canary(user)
    text = f"My name is {name} and I live in {name} town. I need to visit {name} tomorrow."
    return {"text": text}


def second_message(user: int) -> dict[str, Any]:
    """A photo that two users send, a photo with nothing asked, or a question."""
    name = canary(user)
    if user in PHOTOGRAPHING:
        photo = picture("teal", "maroon", seed=PHOTOGRAPHING.index(user) // 2)
        return {"text": f"What is in this picture, for {name}?", "photo": photo}
    if user in ASKED_BACK:
        return {"text": "?", "photo": picture("olive", "navy", seed=ASKED_BACK.index(user))}
    return {"text": f"What is the latest news on {name}?"}


def say_in_turn(crowd: Crowd, users: Sequence[int]) -> None:
    """Each user says three things, in another order each time, without waiting."""
    order = random.Random(7)  # noqa: S311 - any order, the same each time
    rounds: list[dict[int, dict[str, Any]]] = [
        {u: first_message(u) for u in users},
        {u: second_message(u) for u in users},
        {u: {"text": f"Where do I live, asks {canary(u)}?"} for u in users},
    ]
    sent: dict[int, Sent] = {}
    for messages in rounds:
        for user in order.sample(users, len(users)):
            sent[user] = crowd.world.sandbox.say(user, **messages[user])
    all_done(crowd, sent)


@pytest.mark.soak
@pytest.mark.req("MEM-3", "VIS-2", "INT-1")
def test_nothing_of_one_user_reaches_another(crowd: Crowd) -> None:
    """Every prompt, search, chat, log line and export holds the canary of its own user at most."""
    sandbox = crowd.world.sandbox
    say_in_turn(crowd, USERS)
    all_done(crowd, {user: sandbox.say(user, "/export") for user in EXPORTING})
    calls = sandbox.calls("openai") + sandbox.calls("tavily")
    assert len(calls) > 3 * len(USERS)
    for call in calls:
        found = owners(call["body"])
        assert len(found) <= 1, (call["method"], found)
        assert not found or not describes(call), "a description is shared, so it is of no user"
    assert sum(map(describes, calls)) == len(PHOTOGRAPHING) // 2 + len(ASKED_BACK)
    for user in USERS:
        chat = sandbox.chat(user)
        assert owners(chat) == {user}
        told = [m["text"] for m in chat["messages"] if m["from"] == "bot"]
        assert any("What I have on that" in text and canary(user) in text for text in told), told
    for user in EXPORTING:
        (file,) = [m["document"] for m in sandbox.chat(user)["messages"] if m.get("document")]
        exported = sandbox.http.get(f"{sandbox.url}{file['url']}").json()
        assert owners(exported) == {user}
        assert canary(user) in str(exported["memory"])
    lines = crowd.log.read_text(encoding="utf-8")
    assert len(lines.splitlines()) > len(USERS)
    assert owners(lines) == set()
    assert not any(str(user) in lines for user in USERS), "users have tags in a log, no numbers"


@pytest.mark.soak
@pytest.mark.req("MEM-3")
def test_forget_leaves_nothing_in_either_database(crowd: Crowd) -> None:
    """Also of a turn in flight; who sent the same photo keeps its description, others all."""
    sandbox = crowd.world.sandbox
    say_in_turn(crowd, [*FORGETTING, *STAYING])
    asked = {user: crowd.world.ask(user, "/forget") for user in FORGETTING}
    kept = {user: crowd.rows_naming(canary(user)) for user in STAYING}
    for user in FORGETTING:
        question = f"I like {canary(user)} and its founder. Tell me something nice, please."
        second_call_is_under_way(crowd.world, user, question)
        chat = press(crowd.world, user, asked[user], "Yes, delete everything")
        assert "is deleted" in shown(chat, asked[user]["message_id"])["text"]
    for user in FORGETTING:
        last = {user: sandbox.say(user, "hi")}
        all_done(crowd, last)
        assert crowd.rows_naming(canary(user)) == {}
    for user, rows in kept.items():
        assert {table: len(found) for table, found in crowd.rows_naming(canary(user)).items()} == {
            table: len(found) for table, found in rows.items()
        }
    _, shared, own = (second_message(user).get("photo", b"") for user in FORGETTING)
    assert (crowd.descriptions(shared), crowd.descriptions(own)) == (1, 0)
    assert owners(crowd.log.read_text(encoding="utf-8")) == set()
