"""Waits in place for a model server that takes no more requests for a moment."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from rich_agent.graph.services import NodeContext
from rich_agent.ports.models import ModelBusyError
from rich_agent.runtime.concurrency import unless

T = TypeVar("T")
_FIRST_PAUSE_S = 1.0
_SPREAD = 0.05


async def patiently(attempt: Callable[[], Awaitable[T]], context: NodeContext) -> T:
    """The result of an attempt, made again when the server has asked to wait, or is overloaded.

    The server's own time is kept to, and a growing one where it names none, or says so again. Once
    the user stops the turn nothing is waited for.

    Raises: what the attempt raises; ModelBusyError once all waits would take more than the limit.
    """
    clock = asyncio.get_running_loop().time
    ends_at = clock() + context.services.limits.wait_in_place_s
    pause_s = 0.0
    while True:
        try:
            return await attempt()
        except ModelBusyError as error:
            asked_s = _FIRST_PAUSE_S if error.retry_after_s is None else error.retry_after_s
            wait_s = max(asked_s, pause_s)
            if clock() + wait_s > ends_at or context.turn.stop.is_set():
                raise
        pause_s = max(_FIRST_PAUSE_S, 2 * pause_s)
        context.run.on_wait()
        # Spread: others were told the same.
        spread_s = wait_s * random.uniform(1, 1 + _SPREAD)  # noqa: S311 - keeps no secret
        context.turn.stop.prolong(spread_s)
        await unless(context.turn.stop, asyncio.sleep(spread_s))
