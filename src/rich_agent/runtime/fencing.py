"""The fence under which a task works; repositories refuse what it writes once the lane is lost.

It goes with the task's context rather than from call to call, because LangGraph stores checkpoints
in tasks of its own.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rich_agent.errors import LaneLostError

_fence: ContextVar[int | None] = ContextVar("fence", default=None)
_update: ContextVar[int | None] = ContextVar("update", default=None)
_progress_callback: ContextVar[Callable[[], Awaitable[None]] | None] = ContextVar(
    "progressed", default=None
)
_is_leased: ContextVar[Callable[[], bool] | None] = ContextVar("is_leased", default=None)
_is_last_look = ContextVar("is_last_look", default=False)


def work_under(fence: int, update_id: int | None = None) -> None:
    """From here on, this task and those that it starts write only while `fence` holds its lane.

    `update_id` is the first of the updates that they answer.
    """
    _fence.set(fence)
    _update.set(update_id)


@contextmanager
def about_update(update_id: int) -> Iterator[None]:
    """Have this block be about an update, without its lane."""
    token = _update.set(update_id)
    try:
        yield
    finally:
        _update.reset(token)


def work_without_lane() -> None:
    """From here on, this task writes without a lane, as before it worked under one."""
    _fence.set(None)
    _update.set(None)
    _progress_callback.set(None)
    _is_leased.set(None)


def confirm_lease_with(is_leased: Callable[[], bool]) -> None:
    """From here on, this task and those that it starts hold their lane while `is_leased`."""
    _is_leased.set(is_leased)


@contextmanager
def require_lease() -> Iterator[None]:
    """Have the calls of this block leave only while the lease of this task's lane runs.

    For what cannot be refused later, directly after the lane was looked up: a process may be
    paused for long in between. Other calls go on while the database is away and nobody can renew.
    """
    token = _is_last_look.set(True)
    try:
        yield
    finally:
        _is_last_look.reset(token)


def confirm_lease() -> None:
    """Look, without asking anybody, whether a call may leave. Raises: LaneLostError."""
    is_leased = _is_leased.get() if _is_last_look.get() else None
    if is_leased and not is_leased():
        raise LaneLostError(f"lease of fence {_fence.get()}")


def note_progress_with(callback: Callable[[], Awaitable[None]]) -> None:
    """From here on, each step that this task stores is noted with `callback`."""
    _progress_callback.set(callback)


async def note_progress() -> None:
    """Note that a step was stored, from which a later attempt goes on."""
    if callback := _progress_callback.get():
        await callback()


def current_fence() -> int | None:
    """The fence of this task, None when it holds no lane."""
    return _fence.get()


def current_update() -> int | None:
    """The first update that this task answers, None when it answers none."""
    return _update.get()
