"""Interfaces of what belongs to a user or to the operator rather than to a turn.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

Rating = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Account:
    """How a user is to be treated; every default is that of somebody unknown.

    `locale` is what they chose with /language, `preferred_locale` the language that they told as a
    preference and that the memory holds. `is_allowed` is their entry in the access list, and
    `fresh_from` the update of their last /new: turns after it know nothing of what was before.
    """

    locale: str | None = None
    is_allowed: bool | None = None
    fresh_from: int = 0
    preferred_locale: str | None = None

    @property
    def language(self) -> str | None:
        """The locale of the product's own phrases, None where nothing is known of it."""
        return self.locale or self.preferred_locale


@dataclass(frozen=True, slots=True)
class KnownUser:
    """A line of the operator's list of users; `is_blocking`: they blocked the bot."""

    telegram_user_id: int
    first_name: str
    last_seen_at: datetime | None
    is_blocking: bool
    is_allowed: bool | None


class Accounts(Protocol):
    """What users chose, and the operator's access list."""

    async def find(self, user_id: int) -> Account:
        """The account, in one query."""
        ...

    async def choose_locale(self, user_id: int, locale: str | None) -> None:
        """Keep the language for the product's own phrases; None: as Telegram says."""
        ...

    async def begin_afresh(self, user_id: int, update_id: int) -> None:
        """Let turns after `update_id` know nothing of those before; an older /new changes nothing.

        An update that comes a second time changes nothing either.
        """
        ...

    async def set_access(self, user_id: int, *, is_allowed: bool, by: int | None) -> None:
        """Write the user's entry in the access list; it holds at once, in every process."""
        ...

    async def page(self, offset: int, limit: int) -> tuple[Sequence[KnownUser], int]:
        """Users and entries of the access list, last seen first; and how many there are."""
        ...


class UserData(Protocol):
    """Everything that is kept about one user, in both databases."""

    async def export(self, user_id: int) -> Mapping[str, Any]:
        """All of it as JSON; its shape is docs/reference/export.md."""
        ...

    async def forget(self, user_id: int) -> None:
        """Delete all of it up to now, so that nothing comes back; safe to repeat.

        An answer that is being written is broken off first. The entry in the access list stays: it
        is the operator's.
        """
        ...


CONFIRM_WITHIN_S = 600.0


class Confirmations(Protocol):
    """Questions that wait for a yes, for ten minutes."""

    async def offer(self, user_id: int, subject: str) -> str:
        """Keep what is to be confirmed; a token of 16 characters for the button."""
        ...

    async def find(self, user_id: int, token: str) -> str | None:
        """What was offered to this user under the token, None if it is not open any more."""
        ...

    async def close(self, user_id: int, token: str) -> None:
        """The question was answered."""
        ...


class Feedback(Protocol):
    """What users thought of their answers."""

    async def rate(self, thread_id: str, request_id: str, rating: Rating | None) -> bool:
        """Keep, change or (None) take back the rating; False if there is no such answer."""
        ...


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """An active source: how much of it is known, and when it was last synced."""

    name: str
    is_internal: bool
    documents: int
    passages: int
    synced_at: datetime | None


@dataclass(frozen=True, slots=True)
class SourcePage:
    """Some of the active sources, and the sums of all of them."""

    sources: tuple[SourceSummary, ...]
    source_count: int
    documents: int
    passages: int
    synced_at: datetime | None


class SourceCatalogue(Protocol):
    """What the bot knows."""

    async def page(self, offset: int, limit: int) -> SourcePage:
        """Active sources by name, those about the bot last."""
        ...


@dataclass(frozen=True, slots=True)
class UserWorkload:
    """Whether an answer is being written for a user, and how many messages wait behind it."""

    is_answering: bool
    waiting: int


class Workload(Protocol):
    """What the bot has to do."""

    async def of_user(self, user_id: int, *, besides: int) -> UserWorkload:
        """Messages of this user; the update `besides`, which asks, does not count."""
        ...


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
    """How the bot does; `dead` updates were given up, `undelivered` messages are of the week."""

    users: UserStatistics
    turns: TurnStatistics
    rated_up: int
    rated_down: int
    pending: int
    dead: int
    undelivered: int


class StatisticsReader(Protocol):
    """Counts for the operator."""

    async def read(self) -> Statistics:
        """All of them, as of now."""
        ...
