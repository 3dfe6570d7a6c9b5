"""Interfaces for a user's data that belong to no turn: profile, choices, access, ratings.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, Protocol

from rich_agent.domain.access import Access
from rich_agent.domain.languages import choose_locale
from rich_agent.domain.message import User
from rich_agent.domain.time.wall_time import QuietHours

Rating = Literal["up", "down"]
TakeStartCode = Callable[[int, str], Awaitable[bool]]
"""Takes the code of a link to the bot from a user, also from one who may not use it yet; tells
whether it was theirs."""


class Users(Protocol):
    """The users who have written to the bot."""

    async def remember(self, user: User) -> None:
        """Insert or update a user, and set the time of their last message to now."""

    async def mark_blocked(self, telegram_user_id: int) -> None:
        """Note that the user blocked the bot, until they write again."""


@dataclass(frozen=True, slots=True)
class Account:
    """A user's choices and access; the defaults are those of an unknown user."""

    locale: str | None = None
    """The language that the user chose with /language."""
    is_allowed: bool | None = None
    """The user's entry in the access list."""
    fresh_from: int = 0
    """The update of the last /new: later turns see nothing from before it."""
    preferred_locale: str | None = None
    """The language that the memory holds as a preference."""
    time_zone: str = ""
    """The IANA name of the user's time zone, "" if unknown."""
    spoken: str | None = None
    """The locale of the user's last message since they last chose a language."""
    client: str | None = None
    """The language of the user's Telegram app, a BCP 47 tag."""
    quiet_hours: QuietHours | None = None
    """The hours in which nothing is sent unasked that can wait."""
    default_language: str | None = None
    """The locale where no client names a language; None: English."""

    @property
    def language(self) -> str | None:
        """The locale for the bot's own sentences, None if it is not known."""
        return self.locale or self.preferred_locale

    def locale_for(self, words: str = "", client: str | None = None) -> str:
        """The locale for the bot's own sentences about these words, which a client sent.

        It is the one that the user chose, else that of the words, of earlier words, or of the
        client.
        """
        return self.language or choose_locale(words, self._code(client))

    def in_turn(self, user: User) -> User:
        """The user with the choices that a turn needs."""
        language_code = self._code(user.language_code)
        return replace(
            user, locale=self.locale, language_code=language_code, time_zone=self.time_zone
        )

    def _code(self, client: str | None) -> str | None:
        """The language of the user's client, or the one that they wrote last."""
        return self.spoken or client or self.client or self.default_language


@dataclass(frozen=True, slots=True)
class KnownUser:
    """An entry of the operator's list of users; `is_blocking` if the user blocked the bot."""

    telegram_user_id: int
    first_name: str
    last_seen_at: datetime | None
    is_blocking: bool
    is_allowed: bool | None


class Accounts(Protocol):
    """The users' choices, and the operator's access list."""

    async def find(self, user_id: int) -> Account:
        """The account, in one query."""

    async def introduce(self, user_id: int, name: str, language: str | None) -> None:
        """Insert or update a person without Telegram, who is there now.

        `language` is a BCP 47 tag.
        """

    async def choose_locale(self, user_id: int, locale: str | None) -> None:
        """Store the language for the bot's own sentences; None stands for that of Telegram."""

    async def choose_time_zone(self, user_id: int, time_zone: str) -> None:
        """Store the user's time zone, an IANA name."""

    async def learn_time_zone(self, user_id: int, time_zone: str) -> None:
        """Store the user's time zone, unless it is known already."""

    async def keep_quiet_hours(self, user_id: int, hours: QuietHours | None) -> None:
        """Keep the hours in which the user wants nothing that can wait; None: there are none."""

    async def begin_afresh(self, user_id: int, update_id: int) -> None:
        """Start a new conversation for turns after `update_id`.

        An older /new, or the same one again, changes nothing.
        """

    async def set_access(self, user_id: int, *, is_allowed: bool, by: int | None) -> None:
        """Write the user's entry in the access list; it takes effect at once in every process."""

    async def page(self, offset: int, limit: int) -> tuple[Sequence[KnownUser], int]:
        """Users and entries of the access list, last seen first, and the number of all.

        People who only used the terminal are not included: the bot cannot write to them.
        """

    async def recipients(self, access: Access) -> Sequence[int]:
        """The ids of the users whom the bot may write to unasked.

        They have written to the bot, may use it by `access` and the access list, and do not block
        it.
        """

    async def names(self, user_ids: Collection[int], /) -> Mapping[int, str]:
        """First names by user id; unknown users are left out."""


class Operator(Protocol):
    """The user whom the bot belongs to if no setting names one: the first who sent the code."""

    async def code(self) -> str:
        """The secret code, 128 random bits; the same in every process."""

    async def find(self) -> int | None:
        """The operator's user id, None while nobody has sent the code."""

    async def bind(self, user_id: int, code: str, /) -> bool:
        """Make the user the operator if they are first to send the code; return whether they are.

        The operator is allowed in every process at once. Repeating it changes nothing.
        """


class PersonalData(Protocol):
    """Everything that is stored about a user, in both databases."""

    async def export(self, user_id: int) -> Mapping[str, Any]:
        """All stored data as JSON; docs/reference/export.md describes the shape."""

    async def forget(self, user_id: int) -> tuple[int, ...]:
        """Delete everything up to now, and return the ids of messages that promise an answer.

        It is safe to repeat. An answer that is being written is stopped first, and these messages
        belong to it. The entry in the access list stays, because it belongs to the operator.
        """


CONFIRM_WITHIN_S = 600.0


class Confirmations(Protocol):
    """Questions that wait up to ten minutes for a yes."""

    async def offer(self, user_id: int, subject: str) -> str:
        """Store a subject to confirm; return a token of 16 characters for the button."""

    async def find(self, user_id: int, token: str) -> str | None:
        """The subject offered to this user under the token, None if it is no longer open."""

    async def close(self, user_id: int, token: str) -> None:
        """Note that the question was answered."""


@dataclass(frozen=True, slots=True)
class AnswerRating:
    """A user's rating of the answer to a request, None if it was withdrawn.

    `thread_id` is the user's main thread.
    """

    thread_id: str
    request_id: str
    rating: Rating | None


NoteRating = Callable[[AnswerRating], Awaitable[None]]
"""Notes a rating that was stored."""


class Feedback(Protocol):
    """The users' ratings of their answers."""

    async def rate(self, thread_id: str, request_id: str, rating: Rating | None) -> bool:
        """Store or change the rating, or remove it (None); False if there is no such answer."""

    async def ratings(self, thread_id: str, request_ids: Sequence[str]) -> Mapping[str, Rating]:
        """The ratings of these answers in all threads of the user; `thread_id` is the main one."""
