"""/connect: a user's tasks live in their task list; over HTTP, with a real Radicale."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

import pytest

from rich_agent.phrases import say
from tests.acceptance.radicale_server import (
    OtherProgram,
    Radicale,
    running_radicale,
)
from tests.acceptance.scripting import calling
from tests.acceptance.test_commands import command, labels, press, shown
from tests.acceptance.test_live import signed_in
from tests.acceptance.test_my_data import rows_naming
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer

PASSWORD = "Very-Secret 1234"
Message = dict[str, Any]
Entry = Any
"""A VTODO; the types of icalendar name every property at once."""


@pytest.fixture(scope="module")
def radicale() -> Iterator[Radicale]:
    """One server for the tests of a worker; each test has a user of its own there too."""
    with running_radicale() as server:
        yield server


@dataclass(frozen=True, slots=True)
class Connected:
    """A user of the bot, and the other program with the same task list."""

    world: World
    user: int
    list: OtherProgram

    def there(self, title: str, holds: Callable[[Entry], bool] = bool) -> Entry:
        """An entry of the list, once it is as wanted."""

        def found() -> Entry:
            todo = self.list.tasks().get(title)
            return todo if todo is not None and holds(todo) else None

        return wait_until(found, f"{title!r} in the list")

    def here(self, text: str, *, is_listed: bool = True) -> Message:
        """/tasks, once it names a task, or does not."""

        def found() -> Message | None:
            message = command(self.world, self.user, "/tasks")
            return message if (text in message["text"]) is is_listed else None

        return wait_until(found, f"{text!r} in /tasks: {is_listed}")

    def add(self, title: str, **fields: Any) -> None:
        """Have the bot add a task."""
        self.world.sandbox.script(title, calling("create_task", title=title, **fields), "Added.")
        self.world.ask(self.user, f"Add a task: {title}")

    def update(self, title: str, /, **fields: Any) -> None:
        """Have the bot change a task."""
        (row,) = self.world.rows(
            "SELECT id FROM tasks WHERE user_id = %s AND title = %s", self.user, title
        )
        call = calling("update_task", task_id=row["id"], **fields)
        # The stand-in for a model plans to act on such a sentence.
        self.world.sandbox.script(f"{title}, changed", call, "Changed.")
        self.world.ask(self.user, f"Add a task: {title}, changed")

    def settled(self) -> None:
        """Return once everything was pushed."""
        query: LiteralString = """
        SELECT 1 FROM caldav_connections AS list JOIN due_work ON key = list.user_id::text
        WHERE list.user_id = %s AND kind = 'calendars_task_list' AND problem = ''
            AND lease_until IS NULL AND due_at > clock_timestamp()
        """
        wait_until(lambda: self.world.rows(query, self.user) or None, "everything is in step")


def connect(world: World, user: int, program: OtherProgram, password: str = PASSWORD) -> Message:
    """The bot's answer to /connect."""
    return command(world, user, f"/connect {program.url} {program.login[0]} {password}")


@pytest.fixture
def connected(world: World, user: int, radicale: Radicale) -> Iterator[Connected]:
    """A user whose list is connected."""
    world.ask(user, "/start")
    program = radicale.user(f"user{user}", PASSWORD)
    message = connect(world, user, program)
    assert message["text"].startswith("Connected to tasks on 127.0.0.1")
    yield Connected(world, user, program)
    command(world, user, "/disconnect")


@pytest.mark.costs("it waits for several syncs")
def test_task_of_the_bot_is_in_the_list_with_all_that_it_has(connected: Connected) -> None:
    """Title, due date, priority and rule; and done there once the button says so here."""
    connected.add(
        "Water the plants",
        due_date="2026-12-01",
        priority="high",
        recurrence="FREQ=WEEKLY",
        description="All of them",
    )
    todo = connected.there("Water the plants")
    assert todo["DUE"].dt.isoformat() == "2026-12-01"
    assert (todo["PRIORITY"], todo["STATUS"]) == (3, "NEEDS-ACTION")
    assert todo["RRULE"].to_ical() == b"FREQ=WEEKLY"
    assert todo["DESCRIPTION"] == "All of them"
    connected.add("Buy milk")
    connected.there("Buy milk")
    connected.update("Buy milk", status="blocked")
    blocked = connected.there("Buy milk", lambda todo: "CATEGORIES" in todo)
    assert blocked["CATEGORIES"].cats == ["blocked"]
    message = connected.here("Buy milk")
    number = next(n for n in (1, 2) if f"{n}. Buy milk" in message["text"])
    press(connected.world, connected.user, message, f"✓ {number}")
    done = connected.there("Buy milk", lambda todo: todo["STATUS"] == "COMPLETED")
    assert "COMPLETED" in done
    assert "CATEGORIES" not in done


@pytest.mark.costs("it waits for several syncs")
def test_task_of_another_program_is_a_task_of_the_bot(connected: Connected) -> None:
    """Added, changed and deleted there; what the bot does not know survives its own change."""
    more = "DUE;VALUE=DATE:20261224\nPRIORITY:1\nX-SORT:42\nCATEGORIES:Errand\n"
    alarm = "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\nTRIGGER:-PT15M\nEND:VALARM\n"
    connected.list.add("other-1", "Call Xaver", more + alarm)
    assert "24 Dec" in connected.here("Call Xaver")["text"]
    connected.list.change("Call Xaver", "SUMMARY:Call Xaver", "SUMMARY:Call Yasmin")
    connected.here("Call Yasmin")
    connected.update("Call Yasmin", status="in_progress", priority="low")
    todo = connected.there("Call Yasmin", lambda todo: "STATUS" in todo)
    assert (todo["STATUS"], todo["PRIORITY"]) == ("IN-PROCESS", 9)
    assert (str(todo["X-SORT"]), todo["CATEGORIES"].cats) == ("42", ["Errand"])
    assert len(todo.walk("VALARM")) == 1
    connected.list.delete("Call Yasmin")
    connected.here("Call Yasmin", is_listed=False)


def test_task_deleted_here_is_deleted_there(connected: Connected) -> None:
    """The button deletes it in both places, and Undo puts it back."""
    connected.add("Sell the car")
    connected.there("Sell the car")
    message = connected.here("Sell the car")
    chat = press(connected.world, connected.user, message, "✕ 1")
    wait_until(lambda: "Sell the car" not in connected.list.tasks() or None, "it is gone")
    undo = shown(chat, message["message_id"])
    press(connected.world, connected.user, undo, say("en", "undo-button"))
    connected.there("Sell the car")


def test_subtasks_and_projects_are_kept_together(connected: Connected) -> None:
    """A parent is RELATED-TO, both ways; a project is the category of its name."""
    connected.list.add("above", "Move house")
    connected.list.add("below", "Pack boxes", "RELATED-TO:above\n")
    connected.here("Pack boxes")
    rows = connected.world.rows(
        "SELECT above.title FROM tasks JOIN tasks AS above ON above.id = tasks.parent_id "
        "WHERE tasks.user_id = %s AND tasks.title = 'Pack boxes'",
        connected.user,
    )
    assert rows == [{"title": "Move house"}]
    connected.world.sandbox.script(
        "a garden", calling("create_project", name="Garden", description="Green"), "Made."
    )
    connected.world.ask(connected.user, "Add a task: plan a garden")
    (project,) = connected.world.rows("SELECT id FROM projects WHERE user_id = %s", connected.user)
    connected.add("Rake leaves", project_id=project["id"])
    assert connected.there("Rake leaves")["CATEGORIES"].cats == ["Garden"]
    connected.list.change("Move house", "END:VTODO", "CATEGORIES:Garden\r\nEND:VTODO")
    of_project: LiteralString = "SELECT 1 FROM tasks WHERE project_id = %s AND title = 'Move house'"
    wait_until(lambda: connected.world.rows(of_project, project["id"]) or None, "in the project")


@pytest.mark.costs("it waits for several syncs")
def test_task_changed_on_both_sides_is_as_in_the_list(connected: Connected) -> None:
    """The notice says what was replaced; its Undo brings that back, here and there."""
    connected.add("Pay rent")
    connected.there("Pay rent")
    connected.settled()
    notice = conflict_about(connected, "Pay rent")
    assert "low" in notice["text"]
    assert "Pay the rent" in notice["text"]
    connected.here("Pay the rent")
    assert connected.list.tasks().keys() == {"Pay the rent"}
    chat = press(connected.world, connected.user, notice, say("en", "undo-button"))
    assert labels(shown(chat, notice["message_id"])) == []
    todo = connected.there("Pay rent")
    connected.settled()
    assert todo["PRIORITY"] == 9
    connected.here("Pay rent")
    assert len(connected.list.tasks()) == 1


def conflict_about(connected: Connected, title: str) -> Message:
    """The notice, after both sides changed a task in one moment that the bot did not see."""
    world, user = connected.world, connected.user
    hold: LiteralString = """
    UPDATE due_work SET lease_until = clock_timestamp() + interval '1 h', fence = fence + 1
    WHERE kind = 'calendars_task_list' AND user_id = %s RETURNING 1
    """
    let_go: LiteralString = """
    WITH freed AS (UPDATE due_work SET lease_until = NULL WHERE kind = 'calendars_task_list')
    UPDATE caldav_connections SET tag = %s WHERE user_id = %s
    RETURNING pg_notify('due_work', '')
    """
    assert world.rows(hold, user)
    connected.update(title, priority="low")
    connected.list.change(title, f"SUMMARY:{title}", "SUMMARY:Pay the rent")
    assert world.rows(let_go, "", user)

    def notice() -> Message | None:
        found = [
            one
            for one in world.sandbox.replies(user)
            if "The change in your list counts." in one["text"]
        ]
        return found[-1] if found else None

    return wait_until(notice, "the user is told")


@pytest.mark.costs("it waits for several syncs")
def test_server_that_is_away_costs_no_task(world: World, user: int) -> None:
    """Tasks go on from the table, and are pushed when it is back."""
    with running_radicale() as server:
        program = server.user("away", PASSWORD)
        world.ask(user, "/start")
        connect(world, user, program)
        own = Connected(world, user, program)
        own.add("Before")
        own.there("Before")
        server.stop()
        own.add("During")
        assert "During" in command(world, user, "/tasks")["text"]
        problem: LiteralString = (
            "SELECT 1 FROM caldav_connections WHERE problem = 'away' AND user_id = %s"
        )
        wait_until(lambda: world.rows(problem, user) or None, "it is noticed")
        away = say("en", "calendars-connect-problem-away")
        assert away in command(world, user, "/connect")["text"]
        server.start()
        own.there("During")
        assert away not in command(world, user, "/connect")["text"]
        command(world, user, "/disconnect")


@pytest.fixture(scope="module")
def ward(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A sandbox and a database of its own; no bot runs yet."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url, LOG_LEVEL="debug"), url)


@pytest.mark.costs("it looks for a password everywhere")
def test_password_is_nowhere_in_the_clear(
    ward: World, user: int, radicale: Radicale, tmp_path: Path
) -> None:
    """Not in the chat, in any table, in a call of any upstream, in an answer or in the log."""
    word, log = f"Secret{user}word", tmp_path / "log"
    program = radicale.user(f"quiet{user}", word)
    before = ward.sandbox.mark()
    with running_bot(ward.environment, log=log):
        own = Connected(ward, user, program)
        connect(ward, user, program, f"not-{word}")
        connect(ward, user, program, word)
        assert word not in str(ward.sandbox.chat(user)["messages"])
        own.add("Buy milk")
        own.there("Buy milk")
        own.settled()
        ward.ask(user, "What is my password?")
        exported = command(ward, user, "/export")
        assert exported["text"]
        radicale.stop()
        own.add("Buy bread")
        radicale.start()
        own.there("Buy bread")
    assert rows_naming(ward, word) == {}
    assert not [call for call in ward.sandbox.calls(since=before) if word in str(call)]
    assert "task_lists.failed" in log.read_text("utf-8")
    assert word not in log.read_text("utf-8")


@pytest.mark.costs("it starts a bot of its own")
def test_connect_without_a_key_stores_nothing(ward: World, user: int, tmp_path: Path) -> None:
    """It says what is missing, and deletes the message all the same."""
    with running_bot({**ward.environment, "CREDENTIALS_KEY": ""}, log=tmp_path / "log"):
        answer = command(ward, user, "/connect https://dav.example anna s3cret-word")
        assert answer["text"] == say("en", "calendars-connect-missing-key")
        assert "s3cret-word" not in str(ward.sandbox.chat(user)["messages"])
    assert rows_naming(ward, "s3cret-word") == {}


def test_user_is_told_once_when_the_password_is_refused(
    world: World, user: int, radicale: Radicale
) -> None:
    """It was changed on the server; another /connect repairs it."""
    program = radicale.user(f"changed{user}", PASSWORD)
    world.ask(user, "/start")
    connect(world, user, program)
    Connected(world, user, program).settled()
    radicale.set_password(program.login[0], "another one")
    told = say("en", "calendars-connect-trouble")

    def tellings() -> list[Message]:
        return [one for one in world.sandbox.replies(user) if told in one["text"]]

    (telling,) = wait_until(lambda: tellings() or None, "the user is told")
    assert say("en", "calendars-connect-problem-login") in telling["text"]
    connect(world, user, program, "another one")
    own = Connected(world, user, OtherProgram(program.url, (program.login[0], "another one")))
    own.add("It works")
    own.there("It works")
    assert len(tellings()) == 1
    command(world, user, "/disconnect")


def test_forget_ends_the_connection_and_leaves_the_list_alone(
    world: World, user: int, radicale: Radicale
) -> None:
    """Nothing about it is left here; the user's own server is theirs."""
    program = radicale.user(f"gone{user}", PASSWORD)
    connect(world, user, program)
    own = Connected(world, user, program)
    own.add("Stay there")
    own.there("Stay there")
    press(world, user, command(world, user, "/forget"), say("en", "forget-yes"))
    assert set(rows_naming(world, f"gone{user}")) == set()
    assert list(program.tasks()) == ["Stay there"]


def test_disconnect_forgets_the_login_and_leaves_the_tasks(
    world: World, user: int, radicale: Radicale
) -> None:
    """A user who connects the same list again finds each task once."""
    program = radicale.user(f"again{user}", PASSWORD)
    connect(world, user, program)
    own = Connected(world, user, program)
    own.add("Stay")
    own.there("Stay")
    own.settled()
    command(world, user, "/disconnect")
    assert "caldav_connections" not in rows_naming(world, f"again{user}")
    own.update("Stay", title="Stay here")
    connect(world, user, program)
    own.there("Stay here")
    own.settled()
    assert list(program.tasks()) == ["Stay here"]
    own.here("Stay here")
    command(world, user, "/disconnect")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("{url}/{name}/tasks/ {name} wrong", "login"),
        ("{sandbox} {name} Very-Secret 1234", "address"),
        ("http://127.0.0.1:1/ {name} Very-Secret 1234", "away"),
        ("https://10.1.2.3/ {name} Very-Secret 1234", "private"),
        ("http://cloud.example.com/ {name} Very-Secret 1234", "insecure"),
    ],
)
def test_connect_says_what_is_wrong(
    world: World, user: int, radicale: Radicale, words: str, problem: str
) -> None:
    """And stores nothing."""
    name = f"wrong{user}"
    radicale.user(name, PASSWORD)
    said = words.format(url=radicale.url, name=name, sandbox=world.sandbox.url)
    assert command(world, user, f"/connect {said}")["text"] == say(
        "en", f"calendars-connect-problem-{problem}"
    )
    assert world.rows("SELECT 1 FROM caldav_connections WHERE user_id = %s", user) == []


def test_user_with_several_lists_chooses_one(world: World, user: int, radicale: Radicale) -> None:
    """The address of the server is enough; calendars without tasks are not offered."""
    program = radicale.user(f"many{user}", PASSWORD)
    program.make_list("work")
    program.make_list("meetings", holds="VEVENT")
    name, password = program.login
    message = command(world, user, f"/connect {radicale.url} {name} {password}")
    assert sorted(labels(message)) == ["tasks", "work"]
    press(world, user, message, "work")
    other = OtherProgram(program.url.replace("/tasks/", "/work/"), program.login)
    own = Connected(world, user, other)
    own.add("At work")
    own.there("At work")
    assert program.tasks() == {}
    command(world, user, "/disconnect")


def test_password_of_telegram_is_not_written_down_for_open_pages(world: World, user: int) -> None:
    """Whoever follows the conversation on the web does not read it."""
    with signed_in(world, user):
        command(world, user, "/connect https://dav.example ada s3cr3t-9174")
        for table in ("runs", "run_events"):
            query = f"SELECT FROM {table} AS kept WHERE strpos(kept::text, 's3cr3t-9174') > 0"
            assert world.rows(query) == []
