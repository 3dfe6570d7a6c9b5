"""The worker of rich-agent with the bench's handling: its inbox, its lanes, its fences."""

import asyncio
import json
import os
from collections.abc import Sequence

from prometheus_client import CollectorRegistry

from bench.webhook.handling import handle
from rich_agent.repositories.database import open_pool
from rich_agent.repositories.inbox import PostgresInbox
from rich_agent.telegram.delivery import Hold
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.worker import Worker
from rich_agent.telegram_ports import StoredUpdate


class _Handler:
    """Stands where `UpdateHandler` stands."""

    async def handle(self, updates: Sequence[StoredUpdate], hold: Hold) -> None:
        """Handle, while the lane is ours."""
        for update in updates:
            sender = json.loads(update.raw)["message"]["from"]["id"]
            await handle(update.update_id, sender)
        await hold()

    async def announce_queued(self, update: StoredUpdate, hold: Hold) -> bool:
        """Say nothing."""
        del update, hold
        return True

    async def apologize(self, *_: object) -> None:
        """Say nothing."""


async def main() -> None:
    """Work until killed."""
    async with (
        open_pool(os.environ["DATABASE_URL"], max_size=10) as pool,
        PostgresInbox(pool) as inbox,
    ):
        worker = Worker(inbox, _Handler(), Metrics(CollectorRegistry()))  # type: ignore[arg-type]  # as far as a worker needs it
        await worker.run(asyncio.Event())


if __name__ == "__main__":
    asyncio.run(main())
