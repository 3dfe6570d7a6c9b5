"""Interfaces for the operator: workload, statistics, and alerts to admins.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class UserWorkload:
    """Whether an answer is being written for a user, and how many messages wait behind it."""

    is_answering: bool
    waiting: int


class Workload(Protocol):
    """The bot's current work."""

    async def of_user(self, user_id: int, *, besides: int) -> UserWorkload:
        """The workload of this user, without the update `besides`, which is the one that asks."""


@dataclass(frozen=True, slots=True)
class UserStatistics:
    """Users: all known ones, those active in the last day and week, those who blocked the bot."""

    known: int
    of_day: int
    of_week: int
    blocking: int


@dataclass(frozen=True, slots=True)
class TurnStatistics:
    """Turns of the last week; `of_day` counts those of the last day.

    `plans` counts by plan, `broken_off` counts turns that never finished; `p50_s` and `p95_s` are
    percentiles of the seconds that all nodes of a turn took together.
    """

    of_day: int
    of_week: int
    plans: Mapping[str, int]
    broken_off: int
    p50_s: float
    p95_s: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """The state of the bot; `dead` updates were given up, `undelivered` counts the last week.

    `unapproved` answers wait for an admin.
    """

    users: UserStatistics
    turns: TurnStatistics
    rated_up: int
    rated_down: int
    pending: int
    dead: int
    undelivered: int
    unapproved: int


class StatisticsReader(Protocol):
    """Reads statistics for the operator."""

    async def read(self) -> Statistics:
        """The statistics as of now."""


class Alerts(Protocol):
    """When admins were last told about each cause, by any process."""

    async def may_tell(self, cause: str, pause_s: float) -> bool:
        """Whether the cause was not reported within `pause_s`; if so, marks it as reported now.

        Raises: DatabaseUnavailableError.
        """
