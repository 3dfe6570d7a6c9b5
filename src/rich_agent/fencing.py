"""The fence under which a task works; repositories refuse what it writes once the lane is lost.

It goes with the task's context rather than from call to call, because LangGraph stores checkpoints
in tasks of its own.
"""

from contextvars import ContextVar

_fence: ContextVar[int | None] = ContextVar("fence", default=None)


def work_under(fence: int) -> None:
    """From here on, this task and those that it starts write only while `fence` holds its lane."""
    _fence.set(fence)


def current_fence() -> int | None:
    """The fence of this task, None when it holds no lane."""
    return _fence.get()
