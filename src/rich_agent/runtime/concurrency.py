"""Structured concurrency: task groups, deadlines, and work that is repeated or cancelled."""

import asyncio
import sys
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import structlog

from rich_agent.errors import RichAgentError
from rich_agent.runtime.reach import Level, log_failure

T = TypeVar("T")
_PORTION = 100
_SHORT_TEXT = 2_000
"""Characters with which work takes two or three milliseconds at most."""


class Signal(Protocol):
    """A signal that is set once, like an `asyncio.Event`."""

    def is_set(self) -> bool:
        """Whether the signal is set."""
        ...

    async def wait(self) -> object:
        """Wait until the signal is set."""
        ...


@asynccontextmanager
async def task_group() -> AsyncIterator[asyncio.TaskGroup]:
    """A TaskGroup that raises its first failure itself, without an exception group around it.

    If the block is cancelled while something fails, the cancellation is raised.
    """
    task = asyncio.current_task()
    earlier_cancellations, group = task.cancelling() if task else 0, asyncio.TaskGroup()
    was_cancelled_in_block = False
    try:
        async with group:
            try:
                yield group
            finally:
                was_cancelled_in_block = group._parent_cancel_requested  # type: ignore[attr-defined]  # noqa: SLF001
    except BaseExceptionGroup as failures:
        first_failure: BaseException = failures
        while isinstance(first_failure, BaseExceptionGroup):
            first_failure = first_failure.exceptions[0]
        if task and sys.version_info < (3, 13):
            # There, a group that failed after its block leaves its own request to cancel the task,
            # and any other request is lost.
            if group._parent_cancel_requested and not was_cancelled_in_block:  # type: ignore[attr-defined]  # noqa: SLF001
                task.uncancel()
            if task.cancelling() > earlier_cancellations:
                raise asyncio.CancelledError from first_failure
        raise first_failure from None


@asynccontextmanager
async def end_on(event: Signal) -> AsyncIterator[Callable[[], bool]]:
    """Cancel the block as soon as `event` is set, and go on after it.

    Yields a function that tells whether the event ended the block.
    """
    deadline = asyncio.timeout(None)

    async def watch() -> None:
        await event.wait()
        deadline.reschedule(asyncio.get_running_loop().time())

    try:
        async with deadline, task_group() as group:
            watch_task = group.create_task(watch())
            yield deadline.expired
            watch_task.cancel()
    except TimeoutError:
        if not deadline.expired():
            raise


async def unless(stop: Signal, work: Awaitable[T]) -> T | None:
    """Return the result of the work; if `stop` is set earlier, cancel the work and return None."""
    async with end_on(stop):
        return await work


@asynccontextmanager
async def alongside(work: Coroutine[Any, Any, object]) -> AsyncIterator[None]:
    """Run `work` while the block runs, and cancel it when the block ends.

    If the work fails, the block is cancelled, and the failure is raised without a group around it.
    """
    async with task_group() as group:
        work_task = group.create_task(work)
        try:
            yield
        finally:
            work_task.cancel()


@asynccontextmanager
async def closing_after(pieces: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """Yield `pieces`; if they are a generator, close it at the end of the block.

    A generator that is only dropped would be closed by another task, some time later.
    """
    try:
        yield pieces
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()


async def in_thread_if_long(length: int, work: Callable[[], T]) -> T:
    """Do work on a text of `length` characters; in a thread, if the loop would wait for long.

    A busy process hands its interpreter to a thread after five milliseconds at the earliest.
    """
    return work() if length <= _SHORT_TEXT else await asyncio.to_thread(work)


def never() -> bool:
    """Return False, as a condition that never holds."""
    return False


async def in_turns(items: Sequence[T]) -> AsyncIterator[Sequence[T]]:
    """Yield the items in portions of 100; between two portions, other tasks of the loop run."""
    for start in range(0, len(items), _PORTION):
        yield items[start : start + _PORTION]
        await asyncio.sleep(0)


async def run_all(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run all coroutines at once; return their results in order.

    The first failure cancels the others, and is raised without a group around it.
    """
    async with task_group() as group:
        tasks = [group.create_task(coroutine) for coroutine in coroutines]
    return [task.result() for task in tasks]


async def happens_within(event: asyncio.Event, seconds: float) -> bool:
    """Wait for the event at most `seconds`; return whether it was set."""
    return await happens_by(event, asyncio.get_running_loop().time() + seconds)


async def happens_by(event: asyncio.Event, end: float) -> bool:
    """Wait for the event until `end`, a time of the event loop; return whether it was set."""
    try:
        async with asyncio.timeout_at(end):
            return await event.wait()
    except TimeoutError:
        return False


_log = structlog.get_logger()


@contextmanager
def survived(event: str, *errors: type[Exception], level: Level = "info") -> Iterator[None]:
    """Run the block; if it fails with one of `errors`, log that as `event`, and go on after it.

    See `log_failure`.
    """
    try:
        yield
    except errors as error:
        log_failure(event, error, level)


async def repeat(
    name: str, work: Callable[[], Awaitable[object]], stop: asyncio.Event, pause_s: float
) -> None:
    """Do the work now, and again `pause_s` seconds after each end, until `stop` is set.

    Work that is running then is finished. A failure is logged under `name`, and the work is tried
    again.
    """
    while not stop.is_set():
        try:
            await work()
        except RichAgentError as error:
            log_failure("background.failed", error, work=name)
        except Exception:  # noqa: BLE001 - the process must outlive its background work
            _log.exception("background.broke", work=name)
        await unless(stop, asyncio.sleep(pause_s))


log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class TurnEnd:
    """The signal that a turn has to end: the user set `asked`, or `most_s` seconds have passed.

    The time for which a turn waits for a busy server does not count; see `prolong`.
    """

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    most_s: float | None = None
    _late: asyncio.Event = field(default_factory=asyncio.Event)
    _timer: asyncio.TimerHandle | None = None

    @property
    def is_late(self) -> bool:
        """Whether the time of the turn is up."""
        return self._late.is_set()

    def is_set(self) -> bool:
        """Whether the turn has to end."""
        return self.asked.is_set() or self.is_late

    async def wait(self) -> None:
        """Wait until the turn has to end."""
        async with end_on(self._late):
            await self.asked.wait()

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the time of the turn while the block runs."""
        if self.most_s is not None:
            self._timer = asyncio.get_running_loop().call_later(self.most_s, self._expire)
        try:
            yield
        finally:
            if self._timer:
                self._timer.cancel()

    def prolong(self, seconds: float) -> None:
        """Give the turn more time, such as the seconds for which it waited for a busy server."""
        if self._timer and not self.is_late:
            new_end = self._timer.when() + seconds
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_at(new_end, self._expire)

    def _expire(self) -> None:
        """Set the signal because the time of the turn is up."""
        log.warning("turn_too_long", most_s=self.most_s)
        self._late.set()
