"""Measures whether a model server answers two calls at the same time or one after the other."""

import asyncio
import time
from typing import Any

import structlog
from langchain_core.messages import HumanMessage

from rich_agent.errors import UpstreamError
from rich_agent.runtime.concurrency import alongside, task_group
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.chat_client import open_chat_client
from rich_agent.upstreams.servers.refusals import translate_openai_errors
from rich_agent.upstreams.servers.replies import thinking_in

_TOKENS = 16
_ROUNDS = 2
"""The number of measurements of one call, and of two calls; the fastest one counts."""
_MOST = 1.5
"""The largest ratio of the times of two calls and one call at which no call has waited."""
_TRY_AGAIN_S = 300.0
log = structlog.get_logger()


async def takes_side_by_side(access: ModelAccess) -> bool:
    """Whether two calls at once begin about as fast as one; failed measurements are repeated.

    Six calls are made, and each is closed at its first output.
    """
    while True:
        try:
            single_times = [await _seconds(1, access) for _ in range(_ROUNDS)]
            double_times = [await _seconds(2, access) for _ in range(_ROUNDS)]
        except UpstreamError as error:
            log.info("side_by_side_unknown", error=str(error))
            await asyncio.sleep(_TRY_AGAIN_S)
            continue
        is_parallel = min(double_times) <= _MOST * min(single_times)
        log.info("side_by_side", model=access.role.model, takes=is_parallel)
        return is_parallel


async def _seconds(calls: int, access: ModelAccess) -> float:
    start_time = time.monotonic()
    async with task_group() as group:
        for _ in range(calls):
            group.create_task(_call(access))
    return time.monotonic() - start_time


async def _call(access: ModelAccess) -> None:
    """Make a call, and close it at the first text or thought, because a thought may be long."""
    beginning = asyncio.Event()
    async with alongside(_listen(access, beginning)):
        await beginning.wait()


async def _listen(access: ModelAccess, beginning: asyncio.Event) -> None:
    messages: list[Any] = [HumanMessage("Count from one to twenty.")]
    with translate_openai_errors("model", access.role):
        async for piece in open_chat_client(access).pieces(messages, most_tokens=_TOKENS):
            if piece.text or thinking_in(piece):
                beginning.set()
    beginning.set()
