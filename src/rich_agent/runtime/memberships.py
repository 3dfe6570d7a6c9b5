"""Memberships of the Telegram groups that may read a space, asked for again after some minutes.

Without such groups nothing is asked and nothing costs. Where Telegram cannot be asked, what it
said before holds until it is ten minutes old; after that nobody belongs to the group.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from rich_agent.errors import UpstreamError
from rich_agent.ports.spaces import Spaces
from rich_agent.runtime.concurrency import run_all

GROUPS_KEPT_S = 30.0
_PATIENCE_S = 3.0
_log = structlog.get_logger()


Prepare = Callable[[int], Awaitable[None]]
"""Learns what a user, named by id, may read. Raises: DatabaseUnavailableError."""


NoteMember = Callable[[int, int, bool], Awaitable[None]]
"""Takes user, group, and whether the user is in it now. Raises: DatabaseUnavailableError."""


async def ignore_member(_user_id: int, _group: int, _is_member: bool) -> None:  # noqa: FBT001 - a `NoteMember`
    """Callback for an installation where no group may read anything."""


async def prepare_nothing(_user_id: int) -> None:
    """Callback for an installation where nothing depends on groups."""


class GroupMembers(Protocol):
    """Knows who is in a group; see `BotApi`."""

    async def is_member(self, chat_id: int, user_id: int) -> bool:
        """Whether a user is in a group. Raises: UpstreamError."""


@dataclass(slots=True)
class Memberships:
    """Keeps what is known of memberships no older than some minutes."""

    spaces: Spaces
    members: GroupMembers
    _groups: Sequence[int] = ()
    _read_at: float = field(default=-GROUPS_KEPT_S)

    async def refresh(self, user_id: int) -> None:
        """Ask again what is not fresh of a user, before something is read for them.

        Raises: DatabaseUnavailableError.
        """
        groups = await self._read_groups()
        stale = await self.spaces.stale_groups(user_id, groups) if groups else []
        if not stale:
            return
        try:
            async with asyncio.timeout(_PATIENCE_S):
                answers = await run_all(self.members.is_member(group, user_id) for group in stale)
        except (UpstreamError, TimeoutError) as error:
            _log.warning("memberships.not_asked", error=str(error) or "took too long")
            return
        await self.spaces.note_members(user_id, dict(zip(stale, answers, strict=True)))

    async def note(self, user_id: int, group: int, is_member: bool) -> None:  # noqa: FBT001 - a `NoteMember`
        """Record that a user came or went, if the group may read anything."""
        if group in await self._read_groups():
            await self.spaces.note_members(user_id, {group: is_member})

    async def _read_groups(self) -> Sequence[int]:
        if time.monotonic() - self._read_at >= GROUPS_KEPT_S:
            self._groups, self._read_at = await self.spaces.groups(), time.monotonic()
        return self._groups
