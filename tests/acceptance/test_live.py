"""The stream that tells an open page of its conversation, wherever it is written; over HTTP."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from tests.acceptance.pictures import picture
from tests.acceptance.reminding import TEXT, plan, reminded
from tests.acceptance.scripting import calling
from tests.acceptance.test_agui import (
    code_of,
    events_of,
    interrupts_in,
    program,
    somebody_else,
    wanted,
)
from tests.acceptance.test_commands import command, press
from tests.acceptance.test_web_chat import sign_in_link
from tests.acceptance.world import ADMIN, World, wait_until

QUESTION = "What is proof of history?"
SLOW = "How is funding paid on perpetual futures?"
Json = dict[str, Any]


@contextmanager
def signed_in(world: World, user: int) -> Iterator[httpx.Client]:
    """A browser that is signed in, as its requests look."""
    home = world.environment["PUBLIC_URL"]
    code = sign_in_link(world, user).partition("#login=")[2]
    headers = {"Origin": home, "Sec-Fetch-Site": "same-origin"}
    with httpx.Client(base_url=home, headers=headers, timeout=120, trust_env=False) as opened:
        assert opened.post("/chat/login", json={"code": code}).status_code == 200
        yield opened


@dataclass(slots=True)
class Page:
    """A page that follows a conversation: the events that it got, each with its id."""

    client: httpx.Client
    thread: str = "chat"
    version: str = ""
    events: list[tuple[str, Json]] = field(default_factory=list)
    refused: httpx.Response | None = None
    is_open: bool = False

    @contextmanager
    def following(self) -> Iterator["Page"]:
        """Follow while the block runs, or until the bot ends the stream."""
        query = {"threadId": self.thread, "version": self.version}
        with self.client.stream("GET", "/agui/live", params=query) as answer:
            if answer.status_code != 200:
                answer.read()
                self.refused = answer
                yield self
                return
            self.is_open = True
            thread = threading.Thread(target=self._read, args=(answer,), daemon=True)
            thread.start()
            yield self
            # Something to read: the end, or the thread would wait for the next beat.
            connection = answer.extensions["network_stream"].get_extra_info("socket")
            with suppress(OSError):  # the bot has closed it
                connection.shutdown(socket.SHUT_RDWR)
        thread.join(timeout=30)

    def _read(self, answer: httpx.Response) -> None:
        number = ""
        try:
            for line in answer.iter_lines():
                if line.startswith("id: "):
                    number = line[4:]
                elif line.startswith("data: "):
                    self.events.append((number, json.loads(line[6:])))
        except (httpx.HTTPError, httpx.StreamError, OSError, ValueError, RuntimeError):
            pass
        self.is_open = False

    def told(self, found: Callable[[Json], Any], what: str) -> Any:
        """The first thing that is found in an event that has come, or comes."""

        def first() -> Any:
            return next((hit for _, one in list(self.events) if (hit := found(one))), None)

        return wait_until(first, what, deadline_s=30)

    def message(self, text: str) -> Json:
        """The message with these words."""

        def found(event: Json) -> Json | None:
            told = event.get("messages", [])
            return next((one for one in told if text in str(one["content"])), None)

        return dict(self.told(found, f"a message with {text!r}"))


def opened(client: httpx.Client, thread: str = "chat") -> Page:
    """A page that has read the conversation."""
    read = client.get(f"/agui/threads/{thread}").json()
    return Page(client, thread, read["version"])


def test_live_tells_what_is_written_in_telegram_while_it_is_written(
    world: World, user: int
) -> None:
    """The question at once, the words as they come, and the turn once it is stored."""
    with signed_in(world, user) as client, opened(client).following() as page:
        world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=4.0)
        sent = world.sandbox.say(user, SLOW)
        turn = page.told(lambda one: next(iter(one.get("open", [])), None), "it is open")
        assert turn["asked"]["content"] == SLOW
        assert turn["turn"] == f"tg:{sent.update_id}"
        (run,) = turn["runs"]
        events = events_of(client.get("/agui", params={"runId": run, "offset": "-1"}))
        pieces = [one for one in events if one["type"] == "TEXT_MESSAGE_CONTENT"]
        assert len(pieces) > 3
        assert events[-1]["type"] == "RUN_FINISHED"
        stored = page.message(SLOW)
        assert stored["turn"] == turn["turn"]
        history = client.get("/agui/threads/chat").json()
        assert history["open"] == []
        assert history["openTurn"] is None
        assert history["version"] == page.events[-1][0]
        answer = history["messages"][-1]["content"]
        assert "".join(one["delta"] for one in pieces)[:40] == answer[:40]


def test_live_tells_what_another_page_asks(world: World, user: int) -> None:
    """Its run can be followed by both; nobody else hears of it."""
    with signed_in(world, user) as client, somebody_else(world) as other:
        with opened(client).following() as page, Page(other).following() as stranger:
            events_of(client.post("/agui", json=wanted(QUESTION, "r1", threadId="chat")))
            turn = page.told(lambda one: next(iter(one.get("open", [])), None), "it is open")
            assert turn["runs"] == ["r1"]
            assert page.message(QUESTION)["id"] == "m1"
        assert all(not one.get("messages") and not one.get("open") for _, one in stranger.events)


@pytest.mark.feature("agenda", "reminder")
def test_live_tells_commands_and_reminders(world: World, user: int) -> None:
    """They are in no transcript, and yet there after a reload, in their order."""
    with signed_in(world, user) as client:
        world.ask(user, QUESTION)
        with opened(client).following() as page:
            shown = command(world, user, "/tasks")
            answer = page.message(shown["text"].split("\n")[0][:20])
            assert answer["role"] == "assistant"
            plan(world, user)
            reminded(world, user)
            assert page.message(TEXT)["role"] == "assistant"
            world.ask(user, "hi there")
            page.message("hi there")
        messages = client.get("/agui/threads/chat").json()["messages"]
        said = [str(one["content"]) for one in messages]
        order = [QUESTION, "/tasks", TEXT, "hi there"]
        places = [next(n for n, one in enumerate(said) if text in one) for text in order]
        assert places == sorted(places)
        assert all(one["turn"] for one in messages)


@pytest.mark.feature("agenda")
def test_live_tells_of_edits_and_of_what_is_forgotten(world: World, user: int) -> None:
    """An edited question replaces its turn; nothing stays that was forgotten."""
    with signed_in(world, user) as client:
        sent = world.sandbox.say(user, QUESTION)
        world.answer(user, sent)
        with opened(client).following() as page:
            world.sandbox.say(user, "What is staking?", edit_message_id=sent.message_id)
            assert page.message("What is staking?")["turn"] == f"tg:{sent.update_id}"
            command(world, user, "/tasks")
            asked = command(world, user, "/forget")
            press(world, user, asked, "Yes, delete everything")
            wait_until(lambda: not page.is_open or None, "the session has ended", deadline_s=30)
    assert world.rows("SELECT FROM runs WHERE user_id = %s", user) == []


@pytest.mark.feature("agenda")
def test_live_shows_what_telegram_asks_and_how_it_was_decided_there(
    world: World, user: int
) -> None:
    """The card is there for a page that comes later; a press in Telegram goes on with the turn."""
    wish = f"Add the tasks of list {user}"
    calls = [calling("create_task", title="Bread"), calling("create_task", title="Salt")]
    world.sandbox.script(wish, {"calls": calls}, "Both are on your list.")
    with signed_in(world, user) as client:
        asked = world.ask(user, wish)
        page = opened(client)
        history = client.get("/agui/threads/chat").json()
        (turn,) = history["open"]
        assert len(history["interrupts"]["pending"]) == 2
        with page.following():
            press(world, user, asked, "Approve")
            goes_on = page.told(
                lambda one: next((o for o in one.get("open", []) if len(o["runs"]) > 1), None),
                "it goes on",
            )
            assert goes_on["turn"] == turn["turn"]
            assert page.message("Both are on your list.")["turn"] == turn["turn"]
        assert client.get("/agui/threads/chat").json()["open"] == []


def test_live_words_that_answer_a_question_of_telegram_belong_to_its_turn(
    world: World, user: int
) -> None:
    """They are no turn of their own once the answer is there."""
    with signed_in(world, user) as client:
        world.ask(user, photo=picture("orange", "navy"))
        world.sandbox.pause(user)
        with opened(client).following() as page:
            world.ask(user, "Which colours are in it?")
            page.told(
                lambda one: one.get("messages") and not one.get("open") and one, "it is answered"
            )
        history = client.get("/agui/threads/chat").json()
        assert history["open"] == []
        assert len({one["turn"] for one in history["messages"]}) == len(history["messages"]) // 2


@pytest.mark.feature("agenda")
def test_words_that_approve_a_card_belong_to_its_turn(world: World, user: int) -> None:
    """One message and one answer; what is offered below the answer is of that turn, too."""
    wish = f"Add the tasks of list {user}"
    calls = [calling("create_task", title="Bread"), calling("create_task", title="Salt")]
    world.sandbox.script(wish, {"calls": calls}, "Both are on your list.")
    with signed_in(world, user) as client:
        interrupts_in(events_of(client.post("/agui", json=wanted(wish))))
        events = events_of(client.post("/agui", json=wanted("yes", "r2")))
        history = client.get("/agui/threads/chat").json()
        mine = [one for one in history["messages"] if "list" in json.dumps(one["content"])]
        assert [one["role"] for one in mine] == ["user", "assistant"]
        assert history["open"] == []
        assert not any(one["content"] == "yes" for one in history["messages"])
        turn, (told,) = mine[0]["turn"], {one["turn"] for one in mine}
        assert turn == told
        named = [one["value"] for one in events if one.get("name") in {"turn", "offers"}]
        assert {one.get("turn", one.get("id")) for one in named[-2:]} == {turn}


@pytest.mark.costs("the page is followed through several turns")
def test_live_goes_on_behind_the_version_that_is_known(world: World, user: int) -> None:
    """A reader who knows all is told nothing; an old or unknown version gets the newest turns."""
    with signed_in(world, user) as client:
        world.ask(user, QUESTION)
        known = opened(client)
        with known.following():
            world.ask(user, "hi there")
            known.message("hi there")
            assert QUESTION not in json.dumps([one for _, one in known.events])
        for version in (known.version, "gone-long-ago", ""):
            with Page(client, version=version).following() as page:
                assert page.message("hi there")
                assert page.message(QUESTION)
                assert page.events[0][1]["isWhole"] is True
        with Page(client, version=page.events[0][0]).following() as again:
            world.ask(user, "thank you")
            again.message("thank you")
            assert not any(QUESTION in json.dumps(one) for _, one in again.events)


def test_live_stream_ends_with_its_session(world: World, user: int) -> None:
    """Also when it is ended elsewhere, its user is kept out, or its token is revoked."""
    with signed_in(world, user) as client, opened(client).following() as page:
        client.post("/chat/logout")
        wait_until(lambda: not page.is_open or None, "it has ended", deadline_s=30)
        assert code_of(client.get("/agui/live?threadId=chat"))[0] == 401
    with signed_in(world, user) as client, opened(client).following() as page:
        press(world, user, command(world, user, "/web"), "✕ 1")
        wait_until(lambda: not page.is_open or None, "it has ended", deadline_s=30)
    with signed_in(world, user) as client, opened(client).following() as page:
        command(world, ADMIN, f"/deny {user}")
        wait_until(lambda: not page.is_open or None, "it has ended", deadline_s=30)
        command(world, ADMIN, f"/allow {user}")
    with program(world, user) as client, opened(client).following() as page:
        press(world, user, command(world, user, "/tokens"), "✕ 1")
        wait_until(lambda: not page.is_open or None, "it has ended", deadline_s=30)


def test_live_is_refused_like_everything_else(world: World, user: int) -> None:
    """Without a session, with a foreign origin, and without the scope."""
    with signed_in(world, user) as client:
        foreign = client.get("/agui/live?threadId=chat", headers={"Sec-Fetch-Site": "cross-site"})
        assert foreign.status_code == 401
        assert code_of(client.get("/agui/live"))[0] == 400
    with program(world, user, "knowledge") as reader:
        assert code_of(reader.get("/agui/live?threadId=chat")) == (403, "wrong_scope")


def test_what_nobody_may_follow_is_not_written_down(world: World, user: int) -> None:
    """The words of admins, and the turns of users without a page."""
    world.ask(user, QUESTION)
    assert world.rows("SELECT FROM runs WHERE user_id = %s", user) == []
    with signed_in(world, ADMIN):
        command(world, ADMIN, "/users")
        assert world.rows("SELECT FROM runs WHERE asked ->> 'text' = '/users'") == []


@pytest.mark.parametrize("thread", ["own:garden"])
def test_live_of_an_own_conversation_hears_of_others_only_that_there_is_news(
    world: World, user: int, thread: str
) -> None:
    """So that its list of conversations can be read again."""
    with signed_in(world, user) as client, opened(client, thread).following() as page:
        world.ask(user, "hi there")
        page.told(lambda one: one["type"] == "CONVERSATIONS", "there is news")
        assert "hi there" not in json.dumps([one for _, one in page.events])
