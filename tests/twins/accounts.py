"""Accounts, confirmations and feedback without a database."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich_agent.domain.access import Access
from rich_agent.domain.memory.items import preferred_locale
from rich_agent.domain.message import User
from rich_agent.domain.text import clean_text
from rich_agent.domain.time.wall_time import QuietHours
from rich_agent.ports.accounts import CONFIRM_WITHIN_S, Account, KnownUser, Rating
from tests.twins.conversations import InMemoryUsers
from tests.twins.knowledge import InMemoryDecisions
from tests.twins.memories import InMemoryMemories


@dataclass(slots=True)
class InMemoryAccounts:
    """Implements `Accounts`; the names are those that `users` remembers."""

    users: InMemoryUsers = field(default_factory=InMemoryUsers)
    accounts: dict[int, Account] = field(default_factory=dict)
    memories: InMemoryMemories = field(default_factory=InMemoryMemories)

    async def find(self, user_id: int) -> Account:
        told = preferred_locale(await self.memories.load(user_id))
        known = self.users.known.get(user_id)
        client = known.language_code if known else None
        found = self.accounts.get(user_id, Account())
        return replace(found, preferred_locale=told, client=client)

    async def introduce(self, user_id: int, name: str, language: str | None) -> None:
        self.users.known[user_id] = User(user_id, name, language_code=language)

    async def choose_locale(self, user_id: int, locale: str | None) -> None:
        self.accounts[user_id] = replace(await self.find(user_id), locale=locale, spoken=None)

    async def choose_time_zone(self, user_id: int, time_zone: str) -> None:
        self.accounts[user_id] = replace(await self.find(user_id), time_zone=time_zone)

    async def learn_time_zone(self, user_id: int, time_zone: str) -> None:
        if not (await self.find(user_id)).time_zone:
            await self.choose_time_zone(user_id, time_zone)

    async def keep_quiet_hours(self, user_id: int, hours: QuietHours | None) -> None:
        self.accounts[user_id] = replace(await self.find(user_id), quiet_hours=hours)

    async def begin_afresh(self, user_id: int, update_id: int) -> None:
        account = await self.find(user_id)
        newest = max(account.fresh_from, update_id)
        self.accounts[user_id] = replace(account, fresh_from=newest)

    async def set_access(self, user_id: int, *, is_allowed: bool, by: int | None) -> None:  # noqa: ARG002 - the port's
        self.accounts[user_id] = replace(await self.find(user_id), is_allowed=is_allowed)

    async def recipients(self, access: Access) -> Sequence[int]:
        return [
            user_id
            for user_id in sorted(self.users.known.keys() - self.users.blocked)
            if access.permits(user_id, (await self.find(user_id)).is_allowed)
        ]

    async def page(self, offset: int, limit: int) -> tuple[Sequence[KnownUser], int]:
        """The twin keeps no times, so the order is that of the ids."""
        known = self.users.known
        listed = {key for key, account in self.accounts.items() if account.is_allowed is not None}
        ids = sorted(known.keys() | listed)
        shown = [
            KnownUser(
                telegram_user_id=user_id,
                first_name=known[user_id].first_name if user_id in known else "",
                last_seen_at=None,
                is_blocking=user_id in self.users.blocked,
                is_allowed=(await self.find(user_id)).is_allowed,
            )
            for user_id in ids[offset : offset + limit]
        ]
        return shown, len(ids)

    async def names(self, user_ids: Collection[int]) -> Mapping[int, str]:
        found = {user_id: self.users.known.get(user_id) for user_id in user_ids}
        return {key: user.first_name for key, user in found.items() if user and user.first_name}


@dataclass(slots=True)
class InMemoryConfirmations:
    """Implements `Confirmations`; `clock` counts seconds, monotonically."""

    open_s: float = CONFIRM_WITHIN_S
    clock: Callable[[], float] = time.monotonic
    _offered: list[tuple[int, str, float]] = field(default_factory=list)

    async def offer(self, user_id: int, subject: str) -> str:
        self._offered.append((user_id, clean_text(subject), self.clock()))
        return f"{len(self._offered) - 1:016x}"

    async def find(self, user_id: int, token: str) -> str | None:
        place = self._place(token)
        if place is None:
            return None
        owner, subject, at = self._offered[place]
        is_open = self.clock() - at < self.open_s
        return subject if owner == user_id and is_open else None

    async def close(self, user_id: int, token: str) -> None:
        place = self._place(token)
        if place is not None and self._offered[place][0] == user_id:
            self._offered[place] = (user_id, "", float("-inf"))

    def _place(self, token: str) -> int | None:
        places = {f"{place:016x}": place for place in range(len(self._offered))}
        return places.get(token)


@dataclass(slots=True)
class InMemoryFeedback:
    """Implements `Feedback`, for the answers of `decisions`."""

    decisions: InMemoryDecisions = field(default_factory=InMemoryDecisions)
    rated: dict[tuple[str, str], Rating] = field(default_factory=dict)

    async def rate(self, thread_id: str, request_id: str, rating: Rating | None) -> bool:
        key = (thread_id, request_id)
        if key not in self.decisions.rows:
            return False
        self.rated.pop(key, None)
        if rating:
            self.rated[key] = rating
        return True

    async def ratings(self, thread_id: str, request_ids: Sequence[str]) -> Mapping[str, Rating]:
        return {
            one: self.rated[thread_id, one] for one in request_ids if (thread_id, one) in self.rated
        }
