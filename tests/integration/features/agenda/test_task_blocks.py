"""Presses in the living block of /tasks and /today: the tasks and the rows after each of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import LiteralString

import pytest

from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest
from rich_agent.domain.living_blocks import BlockRow, LivingBlock
from rich_agent.domain.message import User
from rich_agent.features.agenda.commands.tasks import TaskLists
from rich_agent.features.agenda.domain.tasks import NewTask, Task
from rich_agent.features.agenda.freshness import FreshTasks
from rich_agent.features.agenda.opening import make_agenda, make_tools
from rich_agent.features.agenda.ports import Agenda
from rich_agent.repositories.database.pools import Databases, Pool
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.tools import PostgresToolExecutions
from rich_agent.tools.all_tools import make_button_tools

ME, OTHER = 42, 4


@dataclass(slots=True)
class Chat:
    """A user's block as it is shown; `user` presses its buttons."""

    lists: TaskLists
    stored: Agenda
    pool: Pool
    user: int = ME
    shown: LivingBlock | None = None
    updates: "count[int]" = field(default_factory=lambda: count(100))

    async def add(self, *titles: str, due_in_days: int | None = None) -> list[int]:
        """Put tasks on the user's list; their ids."""
        due = None if due_in_days is None else await self._today() + timedelta(days=due_in_days)
        made = [
            await self.stored.tasks.create(self.user, NewTask(one, due_date=due)) for one in titles
        ]
        return [one.id for one in made if one]

    async def _today(self) -> date:
        row = await PostgresRepository(self.pool)._one(
            "SELECT (now() AT TIME ZONE 'UTC')::date AS day", ()
        )
        day: date = row["day"]
        return day

    async def open(self, command: str = "tasks") -> LivingBlock:
        """Give the command."""
        reply = await self.lists.commands()[command](
            CommandRequest(command, "", User(self.user), "en")
        )
        self.shown = reply.message.living
        assert self.shown
        return self.shown

    async def press(self, data: str, update_id: int = 0) -> PressReply:
        """Press a button with this data; the block is shown as the reply says."""
        request = PressRequest(
            data, User(self.user), 7, (), update_id or next(self.updates), locale="en"
        )
        request = replace(request, block=self.shown)
        reply = await self.lists.presses()[request.verb](request)
        assert reply.message
        self.shown = reply.message.living or self.shown
        return reply

    def row(self, task_id: int) -> BlockRow:
        """The row of a task as it is shown."""
        assert self.shown
        (row,) = [one for one in self.shown.rows if one.key == str(task_id)]
        return row

    def data(self, task_id: int, label: str) -> str:
        """The data of a button in the row of a task."""
        return next(one.data for one in self.row(task_id).actions if one.label == label)

    async def tap(self, task_id: int, label: str) -> PressReply:
        """Press a button in the row of a task."""
        return await self.press(self.data(task_id, label))

    async def task(self, task_id: int) -> Task | None:
        """A task as it is stored."""
        return await self.stored.tasks.find(self.user, task_id)

    async def run(self, statement: LiteralString, *values: object) -> None:
        """Change the database."""
        await PostgresRepository(self.pool)._run(statement, values)


@pytest.fixture
def chat(databases: Databases) -> Chat:
    """A user without tasks."""
    stored, pool = make_agenda(databases.app), databases.app
    executions, fresh = PostgresToolExecutions(pool), FreshTasks(pool)
    tools = make_tools(stored, fresh, lambda: datetime.now(UTC))
    return Chat(
        TaskLists(stored, make_button_tools(tools, executions), fresh, executions), stored, pool
    )


def labels(row: BlockRow) -> list[str]:
    """The labels of a row's buttons."""
    return [one.label for one in row.actions]


def shown(block: LivingBlock | None) -> Sequence[tuple[str, str]]:
    """The rows of a block, with their marks."""
    assert block
    return [(row.text, row.mark) for row in block.rows]


async def test_press_changes_the_task_and_its_row(chat: Chat) -> None:
    """Done, put off, deleted: each with a note, the true number, and an Undo of that alone."""
    pay, water, call = await chat.add("Pay", "Water", "Call")
    block = await chat.open()
    assert block.title == "3 open tasks"
    assert (await chat.tap(pay, "✓")).notice == ""
    await chat.tap(water, "Tomorrow")
    reply = await chat.tap(call, "✕")
    assert shown(chat.shown) == [("Pay", "done"), ("Water", "open"), ("Call", "")]
    assert [labels(chat.row(one)) for one in (pay, water, call)] == [
        ["Undo"],
        ["✓", "Undo", "✕"],
        ["Undo"],
    ]
    assert chat.shown
    assert (chat.shown.title, chat.shown.note) == ("1 open task", "Deleted the task “Call”.")
    assert chat.row(water).details.startswith("due ")
    assert reply.message
    # Where the widget is gone by now and no other can be sent.
    assert reply.message.text.startswith("Deleted the task “Call”.\n\n1 open task\n1. Water")
    await chat.tap(water, "Undo")
    assert labels(chat.row(water)) == ["✓", "Tomorrow", "✕"]
    stored = [await chat.task(one) for one in (pay, water, call)]
    assert stored[0]
    assert stored[0].status == "done"
    assert stored[1]
    assert stored[1].due_date is None
    assert stored[2] is None
    await chat.tap(call, "Undo")
    await chat.tap(pay, "Undo")
    assert replace(chat.shown, note="") == block


async def test_press_that_comes_again_does_nothing_again(chat: Chat) -> None:
    """The same update, as after a crash; the same data, as from a client that lost the answer."""
    pay, water = await chat.add("Pay", "Water")
    await chat.open()
    done, later = chat.data(pay, "✓"), chat.data(water, "Tomorrow")
    await chat.press(done, update_id=7)
    first, before = chat.shown, await chat.task(pay)
    assert (await chat.press(done, update_id=7)).notice == ""
    assert chat.shown == first
    assert (await chat.press(done)).notice == "This task is no longer on your list."
    assert await chat.task(pay) == before
    assert labels(chat.row(pay)) == ["Undo"]
    await chat.press(later)
    moved = await chat.task(water)
    # It is on the list, and as this press wants it.
    assert (await chat.press(later)).notice == ""
    assert await chat.task(water) == moved
    undo = chat.data(pay, "Undo")
    await chat.press(undo)
    assert (await chat.press(undo)).notice == "This can no longer be undone."
    task = await chat.task(pay)
    assert task
    assert task.status == "todo"
    assert labels(chat.row(pay)) == ["✓", "Tomorrow", "✕"]


async def test_rows_show_what_was_changed_elsewhere(chat: Chat) -> None:
    """Deleted, done, renamed and new tasks; a change that followed is not undone."""
    pay, water, call = await chat.add("Pay", "Water", "Call", due_in_days=1)
    await chat.open()
    await chat.tap(call, "✓")
    await chat.stored.tasks.delete(ME, pay)
    today = await chat._today()
    await chat.stored.tasks.update(ME, water, {"title": "Water the ferns"}, today)
    await chat.stored.tasks.update(ME, call, {"status": "todo"}, today)
    (new,) = await chat.add("Now", due_in_days=0)
    reply = await chat.tap(pay, "✓")
    assert reply.notice == "This task is no longer on your list."
    assert shown(chat.shown) == [("Pay", ""), ("Water the ferns", "open"), ("Call", "open")]
    assert labels(chat.row(pay)) == []
    assert chat.shown
    assert [one.label for one in chat.shown.actions] == ["3 ›", "… and 1 more"]
    undo = chat.data(call, "Undo")
    await chat.press(undo)
    assert "was changed again in the meantime" in chat.shown.note
    task = await chat.task(call)
    assert task
    assert task.status == "todo"
    await chat.press(chat.shown.actions[-1].data)
    assert [row.key for row in chat.shown.rows] == [str(one) for one in (new, water, call)]


async def test_data_of_another_user_change_nothing(chat: Chat) -> None:
    """Whoever sends them sees their own rows only."""
    theirs = replace(chat, user=OTHER)
    (secret,) = await theirs.add("Secret")
    await theirs.open()
    (own,) = await chat.add("Own")
    await chat.open()
    for label in ("✓", "Tomorrow", "✕"):
        reply = await chat.press(theirs.data(secret, label))
        assert reply.notice == "This task is no longer on your list."
        assert "Secret" not in str(reply)
    before = await theirs.task(secret)
    assert before
    assert (before.status, before.due_date) == ("todo", None)
    await theirs.tap(secret, "✕")
    await chat.press(theirs.data(secret, "Undo"))
    assert await theirs.task(secret) is None
    assert shown(chat.shown) == [("Own", "open")]
    assert labels(chat.row(own)) == ["✓", "Tomorrow", "✕"]


async def test_row_keeps_its_undo_for_as_long_as_it_works(chat: Chat) -> None:
    """After ten minutes the next press shows none."""
    pay, water = await chat.add("Pay", "Water")
    await chat.open()
    await chat.tap(pay, "✓")
    await chat.run("UPDATE tool_executions SET started_at = started_at - interval '11 min'")
    await chat.tap(water, "✓")
    assert [labels(chat.row(one)) for one in (pay, water)] == [[], ["Undo"]]


async def test_subtask_goes_and_comes_with_its_task(chat: Chat) -> None:
    """Its row says so; either Undo brings back both."""
    (move,) = await chat.add("Move house")
    pack = await chat.stored.tasks.create(ME, NewTask("Pack", parent_id=move))
    assert pack
    await chat.open()
    await chat.tap(move, "✕")
    assert [labels(chat.row(one)) for one in (move, pack.id)] == [["Undo"], ["Undo"]]
    await chat.tap(pack.id, "Undo")
    assert shown(chat.shown) == [("Move house", "open"), ("Pack", "open")]


async def test_later_page_stays_and_passes_no_task_over(chat: Chat) -> None:
    """A press on it keeps its rows, although the block was sent with those of the first page."""
    ids = await chat.add(*(f"Task {number}" for number in range(1, 15)))
    await chat.open()
    await chat.tap(ids[0], "✓")
    assert chat.shown
    assert [one.label for one in chat.shown.actions] == ["6–11 ›"]
    await chat.press(chat.shown.actions[0].data)
    assert [row.key for row in chat.shown.rows] == [str(one) for one in ids[6:12]]
    await chat.tap(ids[7], "✕")
    assert [row.key for row in chat.shown.rows] == [str(one) for one in ids[6:12]]
    assert chat.shown.title == "12 open tasks"
    assert [one.label for one in chat.shown.actions] == ["‹ 1–5", "11–12 ›"]


async def test_today_keeps_what_was_put_off_in_its_row(chat: Chat) -> None:
    """The title counts what is left; the last task that is done leaves no open one."""
    pay, water = await chat.add("Pay", "Water", due_in_days=0)
    await chat.add("Later", due_in_days=3)
    block = await chat.open("today")
    assert block.title == "2 tasks for today"
    await chat.tap(pay, "Tomorrow")
    await chat.tap(water, "✓")
    assert chat.shown
    assert chat.shown.title == "0 tasks for today"
    assert shown(chat.shown) == [("Pay", "open"), ("Water", "done")]
    await chat.tap(pay, "Undo")
    assert chat.shown.title == "1 task for today"


async def test_press_under_a_message_answers_with_the_list_as_before(chat: Chat) -> None:
    """Without a widget, nothing but the message changes."""
    (pay,) = await chat.add("Pay")
    await chat.open()
    done = chat.data(pay, "✓")
    chat.shown = None
    reply = await chat.press(done)
    assert reply.message
    assert reply.message.text.startswith("Done: “Pay”.\n\nYou have no open tasks.")
    assert [one.text for row in reply.message.buttons for one in row] == ["Undo"]
    assert reply.message.living is None
