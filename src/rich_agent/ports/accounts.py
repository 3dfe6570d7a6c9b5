"""Interfaces of what belongs to a user rather than to a turn: who they are, what they chose.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from rich_agent.domain.message import User

Rating = Literal["up", "down"]


class Users(Protocol):
    """Who has written to the bot."""

    async def remember(self, user: User) -> None:
        """Insert or update a user; their last message in Telegram is now."""

    async def mark_blocked(self, telegram_user_id: int) -> None:
        """Note that the user blocked the bot; cleared when they write again."""


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

    async def choose_locale(self, user_id: int, locale: str | None) -> None:
        """Keep the language for the product's own phrases; None: as Telegram says."""

    async def begin_afresh(self, user_id: int, update_id: int) -> None:
        """Let turns after `update_id` know nothing of those before; an older /new changes nothing.

        An update that comes a second time changes nothing either.
        """

    async def set_access(self, user_id: int, *, is_allowed: bool, by: int | None) -> None:
        """Write the user's entry in the access list; it holds at once, in every process."""

    async def page(self, offset: int, limit: int) -> tuple[Sequence[KnownUser], int]:
        """Users and entries of the access list, last seen first; and how many there are.

        Who only asked at the terminal is none of them: the bot cannot write to them.
        """

    async def names(self, user_ids: Collection[int], /) -> Mapping[int, str]:
        """The first names of those of them that are known."""


class UserData(Protocol):
    """Everything that is kept about one user, in both databases."""

    async def export(self, user_id: int) -> Mapping[str, Any]:
        """All of it as JSON; its shape is docs/reference/export.md."""

    async def forget(self, user_id: int) -> tuple[int, ...]:
        """Delete all of it up to now, so that nothing comes back; safe to repeat.

        An answer that is being written is broken off first; what comes back are the messages that
        promise it. The entry in the access list stays: it is the operator's.
        """


CONFIRM_WITHIN_S = 600.0


class Confirmations(Protocol):
    """Questions that wait for a yes, for ten minutes."""

    async def offer(self, user_id: int, subject: str) -> str:
        """Keep what is to be confirmed; a token of 16 characters for the button."""

    async def find(self, user_id: int, token: str) -> str | None:
        """What was offered to this user under the token, None if it is not open any more."""

    async def close(self, user_id: int, token: str) -> None:
        """The question was answered."""


class Feedback(Protocol):
    """What users thought of their answers."""

    async def rate(self, thread_id: str, request_id: str, rating: Rating | None) -> bool:
        """Keep, change or (None) take back the rating; False if there is no such answer."""
