"""Tools of a guided session: save its result, such as the plan of a day, and end it."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from rich_agent.feature import Arguments, Asker, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.day import BlockType, DayTimeline, day_card
from rich_agent.feature.tools import Clock, Day, read_clock, today_of
from rich_agent.features.session.cards import data_card
from rich_agent.features.session.records import Sessions
from rich_agent.features.session.sessions import SessionTemplate

END_TOOL = "complete_ceremony"
"""The tool by which a model ends a guided session."""


class Output(Arguments):
    """The output of a session."""

    output_type: Literal["schedule", "task_list", "summary", "plan"]
    data: dict[str, Any] | list[Any] | str = Field(
        description="The result as text, a list, or an object of texts and lists. Of a schedule: "
        '{"date": "YYYY-MM-DD", "blocks": [{"start_time": "HH:MM", "duration_minutes": 60, '
        '"title": "…", "block_type": "work|break|meeting|personal"}]}'
    )


class Completion(Arguments):
    """The end of a session."""

    summary: str = Field(
        "", max_length=4_000, description="What was achieved, in a sentence or two."
    )


@dataclass(frozen=True, slots=True)
class SessionTools:
    """Stores the results of sessions, and closes sessions."""

    sessions: Sessions
    templates: Mapping[str, SessionTemplate]
    now: Clock

    def tools(self) -> Sequence[Tool]:
        """Both tools; only a model in an open session can call them."""
        save = Tool(
            "save_ceremony_output",
            "Save the result of this session; it is shown to the user as a card.",
            Output,
            self.save,
            "session",
        )
        complete = Tool(
            END_TOOL,
            "End this session, when its purpose is reached or the user wants to stop.",
            Completion,
            self.complete,
            "session",
            self.reopen,
        )
        return (save, complete)

    async def save(self, output: Output, asker: Asker) -> Outcome:
        """Store the result, and show it as a card."""
        if not await self.sessions.keep(asker.user_id, output.model_dump()):
            raise ToolRefusedError("No session is open. Answer in words.")
        heading = say(asker.locale, f"session-output-{output.output_type}")
        outcome = Outcome({"saved": True}, done=heading, card=data_card(heading, output.data))
        if output.output_type != "schedule":
            return outcome
        timeline = read_day(output.data, today_of(asker, self.now()))
        if timeline is None:
            return outcome
        return replace(
            outcome, card=day_card(timeline, asker.locale), attachments=(timeline.attachment,)
        )

    async def complete(self, completion: Completion, asker: Asker) -> Outcome:
        """Keep the summary, and close the session."""
        if completion.summary:
            # Only an open session takes results.
            await self.sessions.keep(asker.user_id, {"summary": completion.summary})
        session = await self.sessions.end(asker.user_id, "completed")
        if session is None:
            raise ToolRefusedError("No session is open. Answer in words.")
        template = self.templates.get(session.template)
        title = template.title(asker.locale) if template else session.template
        notice = say(asker.locale, "session-completed", title=title)
        return Outcome({"completed": True}, done=notice, undo={"session_id": session.id})

    async def reopen(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Reopen the session."""
        is_open = await self.sessions.reopen(asker.user_id, undo["session_id"])
        return say(asker.locale, "session-reopened") if is_open else ""


_KINDS = get_args(BlockType)


def _read_time(value: object) -> object:
    """A time from HH:MM. Raises: ValueError."""
    clock = read_clock(value) if isinstance(value, str) else None
    if clock is None:
        raise ValueError("write a time as HH:MM")
    return clock


def _known_kind(value: object) -> object:
    """The kind of a block, or "work" for an unknown kind, so that the block is kept."""
    return value if value in _KINDS else "work"


_Time = Annotated[dt.time, BeforeValidator(_read_time)]


class SavedBlock(BaseModel):
    """A block with its beginning, and with its length or its end."""

    start_time: _Time
    duration_minutes: int | None = Field(None, ge=1, le=1440)
    end_time: _Time | None = None
    title: str = ""
    block_type: Annotated[BlockType, BeforeValidator(_known_kind)] = "work"

    @model_validator(mode="after")
    def _check_end(self) -> "SavedBlock":
        if self.duration_minutes is None and self.end_time is None:
            raise ValueError("a block needs duration_minutes or end_time")
        return self


class SavedDay(BaseModel):
    """A schedule in the form that the tool asks for."""

    date: Day | None = None
    blocks: list[SavedBlock] = Field(min_length=1, max_length=200)


@dataclass(frozen=True, slots=True)
class _PlacedInDay:
    """A saved block on its day."""

    starts_at: dt.datetime
    ends_at: dt.datetime
    title: str
    block_type: BlockType


def read_day(data: dict[str, Any] | list[Any] | str, today: dt.date) -> DayTimeline | None:
    """The saved day, by default today; None if the data is not a schedule."""
    try:
        saved_day = SavedDay.model_validate({"blocks": data} if isinstance(data, list) else data)
    except ValidationError:
        return None
    day = saved_day.date or today
    return DayTimeline.of(day, [_place_block(block, day) for block in saved_day.blocks])


def _place_block(block: SavedBlock, day: dt.date) -> _PlacedInDay:
    starts_at = dt.datetime.combine(day, block.start_time)
    if block.duration_minutes is not None:
        ends_at = starts_at + dt.timedelta(minutes=block.duration_minutes)
    else:
        ends_at = dt.datetime.combine(day, block.end_time or block.start_time)
        ends_at += dt.timedelta(days=ends_at <= starts_at)
    return _PlacedInDay(starts_at, ends_at, block.title, block.block_type)
