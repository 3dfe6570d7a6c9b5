"""Running several things at once, structured, and loops that repeat until the process ends."""

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
from typing import Any, Literal, Protocol, TypeVar

import structlog

from rich_agent.errors import RichAgentError

T = TypeVar("T")
_PORTION = 100


class Signal(Protocol):
    """A signal that is set once, like an `asyncio.Event`."""

    def is_set(self) -> bool:
        """Whether it is set."""
        ...

    async def wait(self) -> object:
        """Return as soon as it is set."""
        ...


@asynccontextmanager
async def task_group() -> AsyncIterator[asyncio.TaskGroup]:
    """A TaskGroup whose first failure is raised by itself, so that callers can name it.

    If the block is cancelled while something fails, the cancellation is raised.
    """
    task = asyncio.current_task()
    earlier_cancellations, group = task.cancelling() if task else 0, asyncio.TaskGroup()
    ends_block = False
    try:
        async with group:
            try:
                yield group
            finally:
                ends_block = group._parent_cancel_requested  # type: ignore[attr-defined]  # noqa: SLF001
    except BaseExceptionGroup as failures:
        first: BaseException = failures
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        if task and sys.version_info < (3, 13):
            # There, a group that failed after its block leaves its own request to cancel the task,
            # and any other request is lost.
            if group._parent_cancel_requested and not ends_block:  # type: ignore[attr-defined]  # noqa: SLF001
                task.uncancel()
            if task.cancelling() > earlier_cancellations:
                raise asyncio.CancelledError from first
        raise first from None


@asynccontextmanager
async def end_on(event: Signal) -> AsyncIterator[Callable[[], bool]]:
    """Leave the block as soon as `event` is set: what it awaits is cancelled.

    Yields a function that tells whether the block was ended so.
    """
    scope = asyncio.timeout(None)

    async def watch() -> None:
        await event.wait()
        scope.reschedule(asyncio.get_running_loop().time())

    try:
        async with scope, task_group() as group:
            watching = group.create_task(watch())
            yield scope.expired
            watching.cancel()
    except TimeoutError:
        if not scope.expired():
            raise


async def unless(stop: Signal, work: Awaitable[T]) -> T | None:
    """The result of the work; None if `stop` is set before it ends, which cancels it."""
    async with end_on(stop):
        return await work


@asynccontextmanager
async def alongside(work: Coroutine[Any, Any, object]) -> AsyncIterator[None]:
    """Have the work done while the block runs; it is cancelled at the end, however that comes.

    Its failure ends the block, and is raised by itself.
    """
    async with task_group() as group:
        working = group.create_task(work)
        try:
            yield
        finally:
            working.cancel()


@asynccontextmanager
async def closing_after(pieces: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """The pieces; whoever leaves the block early has ended the work on the next ones.

    A generator that is only dropped is closed by another task, some time later.
    """
    try:
        yield pieces
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()


async def in_turns(items: Sequence[T]) -> AsyncIterator[Sequence[T]]:
    """The items, 100 at a time; between two portions, others of the loop come to work."""
    for first in range(0, len(items), _PORTION):
        yield items[first : first + _PORTION]
        await asyncio.sleep(0)


async def run_all(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in order; the first failure cancels the others and is raised by itself."""
    async with task_group() as group:
        tasks = [group.create_task(coroutine) for coroutine in coroutines]
    return [task.result() for task in tasks]


async def happens_within(event: asyncio.Event, seconds: float) -> bool:
    """Whether the event is set within so many seconds."""
    return await happens_by(event, asyncio.get_running_loop().time() + seconds)


async def happens_by(event: asyncio.Event, end: float) -> bool:
    """Whether the event is set before `end`, in time of the event loop."""
    try:
        async with asyncio.timeout_at(end):
            return await event.wait()
    except TimeoutError:
        return False


_log = structlog.get_logger()


@contextmanager
def survived(
    event: str, *errors: type[Exception], level: Literal["debug", "info", "warning"] = "info"
) -> Iterator[None]:
    """Leave the block at the first of these errors, and go on; it is logged as `event`."""
    try:
        yield
    except errors as error:
        getattr(_log, level)(event, error=str(error))


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


log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class TurnEnd:
    """A signal that a turn ends: `asked` was set by the user, or `most_s` seconds have passed.

    What is waited for a busy server is added to the time.
    """

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    most_s: float | None = None
    _late: asyncio.Event = field(default_factory=asyncio.Event)
    _timer: asyncio.TimerHandle | None = None

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return self._late.is_set()

    def is_set(self) -> bool:
        """Whether the turn ends."""
        return self.asked.is_set() or self.is_late

    async def wait(self) -> None:
        """Return as soon as the turn ends."""
        async with end_on(self._late):
            await self.asked.wait()

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count the time that the block takes."""
        if self.most_s is not None:
            self._timer = asyncio.get_running_loop().call_later(self.most_s, self._expire)
        try:
            yield
        finally:
            if self._timer:
                self._timer.cancel()

    def prolong(self, seconds: float) -> None:
        """Add time that is not the turn's own."""
        if self._timer and not self.is_late:
            at = self._timer.when() + seconds
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_at(at, self._expire)

    def _expire(self) -> None:
        log.warning("turn_too_long", most_s=self.most_s)
        self._late.set()
