"""Messages as widgets in Telegram: what they show, what a touch does, and where there are none."""

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.test_acting import asked, settled, titles, two_tasks
from tests.acceptance.test_commands import labels
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer

Json = dict[str, Any]
_DATA = re.compile(r"const block = (\{.*\}), words = ")


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A bot that shows widgets, with messages that grow."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        made = World(sandbox, environment(sandbox.url, url, WIDGETS="auto"), url)
        with running_bot(made.environment):
            yield made
            made.await_idle()


@pytest.fixture(autouse=True)
def _recovered(world: World) -> Iterator[None]:
    """Have no fault outlive its test."""
    yield
    world.sandbox.recover()


def block_in(message: Json) -> Json:
    """The block that a widget contains for good."""
    found = _DATA.search(message["widget"]["html"])
    assert found
    return dict(json.loads(found[1]))


def with_changes(message: Json) -> Json:
    """The block that a widget shows now: as it was sent, with the changes in its data."""
    block = block_in(message)
    for *path, name, value in json.loads(message["widget"]["chat_data"] or "[]"):
        place: Any = block
        for step in path:
            place = place[step]
        place[name] = value
    return block


def data_of(message: Json, label: str) -> str:
    """The data that an action of a widget sends."""
    actions = block_in(message)["actions"]
    return next(str(one["data"]) for one in actions if one["label"] == label)


def shown(world: World, user: int, message_id: int) -> Json:
    """A message as it is now."""
    return next(one for one in world.sandbox.replies(user) if one["message_id"] == message_id)


def touch(world: World, user: int, message: Json, data: str, **more: Any) -> Json:
    """The bot's answer to a query of a widget."""
    query = world.sandbox.query_widget(user, message["message_id"], data, **more)
    told = wait_until(lambda: world.sandbox.widget_answer(user, query["query_id"]), "the answer")
    return dict(json.loads(told))


def test_approval_is_a_widget_that_keeps_the_decision(world: World, user: int) -> None:
    """Every argument verbatim, one message alone; a touch does what a button does."""
    card = asked(world, user, two_tasks(), "Both are on your list.")
    assert [one["message_id"] for one in world.sandbox.replies(user)] == [card["message_id"]]
    block = block_in(card)
    assert [action["label"] for action in block["actions"]] == ["Approve", "Adjust", "Cancel"]
    texts = " ".join(row["text"] for row in block["rows"])
    assert "Bread" in texts
    assert "Salt" in texts
    assert titles(world, user) == []
    told = touch(world, user, card, data_of(card, "Approve"))
    assert ["actions", []] in told["state"]
    assert "Both are on your list." in settled(world, user)["text"]
    assert titles(world, user) == ["Bread", "Salt"]
    decided = shown(world, user, card["message_id"])
    assert json.loads(decided["widget"]["chat_data"]) == told["state"]
    assert ["note", "✓ Approve"] in told["state"]


def test_words_close_the_widget_of_a_card(world: World, user: int) -> None:
    """As they close a card with buttons: it says what came of it."""
    card = asked(world, user, two_tasks())
    world.ask(user, "no")
    assert titles(world, user) == []
    state = json.loads(shown(world, user, card["message_id"])["widget"]["chat_data"])
    assert ["actions", []] in state
    assert ["note", "✓ Cancel"] in state


@pytest.mark.parametrize("data", ["answer1:999:0", "taskdelete1:1:all:0", "x", "💥" * 16])
def test_client_cannot_send_what_no_button_says(world: World, user: int, data: str) -> None:
    """The query is answered, and nothing is done."""
    card = asked(world, user, two_tasks())
    assert touch(world, user, card, data)["note"] == "This button no longer works."
    assert titles(world, user) == []


def test_touch_of_somebody_else_or_of_an_old_state_changes_nothing(world: World, user: int) -> None:
    """Also under the same query, and once the card is decided."""
    card = asked(world, user, two_tasks(), "Both are on your list.")
    approve = data_of(card, "Approve")
    query = world.sandbox.query_widget(user, card["message_id"], approve, from_user_id=user + 1)
    wait_until(lambda: world.sandbox.widget_answer(user, query["query_id"]), "the answer")
    assert titles(world, user) == []
    first = world.sandbox.query_widget(user, card["message_id"], approve)
    settled(world, user)
    wait_until(lambda: world.sandbox.widget_answer(user, first["query_id"]), "the answer")
    again = world.sandbox.query_widget(
        user, card["message_id"], approve, query_id=first["query_id"]
    )
    wait_until(lambda: _is_done(world, again), "the replay is done")
    assert touch(world, user, card, approve)["note"] == "This button no longer works."
    assert titles(world, user) == ["Bread", "Salt"]


def _is_done(world: World, query: Json) -> bool | None:
    rows = world.rows(
        "SELECT FROM telegram_inbox WHERE update_id = %s AND done_at IS NOT NULL",
        query["update_id"],
    )
    return bool(rows) or None


@pytest.mark.parametrize("fault", ["400_widgets", "404_widgets"])
def test_refused_widget_is_the_message_of_before(world: World, user: int, fault: str) -> None:
    """At once, never both, and it is remembered for the chat."""
    world.sandbox.fail("telegram", fault, times=1_000_000)
    since = world.sandbox.mark()
    card = asked(world, user, two_tasks(), "Both are on your list.")
    assert labels(card) == ["Approve", "Adjust", "Cancel"]
    assert [one["message_id"] for one in world.sandbox.replies(user)] == [card["message_id"]]
    world.sandbox.recover()
    world.ask(user, "no")
    assert labels(asked(world, user, two_tasks())) == ["Approve", "Adjust", "Cancel"]
    calls = [call["method"] for call in world.sandbox.calls("telegram", since)]
    assert calls.count("sendWidget") == 1


def test_lost_edit_is_made_up_for_by_the_next(world: World, user: int) -> None:
    """Whatever a widget was not told, its next state has all of it."""
    card = asked(world, user, two_tasks(), "Both are on your list.")
    world.sandbox.fail("telegram", "500", method="editMessageWidgetData", times=1)
    told = touch(world, user, card, data_of(card, "Approve"))
    settled(world, user)
    assert ["actions", []] in told["state"]


def test_press_that_has_to_wait_says_so(world: World, user: int) -> None:
    """Before Telegram gives its query up; it is done when its turn comes."""
    card = asked(world, user, two_tasks(), "Both are on your list.")
    world.sandbox.fail("openai", "slow", delay_s=16.0, containing=f"a long word {user}")
    world.sandbox.say(user, f"Say a long word {user}")
    time.sleep(0.5)
    since = time.monotonic()
    told = touch(world, user, card, data_of(card, "Approve"))
    # Nothing has changed yet.
    assert told == {"note": "This takes a little longer. It will be done.", "state": []}
    assert time.monotonic() - since < 14.0


def title_in(message: Json) -> str:
    """The title that a widget shows now."""
    return str(with_changes(message)["title"])


@pytest.mark.feature("session")
def test_session_is_a_widget_that_begins_it_and_ends_it(world: World, user: int) -> None:
    """Buttons begin it; the open one has a way out, which says how it ended."""
    choice = world.ask(user, "/session")
    assert title_in(choice) == "Which session shall we begin?"
    assert not choice["text"]
    begin = data_of(choice, "Brainstorming")
    touched = world.sandbox.query_widget(user, choice["message_id"], begin)
    wait_until(lambda: _is_done(world, touched), "the session began")
    question = world.sandbox.replies(user)[-1]
    assert question["text"]
    session = world.ask(user, "/session")
    assert title_in(session) == "Open session: Brainstorming"
    others = world.ask(user, "/plan")
    assert title_in(others) == "Open session: Brainstorming"
    before = len(world.sandbox.replies(user))
    touch(world, user, session, data_of(session, "End the session"))
    ended = shown(world, user, session["message_id"])
    assert title_in(ended) == "Brainstorming is cancelled. What you approved in it stays."
    assert with_changes(ended)["actions"] == []
    rows = world.rows("SELECT status FROM guided_sessions WHERE user_id = %s", user)
    assert rows == [{"status": "cancelled"}]
    told = touch(world, user, others, data_of(others, "End the session"))
    assert told["note"] == "Brainstorming is cancelled. What you approved in it stays."
    assert title_in(shown(world, user, others["message_id"])) == title_in(ended)
    assert len(world.sandbox.replies(user)) == before
