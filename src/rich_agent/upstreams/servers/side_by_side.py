"""Whether a model server answers two calls at the same time, or one after the other."""

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import structlog
from langchain_core.messages import HumanMessage

from rich_agent.errors import UpstreamError
from rich_agent.runtime.concurrency import task_group
from rich_agent.upstreams.servers.access import ModelAccess
from rich_agent.upstreams.servers.chat_client import open_chat_client
from rich_agent.upstreams.servers.refusals import translate_openai_errors

_TOKENS = 16
_ROUNDS = 2
"""The better of so many times counts, alone and for two at once."""
_MOST = 1.5
"""Two calls at once take at most so many times as long as one, if neither waits for the other."""
_TRY_AGAIN_S = 300.0
log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class SideBySide:
    """Measures the server of a model; `is_found` that two calls are answered at the same time."""

    access: ModelAccess
    is_found: bool = False

    async def measure(self) -> None:
        """Measure it with six calls of a few words; later, while the server fails."""
        while True:
            try:
                alone = [await self._seconds(1) for _ in range(_ROUNDS)]
                at_once = [await self._seconds(2) for _ in range(_ROUNDS)]
            except UpstreamError as error:
                log.info("side_by_side_unknown", error=str(error))
                await asyncio.sleep(_TRY_AGAIN_S)
                continue
            self.is_found = min(at_once) <= _MOST * min(alone)
            log.info("side_by_side", model=self.access.role.model, takes=self.is_found)
            return

    async def _seconds(self, calls: int) -> float:
        began = time.monotonic()
        async with task_group() as group:
            for _ in range(calls):
                group.create_task(self._call())
        return time.monotonic() - began

    async def _call(self) -> None:
        asked: list[Any] = [HumanMessage("Count from one to twenty.")]
        with translate_openai_errors("model", self.access.role):
            async for _ in open_chat_client(self.access).pieces(asked, most_tokens=_TOKENS):
                pass
