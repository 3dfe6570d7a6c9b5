"""Interface to calendar feeds: who subscribes to which calendar, and what it shows.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from rich_agent.domain.agenda.calendar import CalendarEntry


@dataclass(frozen=True, slots=True)
class FeedOwner:
    """Whose feed it is, with their entry in the access list and their time zone ("" if unknown)."""

    user_id: int
    is_allowed: bool | None
    time_zone: str


class CalendarFeeds(Protocol):
    """At most one feed for each user. Its token is a secret that is not kept itself."""

    async def make(self, user_id: int) -> str:
        """The token of a new feed, 43 characters of a URL; an earlier one ends."""

    async def token(self, user_id: int) -> str | None:
        """The token of the user's feed, None without one.

        None, too, if it was made under another secret of the installation; the feed still works.
        """

    async def revoke(self, user_id: int) -> bool:
        """End the user's feed; whether there was one."""

    async def owner(self, token: str) -> FeedOwner | None:
        """Whose feed a token opens, in one query whether there is one or not."""

    async def entries(self, user_id: int, since: date, until: date) -> Sequence[CalendarEntry]:
        """Return the user's plans from `since` up to, but not on, `until`.

        Recurring ones are among them however long they have been due, and every reminder to come.
        """
