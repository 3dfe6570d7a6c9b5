"""Kinds of arguments that several tools take."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Annotated, Any, Protocol

from pydantic import BeforeValidator, Field, model_validator

from rich_agent.domain.time.wall_time import day_at
from rich_agent.domain.words import Origin, Words
from rich_agent.ports.tools import Asker
from rich_agent.tools.tool import Arguments

Clock = Callable[[], datetime]


class Nothing(Arguments):
    """No arguments."""


_FIRST_YEAR, _LAST_YEAR = 1970, 2199


def _read_date(value: object) -> object:
    """A date from its ISO form, also if a time follows. Raises: ValueError."""
    if not isinstance(value, str):
        return value if value is None or isinstance(value, date) else _no_date()
    try:
        day = date.fromisoformat(value.strip()[:10])
    except ValueError:
        return _no_date()
    return day if _FIRST_YEAR <= day.year <= _LAST_YEAR else _no_date()


def _no_date() -> object:
    raise ValueError("write a date as YYYY-MM-DD")


Day = Annotated[date, BeforeValidator(_read_date)]
RowId = Annotated[int, Field(ge=1, le=2**53)]
Title = Annotated[str, Field(min_length=1, max_length=300)]
Limit = Annotated[int, Field(ge=1, le=100)]


class LenientArguments(Arguments):
    """Arguments, of which empty ones count as left out, because small models fill in all."""

    @model_validator(mode="before")
    @classmethod
    def _leave_out_empty(cls, values: object) -> object:
        if not isinstance(values, Mapping):
            return values
        return {name: value for name, value in values.items() if value is not None and value != ""}


def today_of(asker: Asker, now: datetime) -> date:
    """The day at the user's place; in UTC while that is not known."""
    return day_at(now, asker.time_zone)


class Written(Protocol):
    """A row with words that somebody wrote."""

    @property
    def words(self) -> Words:
        """The words, with who wrote them."""


def foreign_words(rows: Iterable[Written]) -> tuple[Words, ...]:
    """The words of the rows that other people wrote."""
    return tuple(row.words for row in rows if row.words.is_foreign)


async def origin_of(asker: Asker, *texts: str | None) -> Origin:
    """The author of these texts of a call. Found in a thread, because the prompt may be long."""
    filled_texts = [text for text in texts if text]
    return (await asyncio.to_thread(asker.provenance().author, filled_texts)).origin


def without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row for a model: all fields that are not empty."""
    return {name: value for name, value in values.items() if value not in (None, "", False)}
