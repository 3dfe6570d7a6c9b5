"""The fence of the lane that a task holds; repositories refuse its writes once the lane is lost.

The fence is kept in the task's context instead of being passed from call to call, because LangGraph
stores checkpoints in separate tasks.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from rich_agent.errors import LaneLostError

_fence: ContextVar[int | None] = ContextVar("fence", default=None)
_update: ContextVar[int | None] = ContextVar("update", default=None)
_lane_caches: ContextVar[dict[object, dict[Any, Any]] | None] = ContextVar(
    "lane_caches", default=None
)
_progress_callback: ContextVar[Callable[[], Awaitable[None]] | None] = ContextVar(
    "progressed", default=None
)
_is_first = ContextVar("is_first", default=False)
_is_leased: ContextVar[Callable[[], bool] | None] = ContextVar("is_leased", default=None)
_is_last_look = ContextVar("is_last_look", default=False)
_is_quiet: ContextVar[Callable[[], bool] | None] = ContextVar("is_quiet", default=None)


def work_under(fence: int, update_id: int | None = None, *, is_first: bool = False) -> None:
    """Have this task, and tasks that it starts, write only while `fence` still holds its lane.

    `update_id` is the first update of the lane, which they answer; `is_first` says that no earlier
    attempt has begun to.
    """
    _fence.set(fence)
    _is_first.set(is_first)
    _update.set(update_id)
    _lane_caches.set(defaultdict(dict))


@contextmanager
def about_update(update_id: int) -> Iterator[None]:
    """Name an update as the subject of this block, which does not hold its lane."""
    token = _update.set(update_id)
    try:
        yield
    finally:
        _update.reset(token)


def work_without_lane() -> None:
    """End the effect of `work_under`: from here on, this task writes without a lane."""
    _fence.set(None)
    _update.set(None)
    _is_first.set(False)
    _lane_caches.set(None)
    _progress_callback.set(None)
    _is_leased.set(None)
    _is_quiet.set(None)


def is_first_attempt() -> bool:
    """Whether certainly no earlier attempt at this task's update has begun."""
    return _is_first.get()


def lane_cache(owner: object) -> dict[Any, Any] | None:
    """The cache of `owner` for as long as this task's lane is served, None without a lane.

    Keep only rows that nobody changes without the lane.
    """
    caches = _lane_caches.get()
    return None if caches is None else caches[owner]


def confirm_lease_with(is_leased: Callable[[], bool]) -> None:
    """Have this task, and tasks that it starts, confirm their lane's lease with `is_leased`."""
    _is_leased.set(is_leased)


@contextmanager
def require_lease() -> Iterator[None]:
    """Have `confirm_lease` refuse calls in this block once the lease of this task's lane is over.

    Use this for effects that cannot be refused later, directly after the lane was checked: the
    process may be paused for long in between. Other calls may go on while the database is away,
    when no lease can be renewed.
    """
    token = _is_last_look.set(True)
    try:
        yield
    finally:
        _is_last_look.reset(token)


def confirm_lease() -> None:
    """Check locally, before a call leaves, what `require_lease` demands. Raises: LaneLostError."""
    is_leased = _is_leased.get() if _is_last_look.get() else None
    if is_leased and not is_leased():
        raise LaneLostError(f"lease of fence {_fence.get()}")


def judge_quiet_with(is_quiet: Callable[[], bool]) -> None:
    """Have `is_lane_quiet` call `is_quiet` in this task and in tasks that it starts."""
    _is_quiet.set(is_quiet)


def is_lane_quiet() -> bool:
    """Whether certainly nothing waits behind the update that this task answers."""
    is_quiet = _is_quiet.get()
    return is_quiet is not None and is_quiet()


def note_progress_with(callback: Callable[[], Awaitable[None]]) -> None:
    """Have `note_progress` await `callback` from here on in this task."""
    _progress_callback.set(callback)


async def note_progress() -> None:
    """Report that a step was stored from which a later attempt can go on."""
    if callback := _progress_callback.get():
        await callback()


def current_fence() -> int | None:
    """The fence of this task, None when it holds no lane."""
    return _fence.get()


def current_update() -> int | None:
    """The first update that this task answers, None when it answers none."""
    return _update.get()
