"""The process that reads untrusted files: it takes one job after another and replies in JSON."""

import os
import pickle
import select
import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from typing import Any, BinaryIO, Final

from pydantic_core import PydanticSerializationError, to_json

from rich_agent.errors import RichAgentError
from rich_agent.runtime.confinement import confine, limit_processor, reader_bounds

IDLE_S: Final = 2.0
"""Seconds without a job after which the process ends by itself."""
IDLE_EXIT: Final = 75
SIZE_BYTES: Final = 8
RESULT, REFUSED, FAILED = b"R", b"E", b"F"
NICENESS: Final = 10

Job = tuple[Callable[[Any], Any], object, int]
"""A function, its argument, and the seconds of a processor that it may take."""


def main() -> None:
    """Confine this process, then do one job after another until no more arrive.

    Arguments of the program: the seconds without a job after which it ends, and its niceness.
    """
    idle_s, niceness = (
        (float(sys.argv[1]), int(sys.argv[2])) if sys.argv[1:] else (IDLE_S, NICENESS)
    )
    jobs, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null_device = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null_device, stream)
    os.environ.clear()
    os.setpriority(os.PRIO_PROCESS, 0, max(niceness, os.getpriority(os.PRIO_PROCESS, 0)))
    confine(reader_bounds())
    while True:
        reply = _do_job(_next(jobs, idle_s))
        replies.write(len(reply).to_bytes(SIZE_BYTES) + reply)
        replies.flush()


def _next(jobs: BinaryIO, idle_s: float) -> bytes:
    """The bytes of the next job; the process ends if none comes."""
    if not select.select([jobs], [], [], idle_s)[0]:
        sys.exit(IDLE_EXIT)
    size = jobs.read(SIZE_BYTES)
    if not size:
        sys.exit(0)
    return jobs.read(int.from_bytes(size))


def _do_job(job_bytes: bytes) -> bytes:
    """The reply to a job: `RESULT`, `REFUSED` or `FAILED`, followed by a list in JSON."""
    try:
        work, argument, processor_s = pickle.loads(job_bytes)  # noqa: S301 - from our own parent
        limit_processor(processor_s)
        return RESULT + _as_json([work(argument)])
    except RichAgentError as error:
        reason = getattr(error, "kind", getattr(error, "reason", ""))
        return REFUSED + _as_json([type(error).__name__, reason, str(error)])
    except BaseException as error:  # noqa: BLE001 - the parent decides what it means
        message = "".join(traceback.format_exception_only(error)).strip()
        return FAILED + _as_json([message])


def _as_json(reply: list[Any]) -> bytes:
    """The reply as JSON."""
    try:
        return to_json(reply, bytes_mode="base64")
    except PydanticSerializationError:
        # A lone surrogate, which JSON in UTF-8 cannot hold.
        return to_json(_encodable(reply), bytes_mode="base64")


def _encodable(value: object) -> object:
    """The value with lone surrogates replaced."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if is_dataclass(value) and not isinstance(value, type):
        return _encodable(asdict(value))
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return list(map(_encodable, value)) if isinstance(value, list | tuple) else value
