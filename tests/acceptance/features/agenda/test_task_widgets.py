"""/tasks and /today as widgets: touches change the tasks, and the widget shows what is stored."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from tests.acceptance.features.agenda.test_planning import add_tasks
from tests.acceptance.test_acting import states
from tests.acceptance.test_agui import events_of, program, wanted
from tests.acceptance.test_commands import command, labels, press
from tests.acceptance.test_commands import shown as shown_in
from tests.acceptance.test_widgets import block_in, shown, touch, with_changes
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Served:
    """A bot that shows widgets, which can be started anew."""

    world: World
    restart: Callable[[], None]


@pytest.fixture(scope="module")
def served(database_server: PostgresServer, database_template: str) -> Iterator[Served]:
    """A sandbox, a database without documents, and the bot."""
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as url,
        ExitStack() as bots,
    ):
        made = World(sandbox, environment(sandbox.url, url, WIDGETS="auto"), url)

        def start() -> None:
            bots.close()
            bots.enter_context(running_bot(made.environment))

        start()
        yield Served(made, start)
        made.await_idle()


@pytest.fixture
def world(served: Served) -> Iterator[World]:
    """The running bot; no fault outlives its test."""
    yield served.world
    served.world.sandbox.recover()


def rows_of(world: World, user: int, message_id: int) -> Json:
    """The rows that a widget shows now, by their texts."""
    block = with_changes(shown(world, user, message_id))
    return {row["text"]: row for row in block["rows"]}


def button(row: Json, label: str) -> str:
    """The data of a button in a row."""
    return next(str(one["data"]) for one in row["actions"] if one["label"] == label)


@pytest.mark.costs("it starts a bot twice")
def test_touch_ticks_a_task_and_its_undo_outlives_a_restart(served: Served, user: int) -> None:
    """One message alone; what Telegram is told, the record and the row say the same."""
    world = served.world
    add_tasks(world, user, "Pay", "Water")
    widget = command(world, user, "/tasks")
    number = widget["message_id"]
    assert (widget["text"], block_in(widget)["title"]) == ("", "2 open tasks")
    pay = rows_of(world, user, number)["Pay"]
    told = touch(world, user, widget, button(pay, "✓"))
    assert ["note", "Done: “Pay”."] in told["state"]
    assert states(world, user)["Pay"][0] == "done"
    row = rows_of(world, user, number)["Pay"]
    assert (row["mark"], [one["label"] for one in row["actions"]]) == ("done", ["Undo"])
    assert with_changes(shown(world, user, number))["title"] == "1 open task"
    served.restart()
    touch(world, user, widget, button(row, "Undo"))
    assert states(world, user)["Pay"][0] == "todo"
    assert rows_of(world, user, number)["Pay"] == pay
    # A button that is shown no longer, as a slow client may still have it.
    assert touch(world, user, widget, button(row, "Undo"))["note"] == "This button no longer works."
    assert [one["message_id"] for one in world.sandbox.replies(user)] == [number]


def test_two_touches_at_once_are_both_done_and_shown(world: World, user: int) -> None:
    """Each is answered; the widget shows both."""
    add_tasks(world, user, "Pay", "Water")
    widget = command(world, user, "/tasks")
    rows = rows_of(world, user, widget["message_id"])
    touches = [(rows["Pay"], "✓"), (rows["Water"], "Tomorrow")]
    queries = [
        world.sandbox.query_widget(user, widget["message_id"], button(row, label))["query_id"]
        for row, label in touches
    ]

    def answered() -> bool | None:
        return all(world.sandbox.widget_answer(user, one) for one in queries) or None

    wait_until(answered, "both are answered")
    rows = rows_of(world, user, widget["message_id"])
    assert rows["Pay"]["mark"] == "done"
    assert rows["Water"]["details"].startswith("due ")
    assert [one["label"] for one in rows["Water"]["actions"]] == ["✓", "Undo", "✕"]


def test_touch_on_a_later_page_stays_there(world: World, user: int) -> None:
    """It names its tasks before it comes, and is shown in the place of the first one."""
    add_tasks(world, user, *(f"Task {number}" for number in range(1, 9)))
    widget = command(world, user, "/tasks")
    (following,) = block_in(widget)["actions"]
    assert following["label"] == "7–8 ›"
    touch(world, user, widget, following["data"])
    (page,) = world.sandbox.replies(user)
    rows = rows_of(world, user, page["message_id"])
    assert list(rows) == ["Task 7", "Task 8"]
    touch(world, user, page, button(rows["Task 8"], "✕"))
    (page,) = world.sandbox.replies(user)
    rows = rows_of(world, user, page["message_id"])
    assert list(rows) == ["Task 7", "Task 8"]
    assert rows["Task 8"]["details"] == "This task is no longer on your list."
    assert with_changes(page)["title"] == "7 open tasks"


def test_page_of_a_list_that_is_too_old_to_be_deleted_is_sent(world: World, user: int) -> None:
    """The old list stays without rows and buttons, and says that it was replaced."""
    titles = [f"Task {number}: {'साल ' * 25}".strip() for number in range(1, 13)]
    add_tasks(world, user, *titles)
    widget = command(world, user, "/tasks")
    url = f"{world.sandbox.url}/sim/chats/{user}/age"
    assert world.sandbox.http.post(url, json={"seconds": 3 * 86_400}).status_code == 200
    (following,) = block_in(widget)["actions"]
    touch(world, user, widget, following["data"])
    old, page = world.sandbox.replies(user)
    rows = rows_of(world, user, page["message_id"])
    assert list(rows) == titles[6:]
    shows = with_changes(old)
    assert (shows["rows"], shows["actions"], shows["note"]) == ([], [], "(replaced)")
    assert touch(world, user, old, following["data"])["note"] == "This button no longer works."
    assert "state" in touch(world, user, page, button(rows[titles[6]], "✓"))
    assert len(world.sandbox.replies(user)) == 2


def test_widget_of_another_user_gives_nothing_away(world: World, user: int) -> None:
    """Neither by its message nor by its data."""
    other = user + 500_000
    add_tasks(world, user, "Secret")
    add_tasks(world, other, "Own")
    widget, own = command(world, user, "/tasks"), command(world, other, "/tasks")
    done = button(rows_of(world, user, widget["message_id"])["Secret"], "✓")
    told = touch(world, other, own, done)
    assert told["note"] == "This button no longer works."
    assert states(world, user) == {"Secret": ("todo", None, False)}
    assert "Secret" not in str(world.sandbox.chat(other))


@pytest.mark.feature("day_picture")
def test_today_has_the_times_of_the_day_and_its_picture(world: World, user: int) -> None:
    """The picture is sent below the widget."""
    add_tasks(world, user, "Now", due_in_days=0)
    world.rows(
        "INSERT INTO schedule_blocks (user_id, starts_at, ends_at, title)"
        " SELECT %s, day + '9 hours', day + '10 hours', 'Write'"
        " FROM date_trunc('day', now() AT TIME ZONE 'UTC') AS day RETURNING id",
        user,
    )
    widget = command(world, user, "/today")
    block = block_in(widget)
    assert [(row["label"], row["text"]) for row in block["rows"]] == [
        ("", "Now"),
        ("09:00–10:00", "Write"),
    ]
    (picture,) = block["actions"]
    assert (picture["label"], picture["name"]) == ("As a picture", "As a picture: Schedule")
    touch(world, user, widget, picture["data"])
    below = wait_until(lambda: world.sandbox.replies(user)[1:] or None, "the picture")
    assert len(below) == 1
    assert shown(world, user, widget["message_id"])["edits"] == 0


def test_refused_widget_is_the_list_of_before(world: World, user: int) -> None:
    """With its buttons, for /today as well; Telegram is asked once."""
    add_tasks(world, user, "Pay", due_in_days=0)
    world.sandbox.fail("telegram", "400_widgets", times=1_000_000, chat_id=user)
    since = world.sandbox.mark()
    listed = command(world, user, "/tasks")
    assert listed["text"].startswith("1 open task\n1. Pay · due ")
    assert labels(listed) == ["✓ 1", "Tomorrow 1", "✕ 1"]
    done = shown_in(press(world, user, listed, "✓ 1"), listed["message_id"])
    assert done["text"].startswith("Done: “Pay”.\n\nYou have no open tasks.")
    assert labels(done) == ["Undo"]
    press(world, user, done, "Undo")
    world.sandbox.recover()
    today = command(world, user, "/today")
    assert today["text"].startswith("1 task for today\n1. Pay · due ")
    assert not any(one.get("widget") for one in world.sandbox.replies(user))
    methods = [call["method"] for call in world.sandbox.calls("telegram", since)]
    assert methods.count("sendWidget") == 1


def test_widget_that_is_gone_is_sent_anew(world: World, user: int) -> None:
    """As it is now, when a client that still has it touches it."""
    add_tasks(world, user, "Pay", "Water")
    widget = command(world, user, "/tasks")
    row = rows_of(world, user, widget["message_id"])["Pay"]
    url = f"{world.sandbox.url}/bot{world.environment['TELEGRAM_BOT_TOKEN']}/deleteMessage"
    body = {"chat_id": user, "message_id": widget["message_id"]}
    assert world.sandbox.http.post(url, json=body).json()["ok"]
    world.sandbox.query_widget(user, widget["message_id"], button(row, "✓"))
    (anew,) = wait_until(lambda: world.sandbox.replies(user) or None, "the new widget")
    assert anew["message_id"] != widget["message_id"]
    assert rows_of(world, user, anew["message_id"])["Pay"]["mark"] == "done"


def test_widget_that_is_gone_is_sent_anew_when_the_chat_is_open_again(
    world: World, user: int
) -> None:
    """The press has changed what the widget shows; its next attempt finds its button."""
    add_tasks(world, user, "Pay", "Water")
    widget = command(world, user, "/tasks")
    row = rows_of(world, user, widget["message_id"])["Pay"]
    url = f"{world.sandbox.url}/bot{world.environment['TELEGRAM_BOT_TOKEN']}/deleteMessage"
    body = {"chat_id": user, "message_id": widget["message_id"]}
    assert world.sandbox.http.post(url, json=body).json()["ok"]
    closed = {"method": "sendWidget", "chat_id": user, "retry_after": 7}
    world.sandbox.fail("telegram", "429", times=1, **closed)
    world.sandbox.query_widget(user, widget["message_id"], button(row, "✓"))
    (anew,) = wait_until(lambda: world.sandbox.replies(user) or None, "the new widget")
    assert rows_of(world, user, anew["message_id"])["Pay"]["mark"] == "done"


def test_widget_whose_changes_outgrow_its_data_is_sent_anew(world: World, user: int) -> None:
    """With all of them, in place of the old one; another page that is empty is a text."""
    title = "सब पुरानी रसीदें साल और दुकान के हिसाब से छाँटकर नीले डिब्बे में रखना और सूची बनाना"
    add_tasks(world, user, *(f"{number} {title}" for number in range(1, 8)))
    widget = command(world, user, "/tasks")
    first = widget["message_id"]
    texts = list(rows_of(world, user, first))
    for text, label in zip(texts[:4], ("✓", "✕", "Tomorrow", "✓"), strict=True):
        row = rows_of(world, user, widget["message_id"])[text]
        touch(world, user, widget, button(row, label))
        (widget,) = world.sandbox.replies(user)
    assert widget["message_id"] != first
    rows = rows_of(world, user, widget["message_id"])
    assert list(rows) == texts
    assert [rows[text]["mark"] for text in texts] == ["done", "", "open", "done", "open", "open"]
    assert ["Undo" in str(rows[text]["actions"]) for text in texts] == [True] * 4 + [False] * 2
    world.rows("UPDATE tasks SET deleted_at = now() WHERE user_id = %s RETURNING 1", user)
    (following,) = [one for one in with_changes(widget)["actions"] if "›" in one["label"]]
    touch(world, user, widget, following["data"])
    (empty,) = world.sandbox.replies(user)
    assert empty["text"].startswith("You have no open tasks.")
    assert not empty.get("widget")


@pytest.mark.feature("web_chat")
def test_page_gets_the_block_and_presses_its_buttons(world: World, user: int) -> None:
    """The rows stay, with a note and an Undo; what is sent twice is done once."""
    add_tasks(world, user, "Pay", "Water")
    with program(world, user) as client:

        def run(run_id: str, content: str, **props: Any) -> Json:
            body = wanted(content, run_id, forwardedProps=props)
            events = events_of(client.post("/agui", json=body))
            return next(one["value"]["block"] for one in events if one.get("name") == "living")

        block = run("r1", "/tasks")
        assert [row["text"] for row in block["rows"]] == ["Pay", "Water"]
        press = {"data": button(block["rows"][0], "✓"), "run": "r1"}
        done = run("r2", "", press=press)
        assert (done["title"], done["note"]) == ("1 open task", "Done: “Pay”.")
        assert [row["mark"] for row in done["rows"]] == ["done", "open"]
        # From a tab that still shows the block as it was.
        assert run("r3", "", press=press)["rows"] == done["rows"]
        undo = {"data": button(done["rows"][0], "Undo"), "run": "r1"}
        assert run("r4", "", press=undo)["rows"] == block["rows"]
        # Nobody presses what was not shown, and not what was shown to somebody else.
        assert run("r5", "", press={**press, "data": "maketoken1:x"})["rows"] == block["rows"]
        asked = wanted("", "r6", forwardedProps={"press": {**press, "run": "other"}})
        assert client.post("/agui", json=asked).status_code == 409
    assert not world.rows("SELECT FROM api_tokens WHERE user_id = %s AND name = 'x'", user)
    assert states(world, user)["Pay"][0] == "todo"
