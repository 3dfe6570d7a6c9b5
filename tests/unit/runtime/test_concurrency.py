"""Structured concurrency with one error."""

import asyncio
import threading
from contextlib import suppress

import pytest

from rich_agent.errors import PortTakenError
from rich_agent.runtime.concurrency import (
    end_on,
    in_thread_if_long,
    run_all,
    task_group,
    unless,
)


async def _after(turns: int, value: int) -> int:
    for _ in range(turns):
        await asyncio.sleep(0)
    return value


async def test_run_all_gives_results_in_order() -> None:
    """Whoever ends first, the order is that of the calls."""
    assert await run_all([_after(3, 1), _after(0, 2)]) == [1, 2]


async def test_run_all_raises_the_first_failure_by_itself_and_ends_the_others() -> None:
    """No exception group, and nothing runs on."""
    ended = asyncio.Event()

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def fails() -> None:
        raise PortTakenError("localhost", 1)

    with pytest.raises(PortTakenError):
        await run_all([waits(), fails()])
    assert ended.is_set()


async def test_task_group_looks_into_nested_groups() -> None:
    """The innermost first error is what the caller sees."""

    async def fails() -> None:
        raise ExceptionGroup("inner", [KeyError("x")])

    with pytest.raises(KeyError):
        async with task_group() as group:
            group.create_task(fails())


@pytest.mark.parametrize("steps", range(1, 7))
async def test_task_group_that_is_cancelled_while_it_fails_loses_no_cancellation(
    steps: int,
) -> None:
    """Whoever catches the failure and goes on would else never end."""

    async def fails() -> None:
        raise PortTakenError("localhost", 1)

    async def goes_on() -> None:
        with suppress(PortTakenError):
            async with task_group() as group:
                group.create_task(fails())
        await asyncio.Event().wait()

    going_on = asyncio.create_task(goes_on())
    await _after(steps, 0)
    going_on.cancel()
    await asyncio.wait([going_on], timeout=10)
    assert going_on.cancelled()


async def test_task_group_that_failed_leaves_the_time_limit_around_it_in_force() -> None:
    """The limit ends the block with a TimeoutError, as if there had been no group."""

    async def fails() -> None:
        raise PortTakenError("localhost", 1)

    async def goes_on() -> None:
        with suppress(PortTakenError):
            async with task_group() as group:
                group.create_task(fails())
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await goes_on()


async def test_ended_by_leaves_the_block_when_the_event_is_set() -> None:
    """The awaited work of the block is cancelled; the code behind the block goes on."""
    stop = asyncio.Event()
    asyncio.get_running_loop().call_soon(stop.set)
    async with asyncio.timeout(10), end_on(stop) as was_ended:
        await asyncio.Event().wait()
    assert was_ended()


async def test_ended_by_lets_a_block_end_by_itself() -> None:
    """Also by an error, including its own timeout."""
    async with end_on(asyncio.Event()) as was_ended:
        await asyncio.sleep(0)
    assert not was_ended()
    with pytest.raises(TimeoutError):
        async with end_on(asyncio.Event()):
            raise TimeoutError
    with pytest.raises(PortTakenError):
        async with end_on(asyncio.Event()):
            raise PortTakenError("localhost", 1)


async def test_unless_gives_the_result_of_what_ends_first() -> None:
    """Work that is cut off by the stop is cancelled, and gives nothing."""
    stop, ended = asyncio.Event(), asyncio.Event()

    async def waits() -> int:
        try:
            stop.set()
            await asyncio.Event().wait()
        finally:
            ended.set()
        return 1

    assert await unless(stop, _after(2, 7)) == 7
    assert await unless(stop, waits()) is None
    assert ended.is_set()


async def test_unless_raises_what_the_work_raised() -> None:
    """By itself, not in a group."""

    async def fails() -> None:
        raise PortTakenError("127.0.0.1", 1)

    with pytest.raises(PortTakenError):
        await unless(asyncio.Event(), fails())


async def test_in_thread_if_long_leaves_the_loop_free_for_long_texts_only() -> None:
    """A thread for a short text costs more than its work."""
    own_thread = threading.get_ident()
    assert await in_thread_if_long(300, threading.get_ident) == own_thread
    assert await in_thread_if_long(100_000, threading.get_ident) != own_thread
