"""Reads a schedule as a model saves it; one in another form is shown as it is, but not drawn."""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from rich_agent.domain.agenda.day_timeline import DayTimeline
from rich_agent.domain.agenda.schedule import BlockType
from rich_agent.domain.reminders.wall_time import read_clock
from rich_agent.tools.arguments import Day

_KINDS = get_args(BlockType)


def _read_time(value: object) -> object:
    """A time from HH:MM. Raises: ValueError."""
    clock = read_clock(value) if isinstance(value, str) else None
    if clock is None:
        raise ValueError("write a time as HH:MM")
    return clock


def _known_kind(value: object) -> object:
    """Work, where a model invents a kind: the block is no less planned for that."""
    return value if value in _KINDS else "work"


_Time = Annotated[dt.time, BeforeValidator(_read_time)]


class SavedBlock(BaseModel):
    """A block with its beginning, and its length or its end."""

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
    """The day that was saved, today unless it says otherwise; None if it is not in that form."""
    try:
        saved = SavedDay.model_validate({"blocks": data} if isinstance(data, list) else data)
    except ValidationError:
        return None
    day = saved.date or today
    return DayTimeline.of(day, [_placed(block, day) for block in saved.blocks])


def _placed(block: SavedBlock, day: dt.date) -> _PlacedInDay:
    begins = dt.datetime.combine(day, block.start_time)
    if block.duration_minutes is not None:
        ends = begins + dt.timedelta(minutes=block.duration_minutes)
    else:
        ends = dt.datetime.combine(day, block.end_time or block.start_time)
        ends += dt.timedelta(days=ends <= begins)
    return _PlacedInDay(begins, ends, block.title, block.block_type)
