"""Work in the background that is done again and again, whatever happens in between."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from rich_agent.errors import RichAgentError
from rich_agent.runtime.concurrency import unless

_log = structlog.get_logger()


async def repeat(
    name: str, work: Callable[[], Awaitable[object]], stop: asyncio.Event, pause_s: float
) -> None:
    """Do the work now, and again `pause_s` seconds after it ended, until `stop` is set.

    What is under way then is finished. A failure is logged under `name`, and ends nothing.
    """
    while not stop.is_set():
        try:
            await work()
        except RichAgentError as error:
            _log.warning("background.failed", work=name, error=str(error))
        except Exception:  # noqa: BLE001 - the process must outlive its background work
            _log.exception("background.broke", work=name)
        await unless(stop, asyncio.sleep(pause_s))
