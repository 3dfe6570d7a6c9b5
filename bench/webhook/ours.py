"""The worker of rich-agent with the bench's handling: its inbox, its lanes, its fences."""

import asyncio
import json
import math
import os
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

from prometheus_client import CollectorRegistry
from typing_extensions import override

from bench.webhook.handling import handle
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.serve.crowds import CrowdTimings
from rich_agent.telegram.serve.handling import UpdateHandler
from rich_agent.telegram.serve.worker import LaneTimings, Worker, WorkerOptions


class _Handler(UpdateHandler):
    """Does the bench's work instead of turns and commands, and sends nothing."""

    @override
    async def handle(self, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        """Handle, and confirm that the lane is still ours."""
        for update in updates:
            message = json.loads(update.raw)["message"]
            await handle(update.update_id, message["from"]["id"], message["text"])
        await hold()


def _handler() -> _Handler:
    """A handler without anything that it would need to answer."""
    nothing: Any = None
    required = (field for field in fields(UpdateHandler) if field.default is MISSING)
    return _Handler(
        **{field.name: nothing for field in required if field.default_factory is MISSING}
    )


async def main() -> None:
    """Work until killed."""
    async with (
        open_pool(os.environ["DATABASE_URL"], max_size=10) as pool,
        PostgresInbox(pool) as inbox,
    ):
        # Nobody is told that a message waits.
        untold = CrowdTimings(look_s=math.inf)
        options = WorkerOptions(timings=LaneTimings(notice_s=math.inf), crowd=untold)
        worker = Worker(inbox, _handler(), Metrics(CollectorRegistry()), options)
        await worker.run(asyncio.Event())


if __name__ == "__main__":
    asyncio.run(main())
