"""Tools of panels: they move and delete blocks of the schedule, and change and delete notes.

The model has no such tools. Where a time is taken, the refusal says so to the user.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import Field

from rich_agent.feature import Arguments, Asker, Clocks, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.tools import Clock, Day, RowId, Title, read_clock
from rich_agent.features.agenda.domain.plans import NewBlock, ScheduleBlock
from rich_agent.features.agenda.ports import Notes, Schedule
from rich_agent.features.agenda.tools.changing import changed_fields, undo_of, undo_update
from rich_agent.features.agenda.tools.schedule import CreateScheduleBlock, ScheduleTools

_MOST_NAMED = 3


class MoveBlock(Arguments):
    """A block of the schedule, and when it begins instead."""

    block_id: RowId
    date: Day
    start_time: str = Field(max_length=20)


class OneBlock(Arguments):
    """A block of the schedule."""

    block_id: RowId


@dataclass(frozen=True, slots=True)
class BlockTools:
    """Moves and deletes blocks, and adds them where the time is free."""

    schedule: Schedule
    adding: ScheduleTools
    now: Clock

    def tools(self) -> Sequence[Tool]:
        """The tools, with the one that adds a block."""
        (create,) = (tool for tool in self.adding.tools() if tool.effect == "change")
        return (
            replace(create, run=self.add),
            Tool("move_schedule_block", "", MoveBlock, self.move, "change", self.move_back),
            Tool("delete_schedule_block", "", OneBlock, self.delete, "delete", self.restore),
        )

    async def add(self, new: CreateScheduleBlock, asker: Asker) -> Outcome:
        """Add a block. Raises: ToolRefusedError with a sentence if the time is taken."""
        begins = _moment(new.date, new.start_time)
        ends = begins + dt.timedelta(minutes=new.duration_minutes)
        blocks = await self.schedule.day(asker.user_id, begins.date())
        self._check_free(
            [one for one in blocks if one.starts_at < ends and one.ends_at > begins], asker
        )
        return await self.adding.create_schedule_block(new, asker)

    async def move(self, arguments: MoveBlock, asker: Asker) -> Outcome:
        """Have a block begin at another time. Raises: ToolRefusedError."""
        before = await self._find(arguments.block_id, asker)
        begins = _moment(arguments.date, arguments.start_time)
        after = await self.schedule.move(asker.user_id, before.id, begins)
        if after is None:
            raise _no_block(before.id)
        if not isinstance(after, ScheduleBlock):
            self._check_free(after, asker)
            raise _no_block(before.id)
        undo = {
            "block_id": before.id,
            "before": before.starts_at.isoformat(),
            "after": after.starts_at.isoformat(),
        }
        return Outcome({"block_id": after.id}, done=self._say_moved(after, asker), undo=undo)

    async def move_back(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Have a block begin when it did before it was moved, unless it was moved again."""
        block = await self.schedule.find(asker.user_id, undo["block_id"])
        if block is None or block.starts_at.isoformat() != undo["after"]:
            return ""
        before = dt.datetime.fromisoformat(undo["before"])
        moved = await self.schedule.move(asker.user_id, block.id, before)
        return self._say_moved(moved, asker) if isinstance(moved, ScheduleBlock) else ""

    async def delete(self, arguments: OneBlock, asker: Asker) -> Outcome:
        """Delete a block. Raises: ToolRefusedError."""
        block = await self._find(arguments.block_id, asker)
        await self.schedule.delete(asker.user_id, block.id)
        undo = {
            "starts_at": block.starts_at.isoformat(),
            "ends_at": block.ends_at.isoformat(),
            "title": block.title,
            "task_id": block.task_id,
            "block_type": block.block_type,
            "origin": block.origin,
        }
        notice = self._say("agenda-block-create-undone", block, asker)
        return Outcome({"block_id": block.id}, done=notice, undo=undo)

    async def restore(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Add a block again that was deleted, if its time is still free."""
        starts_at, ends_at = (dt.datetime.fromisoformat(undo[n]) for n in ("starts_at", "ends_at"))
        block = NewBlock(**{**undo, "starts_at": starts_at, "ends_at": ends_at})
        new_block = await self.schedule.create(asker.user_id, block)
        if new_block is None:  # its task was deleted since
            new_block = await self.schedule.create(asker.user_id, replace(block, task_id=None))
        if not isinstance(new_block, ScheduleBlock):
            return ""
        return self._say("agenda-block-created", new_block, asker)

    async def _find(self, block_id: int, asker: Asker) -> ScheduleBlock:
        block = await self.schedule.find(asker.user_id, block_id)
        if block is None:
            raise _no_block(block_id)
        return block

    def _check_free(self, blocks: Sequence[ScheduleBlock], asker: Asker) -> None:
        """Refuse a time that these blocks take. Raises: ToolRefusedError."""
        if not blocks:
            return
        clocks = Clocks(asker.locale, asker.time_zone, self.now())
        names = ", ".join(
            f"{clocks.hours(one.starts_at, one.ends_at)} {one.title}"
            for one in blocks[:_MOST_NAMED]
        )
        sentence = say(asker.locale, "agenda-block-overlaps", blocks=names)
        raise ToolRefusedError("The time is taken.", question=sentence)

    def _say_moved(self, block: ScheduleBlock, asker: Asker) -> str:
        return self._say("agenda-block-moved", block, asker)

    def _say(self, key: str, block: ScheduleBlock, asker: Asker) -> str:
        span = Clocks(asker.locale, asker.time_zone, self.now()).span(
            block.starts_at, block.ends_at
        )
        return say(asker.locale, key, title=block.title, span=span)


def _moment(day: dt.date, text: str) -> dt.datetime:
    clock = read_clock(text)
    if clock is None:
        raise ToolRefusedError("start_time: write a time as HH:MM, such as 09:30.")
    return dt.datetime.combine(day, clock)


def _no_block(block_id: int) -> ToolRefusedError:
    return ToolRefusedError(f"Block {block_id} was not found.")


class UpdateNote(Arguments):
    """Changes to a note. Fields that are left out stay as they are."""

    null_clears = True
    note_id: RowId
    title: Title | None = None
    content: str | None = Field(None, max_length=20_000)
    folder_id: RowId | None = None


class OneNote(Arguments):
    """A note."""

    note_id: RowId


@dataclass(frozen=True, slots=True)
class NoteChangeTools:
    """Changes and deletes notes."""

    notes: Notes

    def tools(self) -> Sequence[Tool]:
        """The tools."""
        take_back = undo_update(self.notes, "note")
        return (
            Tool("update_note", "", UpdateNote, self.update, "change", take_back),
            Tool("delete_note", "", OneNote, self.delete, "delete", self.restore),
        )

    async def update(self, arguments: UpdateNote, asker: Asker) -> Outcome:
        """Change a note. Raises: ToolRefusedError."""
        fields = changed_fields(arguments, "note_id", {"folder_id"})
        change = await self.notes.update(asker.user_id, arguments.note_id, fields)
        note = await self.notes.find(asker.user_id, arguments.note_id)
        if change is None or note is None:
            raise _no_note(arguments.note_id)
        if not change.before:
            return Outcome({"note_id": note.id})
        notice = say(asker.locale, "agenda-note-updated", title=note.title)
        undo = undo_of(change, note_id=note.id, title=note.title)
        return Outcome({"note_id": note.id}, done=notice, undo=undo)

    async def delete(self, arguments: OneNote, asker: Asker) -> Outcome:
        """Delete a note, until the deletion is taken back. Raises: ToolRefusedError."""
        note = await self.notes.find(asker.user_id, arguments.note_id)
        if note is None or not await self.notes.delete(asker.user_id, note.id):
            raise _no_note(arguments.note_id)
        notice = say(asker.locale, "agenda-note-deleted", title=note.title)
        undo = {"note_id": note.id, "title": note.title}
        return Outcome({"note_id": note.id}, done=notice, undo=undo)

    async def restore(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Restore a deleted note."""
        is_back = await self.notes.restore(asker.user_id, undo["note_id"])
        return (
            say(asker.locale, "agenda-note-delete-undone", title=undo["title"]) if is_back else ""
        )


def _no_note(note_id: int) -> ToolRefusedError:
    return ToolRefusedError(f"Note {note_id} was not found.")
