"""Tools that read and fill a user's schedule."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from pydantic import Field, model_validator

from rich_agent.feature import Asker, Clocks, Outcome, Rule, Tool, ToolRefusedError, say
from rich_agent.feature.day import BlockType, DayTimeline, day_card
from rich_agent.feature.tools import (
    MIDDLE_DOT,
    CardLine,
    Clock,
    Day,
    LenientArguments,
    LineForm,
    ReadableCall,
    RowId,
    foreign_words,
    origin_of,
    read_clock,
    title_line,
    today_of,
    without_empty,
)
from rich_agent.features.agenda.domain.plans import NewBlock, ScheduleBlock
from rich_agent.features.agenda.ports import Schedule, Tasks
from rich_agent.features.agenda.tools.changing import undo_create
from rich_agent.features.agenda.tools.names import naming_of_tasks

_MOST_BLOCK_MINUTES = 24 * 60


class GetDailySchedule(LenientArguments):
    """The day to show."""

    date: Day | None = Field(None, description="YYYY-MM-DD; today if left out.")


class CreateScheduleBlock(LenientArguments):
    """The new block: with a task, or with a title of its own."""

    date: Day = Field(description="YYYY-MM-DD")
    start_time: str = Field(description="HH:MM, the user's local time.")
    duration_minutes: int = Field(ge=1, le=1440)
    task_id: RowId | None = None
    title: str = Field("", max_length=300)
    block_type: BlockType = "work"

    @model_validator(mode="after")
    def _check_title(self) -> Self:
        if bool(self.task_id) == bool(self.title):
            raise ValueError("give either task_id or title, not both")
        return self


@dataclass(frozen=True, slots=True)
class ScheduleTools:
    """Tools for the schedule of the user who asks."""

    schedule: Schedule
    tasks: Tasks
    now: Clock

    def tools(self) -> Sequence[Tool]:
        """Every tool for the schedule."""
        return (
            Tool(
                "get_daily_schedule",
                "Show the blocks of the user's schedule for a day.",
                GetDailySchedule,
                self.get_daily_schedule,
            ),
            Tool(
                "create_schedule_block",
                "Put a block of time into the user's schedule. Blocks must not overlap.",
                CreateScheduleBlock,
                self.create_schedule_block,
                "change",
                undo_create(self.schedule, "block"),
                rule=Rule.of_own_texts("title"),
                names={"task_id": naming_of_tasks(self.tasks)},
                line=LineForm(_block_line, ("title", "task_id")),
            ),
        )

    async def get_daily_schedule(self, arguments: GetDailySchedule, asker: Asker) -> Outcome:
        """The blocks of a day, in order."""
        day = arguments.date or today_of(asker, self.now())
        blocks = await self.schedule.day(asker.user_id, day)
        day_name = Clocks(asker.locale, asker.time_zone, self.now()).day(day)
        data = {"date": day, "day": day_name, "blocks": [_row(block) for block in blocks]}
        return Outcome(data, words=foreign_words(blocks))

    async def create_schedule_block(self, new: CreateScheduleBlock, asker: Asker) -> Outcome:
        """Create a block, unless it overlaps others; returns it."""
        starts_at, ends_at = _span(new)
        origin = await origin_of(asker, new.title)
        block = NewBlock(starts_at, ends_at, new.title, new.task_id, new.block_type, origin)
        stored_block = await self.schedule.create(asker.user_id, block)
        if stored_block is None:
            raise _no_task(new)
        if not isinstance(stored_block, ScheduleBlock):
            raise ToolRefusedError(_overlap(stored_block))
        clocks = Clocks(asker.locale, asker.time_zone, self.now())
        span = clocks.span(stored_block.starts_at, stored_block.ends_at)
        notice = say(asker.locale, "agenda-block-created", title=stored_block.title, span=span)
        undo = {"block_id": stored_block.id, "title": stored_block.title, "span": span}
        words = foreign_words([stored_block])
        outcome = Outcome(
            {"date": new.date, **_row(stored_block)}, done=notice, undo=undo, words=words
        )
        if not asker.has_approved:
            return outcome
        # Who was asked planned the day: they see all of it, not each block by itself.
        timeline = DayTimeline.of(new.date, await self.schedule.day(asker.user_id, new.date))
        return replace(
            outcome, card=day_card(timeline, asker.locale), attachments=(timeline.attachment,)
        )


def _block_line(subject: str, call: ReadableCall) -> CardLine:
    """The line of a card, with the hours of the block.

    For instance, "Add to your schedule: Write the report · Fri, 27 Nov, 9:00–11:00".
    """
    line, arguments = title_line(subject, call), call.arguments
    try:
        day = dt.date.fromisoformat(str(arguments["date"]))
        clock = read_clock(str(arguments["start_time"]))
        minutes = int(str(arguments["duration_minutes"]))
    except (KeyError, ValueError):
        return line
    if clock is None or not 0 < minutes < _MOST_BLOCK_MINUTES:
        return line
    begins = dt.datetime.combine(day, clock)
    hours = call.clocks.dated_span(begins, begins + dt.timedelta(minutes=minutes))
    names = frozenset({"date", "start_time", "duration_minutes"})
    return CardLine(f"{line.text} {MIDDLE_DOT} {hours}", names)


def _span(new: CreateScheduleBlock) -> tuple[dt.datetime, dt.datetime]:
    clock = read_clock(new.start_time)
    if clock is None:
        raise ToolRefusedError("start_time: write a time as HH:MM, such as 09:30.")
    starts_at = dt.datetime.combine(new.date, clock)
    return starts_at, starts_at + dt.timedelta(minutes=new.duration_minutes)


def _no_task(new: CreateScheduleBlock) -> ToolRefusedError:
    return ToolRefusedError(
        f"Task {new.task_id} was not found. Find the id with get_tasks, or give a title."
    )


def _overlap(blocks: Sequence[ScheduleBlock]) -> str:
    conflicts = ", ".join(
        f"{block.starts_at:%H:%M}–{block.ends_at:%H:%M} {block.title}" for block in blocks
    )
    return f"It overlaps with: {conflicts or 'another block'}. Choose a time that is free."


def _row(block: ScheduleBlock) -> dict[str, Any]:
    return {
        "block_id": block.id,
        "start_time": f"{block.starts_at:%H:%M}",
        "end_time": f"{block.ends_at:%H:%M}",
        "title": block.title,
        **without_empty({"task_id": block.task_id}),
        "block_type": block.block_type,
    }
