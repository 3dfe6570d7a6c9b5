"""/tasks, /today and /notes of the running bot, and their buttons; none of them calls a model."""

import pytest

from tests.acceptance.scripting import calling
from tests.acceptance.test_acting import states
from tests.acceptance.test_commands import (
    command,
    data_of,
    labels,
    notices,
    press,
    press_data,
    shown,
)
from tests.acceptance.world import World, wait_until
from tests.shown_cards import shown_in


def add_tasks(world: World, user: int, *titles: str, due_in_days: int | None = None) -> list[int]:
    """Put tasks on a user's list; their ids."""
    return [
        world.rows(
            "INSERT INTO tasks (user_id, title, due_date) VALUES (%s, %s,"
            " (now() AT TIME ZONE 'UTC')::date + %s::integer) RETURNING id",
            user,
            title,
            due_in_days,
        )[0]["id"]
        for title in titles
    ]


@pytest.mark.req("MEM-4")
def test_tasks_are_those_that_the_user_told(world: World, user: int) -> None:
    """One list with the memory: done by a button, it leaves both, and Undo brings it back."""
    world.ask(user, "I need to renew my passport.")
    listed = command(world, user, "/tasks")
    assert listed["text"].startswith("1 open task\n1. Renew my passport")
    chat = press(world, user, listed, "✓ 1")
    done = shown(chat, listed["message_id"])
    assert done["text"].startswith("Done: “Renew my passport”.")
    assert labels(done) == ["Undo"]
    assert "passport" not in command(world, user, "/memory")["text"]
    chat = press(world, user, done, "Undo")
    back = shown(chat, listed["message_id"])
    assert "The task “Renew my passport” is as it was before." in back["text"]
    assert labels(back) == labels(listed)
    assert "passport" in command(world, user, "/memory")["text"]


def test_tasks_turn_pages_and_stay_on_them(world: World, user: int) -> None:
    """Numbers go on; when the last task of the last page is deleted, the page before is shown."""
    add_tasks(world, user, *(f"Task {number}" for number in range(1, 8)))
    first = command(world, user, "/tasks")
    assert first["text"].startswith("7 open tasks\n1. Task 1\n")
    assert "Task 7" not in first["text"]
    second = shown(press(world, user, first, "›"), first["message_id"])
    assert "7. Task 7" in second["text"]
    assert labels(second) == ["✓ 7", "Tomorrow 7", "✕ 7", "‹"]
    deleted = shown(press(world, user, second, "✕ 7"), first["message_id"])
    assert deleted["text"].startswith("Deleted the task “Task 7”.\n\n6 open tasks\n1. Task 1")
    undone = shown(press(world, user, deleted, "Undo"), first["message_id"])
    assert "7 open tasks" in undone["text"]
    assert not any(is_deleted for _, _, is_deleted in states(world, user).values())


def test_task_put_off_is_due_tomorrow(world: World, user: int) -> None:
    """On the user's calendar, and back on its day by Undo."""
    add_tasks(world, user, "Pay", due_in_days=-1)
    listed = command(world, user, "/tasks")
    assert "1. Pay · overdue since " in listed["text"]
    before = states(world, user)["Pay"]
    later = shown(press(world, user, listed, "Tomorrow 1"), listed["message_id"])
    assert "1. Pay · due " in later["text"]
    assert states(world, user)["Pay"][1] > before[1]
    press(world, user, later, "Undo")
    assert states(world, user)["Pay"] == before


def test_stale_presses_change_nothing(world: World, user: int) -> None:
    """Of a task that is done already, or deleted, or whose change was undone before."""
    add_tasks(world, user, "Pay")
    listed = command(world, user, "/tasks")
    number = listed["message_id"]
    done = shown(press(world, user, listed, "✓ 1"), number)
    completed = world.rows("SELECT completed_at FROM tasks WHERE user_id = %s", user)
    before = world.sandbox.mark()
    again = shown(press_data(world, user, number, data_of(listed, "✓ 1")), number)
    assert notices(world, before) == ["This task is no longer on your list."]
    assert labels(again) == []
    assert world.rows("SELECT completed_at FROM tasks WHERE user_id = %s", user) == completed
    press_data(world, user, number, data_of(done, "Undo"))
    before = world.sandbox.mark()
    press_data(world, user, number, data_of(done, "Undo"))
    assert notices(world, before) == ["This can no longer be undone."]
    press_data(world, user, number, data_of(listed, "✕ 1"))
    before = world.sandbox.mark()
    for label in ("✓ 1", "Tomorrow 1", "✕ 1"):
        press_data(world, user, number, data_of(listed, label))
    assert notices(world, before) == ["This task is no longer on your list."] * 3
    assert states(world, user) == {"Pay": ("todo", None, True)}


@pytest.mark.req("MEM-3")
def test_buttons_of_another_user_change_nothing(world: World, user: int) -> None:
    """Whoever sends their data sees only their own list."""
    other = user + 500_000
    add_tasks(world, user, "Secret")
    add_tasks(world, other, "Own")
    listed, own = command(world, user, "/tasks"), command(world, other, "/tasks")
    for label in ("✓ 1", "Tomorrow 1", "✕ 1"):
        chat = press_data(world, other, own["message_id"], data_of(listed, label))
        assert "Secret" not in str(chat)
    assert states(world, user) == {"Secret": ("todo", None, False)}
    deleted = shown(press(world, user, listed, "✕ 1"), listed["message_id"])
    press_data(world, other, own["message_id"], data_of(deleted, "Undo"))
    assert states(world, user) == {"Secret": ("todo", None, True)}
    assert states(world, other) == {"Own": ("todo", None, False)}


@pytest.mark.parametrize(
    "data",
    ["taskdone1:", "taskdone1:x:y:z", "taskundo1:1:all:0", "tasks1:all:999", "notes1:7:x",
     "noteopen1:1:0:0:99999", "notedelete1:99999999999999999999:0:0"],
)  # fmt: skip
def test_damaged_presses_are_answered(world: World, user: int, data: str) -> None:
    """No argument of a button breaks anything."""
    add_tasks(world, user, "Pay")
    listed = command(world, user, "/tasks")
    press_data(world, user, listed["message_id"], data)
    assert states(world, user) == {"Pay": ("todo", None, False)}


def test_today_shows_what_is_due_and_the_schedule(world: World, user: int) -> None:
    """Overdue tasks too, and those of the type Today; nothing of later days."""
    assert command(world, user, "/today")["text"].startswith("Nothing is due today.")
    add_tasks(world, user, "Overdue", due_in_days=-3)
    add_tasks(world, user, "Now", due_in_days=0)
    add_tasks(world, user, "Later", due_in_days=3)
    (chosen,) = add_tasks(world, user, "Chosen")
    world.rows("UPDATE tasks SET task_type = 'Today' WHERE id = %s RETURNING 1", chosen)
    for days in (0, 1, 3):
        world.rows(
            "INSERT INTO schedule_blocks (user_id, starts_at, ends_at, title)"
            " SELECT %s, day + '9 hours', day + '10 hours', 'Write in ' || %s || ' days'"
            " FROM date_trunc('day', now() AT TIME ZONE 'UTC' + make_interval(days => %s)) AS day"
            " RETURNING 1",
            user,
            days,
            days,
        )
    today = command(world, user, "/today")
    assert today["text"].startswith("3 tasks for today\n1. Overdue · overdue since ")
    assert "Later" not in today["text"]
    assert "Schedule\n09:00–10:00 Write in " in today["text"]
    assert "in 3 days" not in today["text"]
    done = shown(press(world, user, today, "✓ 1"), today["message_id"])
    assert "2 tasks for today" in done["text"]
    assert "Schedule" in done["text"]


def test_notes_are_opened_read_to_the_end_and_deleted(world: World, user: int) -> None:
    """Markdown is rendered, a long note has pages, and a deletion can be taken back."""
    assert command(world, user, "/notes")["text"].startswith("You have no notes.")
    text = "**Milk** " + "word " * 1500 + "end"
    world.rows(
        "INSERT INTO notes (user_id, title, content) VALUES (%s, 'Shopping', %s) RETURNING 1",
        user,
        text,
    )
    listed = command(world, user, "/notes")
    number = listed["message_id"]
    assert listed["text"].startswith("1 note\n1. Shopping (today)")
    opened = shown(press(world, user, listed, "1"), number)
    assert opened["text"].startswith("Shopping\n\nMilk word ")
    last = shown(press(world, user, shown(press(world, user, opened, "›"), number), "›"), number)
    assert last["text"].endswith("end")
    assert labels(last) == ["‹", "Back", "Delete"]
    deleted = shown(press(world, user, last, "Delete"), number)
    assert deleted["text"].startswith("Deleted the note “Shopping”.")
    before = world.sandbox.mark()
    press_data(world, user, number, data_of(listed, "1"))
    press_data(world, user, number, data_of(last, "Delete"))
    assert notices(world, before) == ["This note no longer exists."] * 2
    theirs = command(world, user + 500_000, "/notes")
    press_data(world, user + 500_000, theirs["message_id"], data_of(deleted, "Undo"))
    assert command(world, user, "/notes")["text"].startswith("You have no notes.")
    undone = shown(press_data(world, user, number, data_of(deleted, "Undo")), number)
    assert undone["text"] == listed["text"]


def test_notes_have_folders(world: World, user: int) -> None:
    """A named folder is made once, and its button leads to its notes."""
    empty = command(world, user, "/notes Recipes")
    assert empty["text"].startswith("The folder “Recipes” is empty.")
    assert labels(empty) == ["All notes"]
    world.rows(
        "INSERT INTO notes (user_id, title, content, folder_id)"
        " SELECT user_id, 'Soup', 'Water', id FROM note_folders WHERE user_id = %s RETURNING 1",
        user,
    )
    assert command(world, user, "/notes Recipes")["text"].startswith("Recipes\n1. Soup")
    every = command(world, user, "/notes")
    assert labels(every) == ["1", "Recipes (1)"]
    folder = shown(press(world, user, every, "Recipes"), every["message_id"])
    assert folder["text"].startswith("Recipes\n1. Soup")
    assert command(world, user + 500_000, "/notes Recipes")["text"].startswith("The folder")


def test_help_and_the_menu_name_the_commands(world: World, user: int) -> None:
    """In the words of the menu."""
    text = command(world, user, "/help")["text"]
    for line in ("/tasks – Your tasks", "/today – What is due today", "/notes – Your notes"):
        assert line in text
    menu = {entry["command"] for entry in world.sandbox.chat(user)["commands"]}
    assert {"tasks", "today", "notes"} <= menu
    assert "tell me what you have to do" in command(world, user, "/start")["text"]


def test_what_is_planned_is_exported(world: World, user: int) -> None:
    """Tasks, notes and what the buttons did, each with its dates as text."""
    add_tasks(world, user, "Pay", due_in_days=0)
    world.rows(
        "INSERT INTO notes (user_id, title, content) VALUES (%s, 'Soup', '-') RETURNING 1", user
    )
    press(world, user, command(world, user, "/tasks"), "✓ 1")
    command(world, user, "/export")
    (url,) = [
        message["document"]["url"]
        for message in world.sandbox.chat(user)["messages"]
        if message.get("document")
    ]
    exported = world.sandbox.http.get(f"{world.sandbox.url}{url}").json()
    (task,) = exported["tasks"]
    assert (task["title"], task["status"]) == ("Pay", "done")
    assert task["due_date"].startswith("20")
    assert [note["title"] for note in exported["notes"]] == ["Soup"]
    assert [call["tool"] for call in exported["tool_calls"]] == ["update_task"]
    assert exported["projects"] == exported["goals"] == exported["schedule"] == []


def test_what_is_planned_is_forgotten_with_the_user(world: World, user: int) -> None:
    """Nothing of it is left in any table after /forget."""
    add_tasks(world, user, "Grease the windmill")
    world.rows(
        "INSERT INTO notes (user_id, title, content) VALUES (%s, 'Windmill', '-') RETURNING 1", user
    )
    listed = command(world, user, "/tasks")
    press(world, user, listed, "✓ 1")
    asked = command(world, user, "/forget")
    press(world, user, asked, "Yes")
    assert world.rows("SELECT 1 FROM tasks WHERE user_id = %s", user) == []
    assert world.rows("SELECT 1 FROM notes WHERE user_id = %s", user) == []
    assert world.rows("SELECT 1 FROM tool_executions WHERE user_id = %s", user) == []
    assert world.rows("SELECT 1 FROM store WHERE prefix = %s", f"users.{user}") == []


def test_task_that_the_model_added_is_on_the_list_until_it_is_undone(
    world: World, user: int
) -> None:
    """Under the answer is an Undo button; after it, neither list nor memory names the task."""
    answer = world.ask(user, "Add a task: paint the canoe")
    assert "Added the task “Paint the canoe”." in answer["text"]
    assert "1. Paint the canoe" in command(world, user, "/tasks")["text"]
    press(world, user, answer, "Undo")
    assert command(world, user, "/tasks")["text"].startswith("You have no open tasks.")
    assert "canoe" not in command(world, user, "/memory")["text"]


def test_model_asks_before_it_deletes_a_task_and_names_it(world: World, user: int) -> None:
    """The card shows the title instead of the number; nothing is deleted before it is approved."""
    (task_id,) = add_tasks(world, user, "Paint the canoe")
    wish = "Remove a task from my list: paint the canoe"
    world.sandbox.script(wish, calling("delete_task", task_id=task_id), "It is deleted.")
    card = world.ask(user, wish)
    assert shown_in(card["text"]) == [("Delete a task: Paint the canoe", {})]
    assert states(world, user) == {"Paint the canoe": ("todo", None, False)}
    press(world, user, card, "Approve")
    wait_until(lambda: states(world, user)["Paint the canoe"][2] or None, "it is deleted")
