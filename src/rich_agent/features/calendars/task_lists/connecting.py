"""Connects a user with their task lists; passwords are encrypted with keys from the settings."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit, urlunsplit

from rich_agent.feature.secrets import Seal
from rich_agent.features.calendars.task_lists.ports import (
    NewConnection,
    TaskList,
    TaskListConnections,
    TaskListError,
    TaskListLogin,
    TaskListServers,
)

_DEADLINE_S = 25.0
_MOST_LISTS = 20


@dataclass(frozen=True, slots=True)
class ServerConnecting:
    """Implements `TaskListConnecting`."""

    connections: TaskListConnections
    servers: TaskListServers
    seal: Seal

    async def connect(self, user_id: int, login: TaskListLogin) -> Sequence[TaskList]:
        """See `TaskListConnecting.connect`."""
        login = replace(login, url=_whole_address(login.url))
        try:
            async with asyncio.timeout(_DEADLINE_S), self.servers.open(login) as session:
                lists = list(await session.lists())[:_MOST_LISTS]
        except TimeoutError as error:
            raise TaskListError("away", f"no answer within {_DEADLINE_S:g} s") from error
        ciphertext = self.seal.close(user_id, login.password)
        await self.connections.connect(NewConnection(user_id, login.username, ciphertext, lists))
        return lists


def _whole_address(text: str) -> str:
    """The address with its scheme, and without what does not belong to a place."""
    url = text if "://" in text else f"https://{text}"
    try:
        parts = urlsplit(url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
        place = f"{host}:{parts.port}" if parts.port else host
    except ValueError as error:
        raise TaskListError("address", "not an address") from error
    return urlunsplit((parts.scheme, place, parts.path or "/", "", ""))
