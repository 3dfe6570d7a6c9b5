"""Members of the Telegram groups that may read a space; Telegram is asked again after some minutes.

Without such groups, Telegram is never asked. If Telegram does not answer, its last answer counts
until it is ten minutes old; after that, the user does not count as a member.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from rich_agent.domain.people import has_telegram
from rich_agent.errors import UpstreamError
from rich_agent.ports.spaces import Spaces
from rich_agent.runtime.concurrency import run_all

GROUPS_KEPT_S = 30.0
_PATIENCE_S = 3.0
_log = structlog.get_logger()


Prepare = Callable[[int], Awaitable[None]]
"""Finds out what the user with an id may read. Raises: DatabaseUnavailableError."""


def prepare_all(preparations: Sequence[Prepare]) -> Prepare:
    """A function that prepares in all ways, one after the other."""

    async def prepare(user_id: int) -> None:
        for find in preparations:
            await find(user_id)

    return prepare


NoteMember = Callable[[int, int, bool], Awaitable[None]]
"""Records (user id, group id, whether the user is a member). Raises: DatabaseUnavailableError."""


async def ignore_member(_user_id: int, _group: int, _is_member: bool) -> None:  # noqa: FBT001 - a `NoteMember`
    """Callback for an installation where no group may read anything."""


async def prepare_nothing(_user_id: int) -> None:
    """Callback for an installation where nothing depends on groups."""


class GroupMembers(Protocol):
    """Tells whether a user is a member of a group; see `BotApi`."""

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        """Whether a user is in a group. Raises: UpstreamError."""


@dataclass(slots=True)
class Memberships:
    """Keeps the stored memberships of users at most some minutes old."""

    spaces: Spaces
    members: GroupMembers
    _groups: Sequence[int] = ()
    _read_at: float = field(default=-GROUPS_KEPT_S)

    async def refresh(self, user_id: int) -> None:
        """Ask Telegram about a user's outdated memberships, before something is read for the user.

        Raises: DatabaseUnavailableError.
        """
        groups = await self._read_groups() if has_telegram(user_id) else ()
        stale_groups = await self.spaces.stale_groups(user_id, groups) if groups else []
        if not stale_groups:
            return
        try:
            async with asyncio.timeout(_PATIENCE_S):
                answers = await run_all(
                    self.members.is_member(group, user_id) for group in stale_groups
                )
        except (UpstreamError, TimeoutError) as error:
            _log.warning("memberships.not_asked", error=str(error) or "took too long")
            return
        await self.spaces.note_members(user_id, dict(zip(stale_groups, answers, strict=True)))

    async def note(self, user_id: int, group: int, is_member: bool) -> None:  # noqa: FBT001 - a `NoteMember`
        """Record that a user came or went, if the group may read anything."""
        if group in await self._read_groups():
            await self.spaces.note_members(user_id, {group: is_member})

    async def _read_groups(self) -> Sequence[int]:
        """The groups that may read a space, read again after `GROUPS_KEPT_S`."""
        if time.monotonic() - self._read_at >= GROUPS_KEPT_S:
            self._groups, self._read_at = await self.spaces.groups(), time.monotonic()
        return self._groups
