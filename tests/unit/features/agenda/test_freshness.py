"""Tasks that mirrors bring up to date before they are read."""

import asyncio
from typing import Any
from unittest.mock import MagicMock

import pytest

from rich_agent.errors import LaneLostError
from rich_agent.feature.database import Pool
from rich_agent.features.agenda import freshness
from rich_agent.features.agenda.freshness import FreshTasks
from rich_agent.features.agenda.mirrors import TaskMirror

ADA = 42
POOL: Any = MagicMock()


async def note_change(_connection: object, _user_id: int) -> None:
    """Do nothing."""


async def test_tasks_are_fresh_though_a_feature_fails_or_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All are asked at once, and the list is shown in any case."""
    monkeypatch.setattr(freshness, "LONGEST_S", 0.01)
    user_ids: list[int] = []

    async def refresh(_pool: Pool, user_id: int) -> None:
        user_ids.append(user_id)

    async def fail(_pool: Pool, _user_id: int) -> None:
        raise KeyError("gone")

    async def hang(_pool: Pool, _user_id: int) -> None:
        await asyncio.Event().wait()

    mirrors = [TaskMirror(note_change, function) for function in (fail, hang, refresh)]
    await FreshTasks(POOL, mirrors).freshen(ADA)
    assert user_ids == [ADA]


async def test_tasks_are_not_read_for_a_lane_that_is_lost() -> None:
    """Another process answers the user."""

    async def lose(_pool: Pool, _user_id: int) -> None:
        raise LaneLostError("lane of fence 7")

    with pytest.raises(LaneLostError):
        await FreshTasks(POOL, [TaskMirror(note_change, lose)]).freshen(ADA)
