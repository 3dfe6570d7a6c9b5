"""Programs that a bench starts, and their end: before the end of what they use."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

_END_S = 30.0
"""The seconds that a program may take to end; no turn of a bench takes longer."""


@dataclass(frozen=True, slots=True)
class Program:
    """A running program, and the line by which it said that it is ready."""

    process: "subprocess.Popen[str]"
    ready_line: str


@contextmanager
def running_program(
    arguments: Sequence[str], settings: Mapping[str, str] | None = None, ready: str = "ready"
) -> Iterator[Program]:
    """A Python program, once a line of its output holds `ready`; ended afterwards.

    Raises: SystemExit if it ends before it is ready.
    """
    with subprocess.Popen(
        [sys.executable, *arguments],
        env=os.environ | dict(settings or {}),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            line = next((line for line in process.stdout if ready in line), None)
            if line is None:
                raise SystemExit(f"{list(arguments)} ended before it was ready")
            yield Program(process, line.strip())
        finally:
            _end(process)


def _end(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()


@contextmanager
def unwinding_on_sigterm() -> Iterator[None]:
    """Have SIGTERM leave the block as an exception, as Ctrl-C does; a second one does nothing."""

    def unwind(number: int, _: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, unwind)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
