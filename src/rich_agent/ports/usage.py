"""Interfaces of the usage ledger and of the count of questions in groups.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from rich_agent.domain.usage_limits import Call, DailyLimits, DailyUsage, Payer, Usage, UsageLine

HOLD_S = 3600.0
"""The seconds after which an unsettled reservation no longer counts; no turn takes that long."""


class UsageLedger(Protocol):
    """The usage of each user per UTC day, and the reservations of running calls.

    Each call is reserved before it is made, and all calls of a turn are settled together. So a call
    that a crash interrupted is charged, too: by its estimate, when the turn ends or an hour later.
    """

    async def reserve(self, payer: Payer, call: Call, turn_tokens: int, limits: DailyLimits) -> int:
        """Reserve a call; return the number to settle it with.

        The first call of a turn reserves `turn_tokens` for the whole turn. The others draw on
        these, and may pass 0. Concurrent reservations of a user together never exceed a limit.

        Raises: DailyLimitError, LaneLostError.
        """

    async def settle(self, payer: Payer, used: Mapping[int, Usage], *, is_over: bool) -> None:
        """Replace the reservations of calls, by number, by their usage; twice changes nothing.

        With `is_over` the turn ends, and the unused part of its reservation is released. Its other
        open calls, also of attempts that a crash ended, are charged by their estimate.

        Raises: LaneLostError.
        """

    async def standing(self, user_id: int) -> DailyUsage:
        """The user's usage today."""

    async def lines(self, days: int) -> Sequence[UsageLine]:
        """The usage of all users in the last `days` days including today, newest day first."""

    async def prune(self, days: float) -> int:
        """Delete days older than `days`, and settle old reservations; return the number of rows."""


Admission = Literal["answered", "command", "user_limit", "group_limit", "silent"]
"""The reply to a question: an answer, a notice of a limit, or nothing after that notice.

A "command", which calls no model, has no limit.
"""


@dataclass(frozen=True, slots=True)
class GuestLimits:
    """The most answers for one user in 24 hours, and for one group in an hour; 0: no limit."""

    per_user_a_day: int = 20
    per_group_an_hour: int = 30


@dataclass(frozen=True, slots=True)
class GuestEntry:
    """A question or command of a user in a group, by the update that brought it.

    If it `is_private`, only its user gets the answer.
    """

    update_id: int
    user_id: int
    chat_id: int
    is_private: bool = False
    is_command: bool = False


@dataclass(frozen=True, slots=True)
class Admitted:
    """The reply to an entry, and whether only its user gets it."""

    admission: Admission
    is_private: bool = False


class Guests(Protocol):
    """Counts questions by tags that reveal neither user nor group.

    Raises: LaneLostError for writes of a lost lane.
    """

    async def admit(self, entry: GuestEntry, limits: GuestLimits) -> Admitted:
        """Admit the question of an update, with the same result each time.

        "silent" once it is closed. Whether it is private is decided the first time, so that what
        was read for its user alone is never sent to the group, even if rights change meanwhile.
        """

    async def is_private(self, update_id: int) -> bool:
        """Whether only the user gets the answer; False for what was not admitted yet."""

    async def close(self, update_id: int, thread_id: str) -> None:
        """Note that a question is answered; its turn and its messages are forgotten."""
