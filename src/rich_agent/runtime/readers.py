"""Reads untrusted files in processes that can do nothing else and can be ended at any time.

Only data of known types comes back from such a process, at most `MOST_BYTES`.
"""

import asyncio
import os
import pickle
import subprocess
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, Literal, TypeVar

from anyio import CapacityLimiter, fail_after, to_thread
from anyio.lowlevel import RunVar
from pydantic import ConfigDict, TypeAdapter, ValidationError

from rich_agent.errors import RichAgentError
from rich_agent.runtime.own_programs import own_program
from rich_agent.runtime.reader_process import IDLE_EXIT, REFUSED, RESULT, SIZE_BYTES, Job

MOST_BYTES: Final = 128 * 1024 * 1024
_READER: Final = "rich_agent.runtime.reader_process"
_INHERITED: Final = ("LD_LIBRARY_PATH",)
"""The environment variables that readers inherit: where C libraries are on some systems."""
_TOLD_CHARS: Final = 1_000
_BYTES: Final = ConfigDict(val_json_bytes="base64")
Argument = TypeVar("Argument")
Result = TypeVar("Result")


class ReaderFailedError(RichAgentError):
    """A reader gave no result: it was too slow, it crashed, or none became free in time."""

    def __init__(self, cause: Literal["slow", "crashed", "busy"], message: str) -> None:
        super().__init__(message)
        self.cause = cause


class ReaderRefusedError(RichAgentError):
    """A RichAgentError that the work raised, with the name of its class, its reason and message."""

    def __init__(self, name: str, reason: str, message: str) -> None:
        super().__init__(message)
        self.name, self.reason = name, reason


@dataclass(frozen=True, slots=True)
class Effort:
    """The limits for a job, in seconds.

    - `deadline_s`: by the clock.
    - `processor_s`: of a processor; None for all processors until the deadline.
    - `queue_s`: to wait for a free reader; None without a limit.
    - `shares`: whether the owner's jobs always leave one reader to other owners.
    """

    deadline_s: float
    processor_s: int | None = None
    queue_s: float | None = None
    shares: bool = True


async def read_apart(
    work: Callable[[Argument], Result],
    argument: Argument,
    result: type[Result],
    owner: str,
    effort: Effort,
) -> Result:
    """Run `work`, a function of a module, on the argument in a reader; return its result.

    A reader is a process that serves one owner only. At once there are as many readers as
    processors, at least two.

    Raises: ReaderFailedError; ReaderRefusedError for a RichAgentError of `work`.
    """
    readers = _readers()
    processor_s = effort.processor_s or int(effort.deadline_s + 1) * (os.cpu_count() or 1)
    job: Job = (work, argument, processor_s)
    job_bytes = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
    async with readers.place_for(owner, effort):
        try:
            with fail_after(effort.deadline_s):
                reply = await readers.ask(owner, job_bytes)
        except TimeoutError as error:
            reason = f"reading it takes longer than {effort.deadline_s:g} s"
            raise ReaderFailedError("slow", reason) from error
    return _read_reply(reply, result)


def _read_reply(reply: bytes, result: type[Result]) -> Result:
    """The result in a reader's reply.

    Raises: ReaderFailedError, ReaderRefusedError.
    """
    kind, content = reply[:1], reply[1:]
    reason = "its reader crashed: the file is damaged, or needs too much memory"
    if not kind:
        raise ReaderFailedError("crashed", reason)
    try:
        if kind == RESULT:
            results: list[Result] = TypeAdapter(list[result], config=_BYTES).validate_json(content)  # type: ignore[valid-type] # known at run time
            return results[0]
        texts = TypeAdapter(list[str]).validate_json(content)
        if kind == REFUSED:
            raise ReaderRefusedError(*texts)
        _warn("reader.failed", why=texts[0][:_TOLD_CHARS])
    except (ValidationError, IndexError, TypeError):
        _warn("reader.made_up", size_bytes=len(reply))
    raise ReaderFailedError("crashed", reason)


def _warn(event: str, **facts: object) -> None:
    """Log a warning."""
    # Readers load this module as well, log nothing, and would lose a tenth of a second.
    import structlog  # noqa: PLC0415 - see above

    structlog.get_logger().warning(event, **facts)


class _Reader:
    """One process for an owner's jobs, which does not get the environment of its parent."""

    def __init__(self, owner: str, *arguments: str) -> None:
        self.owner = owner
        self.is_used = False
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [*own_program(_READER), *arguments],
            env={name: os.environ[name] for name in _INHERITED if name in os.environ},
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def ask(self, data: bytes) -> bytes:
        """Send a job; return the reply, b"" if there is none."""
        assert self._process.stdin  # noqa: S101 - opened with pipes
        assert self._process.stdout  # noqa: S101 - opened with pipes
        try:
            self._process.stdin.write(len(data).to_bytes(SIZE_BYTES) + data)
            self._process.stdin.flush()
            size = int.from_bytes(self._process.stdout.read(SIZE_BYTES))
            return self._process.stdout.read(size) if size <= MOST_BYTES else b""
        except (OSError, ValueError):
            return b""
        finally:
            self.is_used = True

    def has_idled(self) -> bool:
        """Whether the process ended by itself, without jobs, before it saw the last job."""
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(1) == IDLE_EXIT
        return False

    def end(self) -> None:
        """End the process at once; a second call does nothing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()


class LoneReader:
    """One reader that is kept for one kind of work and does one job at a time.

    It starts with the first job, and ends after `idle_s` seconds without one. So jobs that need a
    large model load it seldom.
    """

    def __init__(self, owner: str, *, idle_s: float, niceness: int) -> None:
        self._owner = owner
        self._arguments = str(idle_s), str(niceness)
        self._free = asyncio.Lock()
        self._running: set[_Reader] = set()
        weakref.finalize(self, _end_all, self._running)

    async def read(
        self,
        work: Callable[[Argument], Result],
        argument: Argument,
        result: type[Result],
        effort: Effort,
    ) -> Result:
        """As `read_apart`, but for `queue_s` and `shares` of the effort."""
        processor_s = effort.processor_s or int(effort.deadline_s + 1)
        job: Job = (work, argument, processor_s)
        job_bytes = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        async with self._free:
            try:
                with fail_after(effort.deadline_s):
                    reply = await self._ask(job_bytes)
            except TimeoutError as error:
                reason = f"it takes longer than {effort.deadline_s:g} s"
                raise ReaderFailedError("slow", reason) from error
        return _read_reply(reply, result)

    async def _ask(self, data: bytes) -> bytes:
        """The reply, b"" if the reader crashed; such a reader is ended."""
        reader = next(iter(self._running), None)
        if reader is None:
            reader = _Reader(self._owner, *self._arguments)
            self._running.add(reader)
        reply = None
        try:
            reply = await _reply_of(reader, data)
        finally:
            if not reply:
                self.end()
        return await self._ask(data) if reply is None else reply

    def end(self) -> None:
        """End the process at once; the next job starts another."""
        _end_all(self._running)
        self._running.clear()


async def _reply_of(reader: _Reader, data: bytes) -> bytes | None:
    """The reply, b"" if the reader crashed, None if it had ended by itself before the job."""
    was_used = reader.is_used
    reply = await to_thread.run_sync(
        reader.ask, data, abandon_on_cancel=True, limiter=CapacityLimiter(1)
    )
    has_idled = not reply and was_used and await asyncio.to_thread(reader.has_idled)
    return None if has_idled else reply


def _end_all(readers: set[_Reader]) -> None:
    """End all these readers."""
    for reader in readers:
        reader.end()


@dataclass(slots=True, weakref_slot=True)
class _Readers:
    """The readers of an event loop: those at work, and idle ones, which serve their owner again."""

    size: int = field(default_factory=lambda: max(2, os.cpu_count() or 1))
    _all: set[_Reader] = field(default_factory=set)
    _idle: list[_Reader] = field(default_factory=list)
    _places: CapacityLimiter = field(init=False)
    _shares: dict[str, CapacityLimiter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._places = CapacityLimiter(self.size)
        weakref.finalize(self, _end_all, self._all)

    @asynccontextmanager
    async def place_for(self, owner: str, effort: Effort) -> AsyncIterator[None]:
        """Hold a place for a reader in this block; places are given in the order of the requests.

        Raises: ReaderFailedError("busy") if no place became free in time.
        """
        owner_share = self._shares.setdefault(
            owner, CapacityLimiter(self.size - 1 if effort.shares else self.size)
        )
        # A new object, because one task may hold several places of a limiter.
        borrower = object()
        try:
            with fail_after(effort.queue_s):
                await owner_share.acquire_on_behalf_of(borrower)
                await self._places.acquire_on_behalf_of(borrower)
        except TimeoutError as error:
            _release(owner_share, borrower)
            raise ReaderFailedError("busy", "no reader became free") from error
        except BaseException:
            _release(owner_share, borrower)
            raise
        try:
            yield
        finally:
            _release(self._places, borrower)
            _release(owner_share, borrower)
            if not owner_share.borrowed_tokens and not owner_share.statistics().tasks_waiting:
                self._shares.pop(owner, None)

    async def ask(self, owner: str, data: bytes) -> bytes:
        """The reply of a reader of this owner, b"" if it crashed; such a reader is ended."""
        reader = self._take(owner)
        reply = None
        try:
            reply = await _reply_of(reader, data)
        finally:
            if reply:
                self._idle.append(reader)
            else:
                self._all.discard(reader)
                reader.end()
        return await self.ask(owner, data) if reply is None else reply

    def _take(self, owner: str) -> _Reader:
        """A reader for this owner: an idle one, or a new one."""
        for reader in reversed(self._idle):
            if reader.owner == owner:
                self._idle.remove(reader)
                return reader
        while self._idle and len(self._all) >= self.size:
            oldest = self._idle.pop(0)
            self._all.discard(oldest)
            oldest.end()
        reader = _Reader(owner)
        self._all.add(reader)
        return reader


def _release(limiter: CapacityLimiter, borrower: object) -> None:
    """Give back a place, if it is held."""
    with suppress(RuntimeError):
        limiter.release_on_behalf_of(borrower)


_of_loop: RunVar[_Readers] = RunVar("readers")


def _readers() -> _Readers:
    """The readers of this event loop."""
    try:
        return _of_loop.get()
    except LookupError:
        readers = _Readers()
        _of_loop.set(readers)
        return readers
