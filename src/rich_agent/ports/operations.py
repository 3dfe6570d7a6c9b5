"""Interfaces for the operator: what the bot has to do, how it does, when admins were told.

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
    """What the bot has to do."""

    async def of_user(self, user_id: int, *, besides: int) -> UserWorkload:
        """Messages of this user; the update `besides`, which asks, does not count."""


@dataclass(frozen=True, slots=True)
class UserStatistics:
    """Users: all that are known, those of the last day and week, those who blocked the bot."""

    known: int
    of_day: int
    of_week: int
    blocking: int


@dataclass(frozen=True, slots=True)
class TurnStatistics:
    """Turns of the last day and week; all but `of_day` are of the week.

    `plans` counts by plan, `broken_off` those that never came to their end; `p50_s` and `p95_s` are
    the seconds that all nodes of a turn took together.
    """

    of_day: int
    of_week: int
    plans: Mapping[str, int]
    broken_off: int
    p50_s: float
    p95_s: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """How the bot does; `dead` updates were given up, `undelivered` messages are of the week.

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
    """Counts for the operator."""

    async def read(self) -> Statistics:
        """All of them, as of now."""


class Alerts(Protocol):
    """When admins were last told of each cause, by whichever process."""

    async def may_tell(self, cause: str, pause_s: float) -> bool:
        """Whether nobody told of it within `pause_s`; if so, it counts as told now.

        Raises: DatabaseUnavailableError.
        """
