"""An app that is opened at its first request, because most processes get none."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(slots=True)
class OnDemand:
    """Opens an app at its first request."""

    open_app: Callable[[], Awaitable[ASGIApp]]
    _app: ASGIApp | None = None
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the app."""
        async with self._opening:
            if self._app is None:
                self._app = await self.open_app()
        await self._app(scope, receive, send)
