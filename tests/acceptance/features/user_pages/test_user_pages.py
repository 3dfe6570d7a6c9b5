"""The pages of users over HTTP: each action and its Undo, seen in the lists of the chat, too."""

import httpx
import pytest

from rich_agent.domain.memory.items import MemoryItem, mark_of
from tests.acceptance.features.user_pages.forms import OpenPage
from tests.acceptance.visitors import visiting
from tests.acceptance.world import World


def listing(world: World, user: int, command: str) -> str:
    """The answer of the chat to a command."""
    return str(world.ask(user, command)["text"])


def remember(world: World, user: int, fact: str) -> None:
    """Have the bot know a fact about a user."""
    world.rows(
        "INSERT INTO store (prefix, key, value) VALUES (%s, 'facts', jsonb_build_object('items', "
        "jsonb_build_array(jsonb_build_object('text', %s::text, 'request_id', 'r1', "
        "'updated_at', '2026-03-02T10:00:00+00:00')))) RETURNING key",
        f"users.{user}",
        fact,
    )


def send_file(world: World, user: int) -> int:
    """Give a user a file; returns its id."""
    (row,) = world.rows(
        "INSERT INTO user_files (user_id, thread_id, name, media_type, size_bytes, sha256, ref, "
        "tokens) VALUES (%s, %s, 'plan.txt', 'text/plain', 10, %s, 'ref', 1) RETURNING id",
        user,
        f"tg:{user}",
        "a" * 64,
    )
    return int(row["id"])


@pytest.mark.feature("agenda")
def test_tasks_are_added_changed_done_and_deleted_as_in_the_chat(world: World, user: int) -> None:
    """Each change is in /tasks, and its Undo, too."""
    with visiting(world, user) as visitor:
        page = OpenPage.at(visitor, "/me/tasks")
        assert "You have no open tasks" in page.said
        page = page.send("Add a task", title="Write the report", due_date="2027-03-05")
        assert page.changes == ["Added the task “Write the report”."]
        assert "Write the report" in listing(world, user, "/tasks")
        page = page.opened("Write the report")
        page = page.send(
            "Change a task", "Write the report", title="Send the report", priority="high"
        )
        assert page.rows() == ["Send the report"]
        assert "Send the report · due 5 Mar 2027 · important" in listing(world, user, "/tasks")
        page = page.press("Undo")
        assert page.rows() == ["Write the report"]
        page = page.press("Done", "Write the report")
        assert page.rows() == []
        assert "You have no open tasks" in listing(world, user, "/tasks")
        assert OpenPage.at(visitor, "/me/tasks", list="done").rows() == ["Write the report"]
        page = page.press("Undo")
        assert "Write the report" in listing(world, user, "/tasks")
        page = page.press("Delete", "Write the report")
        assert "You have no open tasks" in listing(world, user, "/tasks")
        page = page.press("Undo")
        assert page.rows() == ["Write the report"]
        page = page.press("Tomorrow", "Write the report")
        assert "due tomorrow" in listing(world, user, "/tasks")


@pytest.mark.feature("agenda")
def test_day_is_planned_and_moved_as_in_the_chat(world: World, user: int) -> None:
    """Blocks are added, moved by buttons and by the time field, and deleted; no two overlap."""
    with visiting(world, user) as visitor:
        page = OpenPage.at(visitor, "/me/today")
        page = page.send("Add to your schedule", title="Report", start_time="09:00")
        page = page.press("Later", "Report")
        assert page.changes[0] == "“Report” is now today, 9:15–9:45."
        assert "09:15–09:45 Report" in listing(world, user, "/today")
        page = page.press("Undo").press("Earlier", "Report")
        assert "08:45–09:15 Report" in listing(world, user, "/today")
        page = page.send("Move", "Report", start_time="14:00")
        assert "14:00–14:30 Report" in listing(world, user, "/today")
        (form,) = [
            one for one in page.root.forms if "title" in one.fields and "start_time" in one.fields
        ]
        answer = page.refused(form, {"title": "Other", "start_time": "14:10"})
        assert answer.status_code == 400
        assert "This time is taken: 14:00–14:30 Report." in answer.text
        page = page.press("Delete", "Report")
        assert "Report" not in listing(world, user, "/today")
        page = page.press("Undo")
        assert "14:00–14:30 Report" in listing(world, user, "/today")
        page = page.send("Add a task", title="Call Anna")
        page = page.send("Add to your schedule", "Call Anna", start_time="10:00")
        assert "10:00–10:30 Call Anna" in listing(world, user, "/today")


@pytest.mark.feature("agenda")
def test_notes_are_written_changed_and_deleted_as_in_the_chat(world: World, user: int) -> None:
    """A change keeps what it does not name; each Undo brings back what was there."""
    with visiting(world, user) as visitor:
        page = OpenPage.at(visitor, "/me/notes")
        page = page.send("Write a note", title="Cake", content="Flour\nSugar")
        assert "Cake" in listing(world, user, "/notes")
        page = page.opened("Cake").send("Change a note", "Cake", content="Flour\nSugar\nLemons")
        assert "Lemons" in page.said
        page = page.press("Undo")
        assert "Lemons" not in page.said
        page = page.press("Delete", "Cake")
        assert "Cake" not in listing(world, user, "/notes")
        page.press("Undo")
        assert "Cake" in listing(world, user, "/notes")


@pytest.mark.feature("reminder")
def test_reminders_and_quiet_hours_are_those_of_the_chat(world: World, user: int) -> None:
    """Set, put off, cancelled; a digest needs a time zone, and says so."""
    with visiting(world, user) as visitor:
        settings = OpenPage.at(visitor, "/me/settings")
        (form,) = [one for one in settings.root.forms if "digest_at" in one.fields]
        assert "I do not know your time zone" in settings.refused(form, {"digest_at": "08:00"}).text
        settings = settings.send("Save", place="Tokyo")
        settings = settings.send("Save", digest_at="08:00")
        settings = settings.send("Save", quiet_from="22:00", quiet_until="07:00")
        page = OpenPage.at(visitor, "/me/reminders")
        page = page.send(
            "Set a reminder",
            text="Water the plants",
            when="2027-03-05T09:00",
            repeats="FREQ=WEEKLY",
        )
        told = listing(world, user, "/reminders")
        assert "Water the plants" in told
        assert "every week" in told
        page = page.press("Cancel a reminder", "Water the plants")
        assert page.rows() == []
        page = page.press("Undo")
        page = page.opened("Water the plants")
        page = page.send("Put a reminder off", "Water the plants", until="2027-03-06T10:30")
        assert "6 Mar 2027, 10:30" in listing(world, user, "/reminders")
        settings = OpenPage.at(visitor, "/me/settings").send("Save", quiet_from="", quiet_until="")
        assert settings.changes[0] == "There are no quiet hours any more."
        settings = settings.press("Undo")
        assert settings.root.xpath("//input[@name='quiet_from']/@value") == ["22:00"]


def test_memory_and_files_are_corrected_kept_and_forgotten(world: World, user: int) -> None:
    """Forgotten things are gone from /memory and /files; a correction can be taken back."""
    remember(world, user, "Lives in Kyoto")
    file_id = send_file(world, user)
    with visiting(world, user) as visitor:
        page = OpenPage.at(visitor, "/me/memory").opened("Lives in Kyoto")
        page = page.send("Correct", "Lives in Kyoto", text="Lives in Osaka")
        assert "Lives in Osaka" in listing(world, user, "/memory")
        page = page.press("Undo")
        assert "Lives in Kyoto" in listing(world, user, "/memory")
        page = page.press("Forget", "Lives in Kyoto")
        assert "I remember nothing about you" in listing(world, user, "/memory")
        files = OpenPage.at(visitor, "/me/files")
        assert files.rows() == ["plan.txt"]
        files = files.press("Remember", "plan.txt")
        assert "remembered" in listing(world, user, "/files")
        files = files.press("Undo")
        assert ", remembered" not in listing(world, user, "/files")
        files = files.press("Forget", "plan.txt")
        assert "You have no files" in listing(world, user, "/files")
        assert world.rows("SELECT FROM user_files WHERE id = %s", file_id) == []


def test_language_and_zone_are_changed_and_changed_back(world: World, user: int) -> None:
    """The page speaks the language at once; an ambiguous place is asked about."""
    with visiting(world, user) as visitor:
        page = OpenPage.at(visitor, "/me/settings")
        page = page.send("Save", language="de")
        assert "Einstellungen" in page.said
        page = page.press("Rückgängig")
        assert page.root.xpath("//option[@selected]/@value")[0] == "auto"
        (form,) = [one for one in page.root.forms if "place" in one.fields]
        answer = page.refused(form, {"place": "Australia"})
        assert answer.status_code == 400
        assert "Several time zones fit" in answer.text
        page = page.send("Save", place="Tokyo")
        assert "Your time zone is Tokyo" in listing(world, user, "/timezone")


@pytest.mark.feature("tokens")
def test_devices_and_tokens_are_seen_and_ended(world: World, user: int) -> None:
    """A token is shown once and lets a program in until it is revoked; a browser is signed out."""
    with visiting(world, user) as visitor, visiting(world, user) as other:
        page = OpenPage.at(visitor, "/me/devices")
        (form,) = [one for one in page.root.forms if "name" in one.fields]
        shown = page.posted(form, {"name": "My script"})
        (token,) = shown.root.xpath("//*[@id='secret']/text()")
        bearer = {"Authorization": f"Bearer {token}"}
        home = world.environment["PUBLIC_URL"]
        assert httpx.get(f"{home}/api/token", headers=bearer).status_code == 200
        page = OpenPage.at(visitor, "/me/devices")
        assert token not in page.said
        assert "My script" in listing(world, user, "/tokens")
        (row,) = world.rows("SELECT id FROM api_tokens WHERE user_id = %s", user)
        with visiting(world, user + 500_000) as stranger:
            refused = stranger.post("/me/devices/revoke_token", token_id=row["id"])
            assert refused.status_code == 400
        assert httpx.get(f"{home}/api/token", headers=bearer).status_code == 200
        page = page.press("Revoke", "My script")
        assert httpx.get(f"{home}/api/token", headers=bearer).status_code == 401
        # Making a token is no call of a tool, whose output would be kept.
        calls = world.rows("SELECT tool FROM tool_executions WHERE user_id = %s", user)
        assert calls == [{"tool": "revoke_token"}]
        assert other.get("/me/tasks").status_code == 200
        page.press("Sign out", page.rows()[0])
        assert other.get("/me/tasks").status_code == 401


@pytest.mark.feature("calendars")
def test_calendar_is_published_and_ended(world: World, user: int) -> None:
    """Its address is shown when it is made, and opens nothing after its end."""
    with visiting(world, user) as visitor:
        page = OpenPage.at(visitor, "/me/devices").press("Make the address")
        (address,) = page.root.xpath("//*[@id='secret']/text()")
        assert httpx.get(address).status_code == 200
        OpenPage.at(visitor, "/me/devices").press("Switch the calendar off")
        assert httpx.get(address).status_code == 404


@pytest.mark.feature("agenda")
def test_everything_is_exported_and_forgotten_after_a_yes(world: World, user: int) -> None:
    """The file is that of /export; without the yes nothing is deleted, after it the user is new."""
    with visiting(world, user) as visitor:
        OpenPage.at(visitor, "/me/tasks").send("Add a task", title="Write the report")
        answer = visitor.get("/me/privacy/export")
        assert "attachment" in answer.headers["Content-Disposition"]
        assert answer.json()["tasks"][0]["title"] == "Write the report"
        page = OpenPage.at(visitor, "/me/privacy").press("Delete everything about you …")
        assert "This cannot be undone" in page.said
        assert "Write the report" in listing(world, user, "/tasks")
        done = page.press("Yes, delete everything")
        assert "Everything that I kept about you is deleted" in done.said
        assert visitor.get("/me/tasks").status_code == 401
    assert "You have no open tasks" in listing(world, user, "/tasks")


@pytest.mark.feature("agenda", "reminder")
def test_nothing_of_others_is_seen_or_changed(world: World, user: int) -> None:
    """Foreign ids, foreign origins and nobody: refused, and nothing changes."""
    other = user + 500_000
    task = "INSERT INTO tasks (user_id, title) VALUES (%s, 'Secret') RETURNING id"
    note = "INSERT INTO notes (user_id, title, content) VALUES (%s, 'Secret', 'x') RETURNING id"
    block = (
        "INSERT INTO schedule_blocks (user_id, starts_at, ends_at, title) "
        "VALUES (%s, '2027-01-01 09:00', '2027-01-01 10:00', 'Secret') RETURNING id"
    )
    reminder = (
        "INSERT INTO schedules (user_id, text, kind, local_start, tz, local_next, next_at) "
        "VALUES (%s, 'Secret', 'reminder', '2027-01-01 09:00', 'UTC', '2027-01-01 09:00', "
        "'2027-01-01 09:00Z') RETURNING id"
    )
    session = (
        "INSERT INTO web_sessions (secret_hash, user_id, expires_at) "
        "VALUES ('\\x00', %s, now() + interval '1 day') RETURNING id"
    )
    file_id = send_file(world, other)
    (task_id, note_id, block_id, reminder_id, session_id) = (
        world.rows(one, other)[0]["id"] for one in (task, note, block, reminder, session)
    )
    remember(world, other, "Lives in Kyoto")
    kept = (
        "SELECT tasks.title, tasks.status AS task, notes.title AS note, starts_at, "
        "schedules.status AS reminder, name, secret_hash "
        "FROM tasks JOIN notes USING (user_id) JOIN schedule_blocks USING (user_id) "
        "JOIN schedules USING (user_id) JOIN user_files USING (user_id) "
        "JOIN web_sessions USING (user_id) WHERE user_id = %s"
    )
    mark = mark_of("facts", MemoryItem("Lives in Kyoto", "", ""))
    attempts = (
        ("tasks/update_task", {"task_id": task_id, "status": "done"}),
        ("tasks/delete_task", {"task_id": task_id}),
        ("notes/update_note", {"note_id": note_id, "title": "Mine"}),
        ("notes/delete_note", {"note_id": note_id}),
        (
            "today/move_schedule_block",
            {"block_id": block_id, "date": "2027-01-02", "start_time": "9:00"},
        ),
        ("today/delete_schedule_block", {"block_id": block_id}),
        ("reminders/cancel_reminder", {"schedule_id": reminder_id}),
        ("files/forget_file", {"file_id": file_id}),
        ("memory/forget_memory", {"mark": mark}),
        ("memory/correct_memory", {"mark": mark, "text": "x"}),
        ("devices/end_browser_session", {"session_id": session_id}),
    )
    before = world.rows(kept, other)
    count = "SELECT count(*) AS n FROM tool_executions WHERE user_id = %s AND status = 'success'"
    with visiting(world, user) as visitor:
        for path, fields in attempts:
            answer = visitor.post(f"/me/{path}", **fields)
            assert (path, answer.status_code) == (path, 400)
        assert visitor.post("/me/tasks/create_task", title="").status_code == 400
        assert visitor.post("/me/tasks/no_such_tool").status_code == 400
        assert visitor.post("/me/nowhere/create_task", title="x").status_code == 404
        assert visitor.get("/me/nowhere").status_code == 404
        assert world.rows(count, user) == [{"n": 0}]
        for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            answer = visitor.client.post(
                "/me/tasks/create_task", data={"title": "x"}, headers=headers
            )
            assert answer.status_code in {401, 403}
        stranger = httpx.post(
            f"{world.environment['PUBLIC_URL']}/me/tasks/create_task", data={"title": "x"}
        )
        assert stranger.status_code == 401
        assert world.rows(count, user) == [{"n": 0}]
    assert world.rows(kept, other) == before


@pytest.mark.feature("agenda")
def test_undo_of_others_is_refused(world: World, user: int) -> None:
    """The id of somebody else's change undoes nothing."""
    with visiting(world, user) as visitor, visiting(world, user + 500_000) as other:
        page = OpenPage.at(visitor, "/me/tasks").send("Add a task", title="Mine")
        (request,) = page.root.xpath("//input[@name='undo']/@value")
        answer = other.post("/me/tasks", undo=request)
        assert answer.status_code == 400
        assert "no longer be undone" in answer.text
        assert OpenPage.at(visitor, "/me/tasks").rows() == ["Mine"]
