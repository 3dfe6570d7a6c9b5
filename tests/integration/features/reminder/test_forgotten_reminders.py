"""Reminders of users who have everything forgotten while one of them is fired."""

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

import pytest

from rich_agent.domain.access import UserTags
from rich_agent.features.reminder.reminder import NewReminder
from rich_agent.features.reminder.repository import Reminders
from rich_agent.ports.memories import Erased
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.pools import Databases, checkout
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.telegram_support import until

ADA = 42


@pytest.mark.parametrize("way", ["everything", "forget"])
async def test_forgetting_and_firing_wait_for_each_other(databases: Databases, way: str) -> None:
    """A firing holds its reminder before its due work, and so does whatever deletes both."""
    forgetting: Coroutine[Any, Any, object]
    if way == "forget":
        forgetting = PostgresUserData(databases, UserTags()).forget(ADA)
    else:
        forgetting = PostgresErasure(databases).erase(Erased(ADA, "tg:42", everything=True))
    first = datetime.now(UTC).replace(tzinfo=None)
    reminders = Reminders(databases.app, PostgresAccounts(databases.app))
    await reminders.add(NewReminder(ADA, "Tea", "reminder", first, "UTC", "", first))

    async def waits() -> bool:
        query = "SELECT FROM pg_locks WHERE NOT granted"
        async with checkout(databases.app) as connection:
            return bool(await (await connection.execute(query)).fetchall())

    async with (
        asyncio.TaskGroup() as group,
        checkout(databases.app) as firing,
        firing.transaction(),
    ):
        await firing.execute("SELECT FROM schedules FOR UPDATE")
        group.create_task(forgetting)
        await until(waits)
        await firing.execute("UPDATE schedules SET next_at = next_at + interval '1 day'")
    async with checkout(databases.app) as connection:
        rows = await connection.execute("SELECT FROM schedules UNION ALL SELECT FROM due_work")
        assert await rows.fetchall() == []
