"""Tasks that features bring up to date before they are read."""

import asyncio

import pytest

from rich_agent.errors import LaneLostError
from rich_agent.runtime import fresh_tasks
from rich_agent.runtime.fresh_tasks import FreshTasks

ADA = 42


async def test_tasks_are_fresh_though_a_feature_fails_or_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All are asked at once, and the list is shown in any case."""
    monkeypatch.setattr(fresh_tasks, "LONGEST_S", 0.01)
    asked: list[int] = []

    async def freshen(user_id: int) -> None:
        asked.append(user_id)

    async def fail(_user_id: int) -> None:
        raise KeyError("gone")

    async def hang(_user_id: int) -> None:
        await asyncio.Event().wait()

    await FreshTasks([fail, hang, freshen]).freshen(ADA)
    assert asked == [ADA]


async def test_tasks_are_not_read_for_a_lane_that_is_lost() -> None:
    """Another process answers the user."""

    async def lose(_user_id: int) -> None:
        raise LaneLostError("lane of fence 7")

    with pytest.raises(LaneLostError):
        await FreshTasks([lose]).freshen(ADA)
