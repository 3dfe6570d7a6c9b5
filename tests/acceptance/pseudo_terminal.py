"""A command of this project at a terminal of its own, with somebody who types."""

import os
import pty
import re
import select
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

DEADLINE_S = 60.0
_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class PseudoTerminal:
    """A terminal: what a person types into a command and sees of it."""

    def __init__(self, pid: int, descriptor: int) -> None:
        self._pid = pid
        self._descriptor = descriptor
        self._raw = b""
        self._read = 0

    def type(self, text: str) -> None:
        """Press keys; the character 3 is Ctrl-C."""
        os.write(self._descriptor, text.encode())

    def until(self, mark: str) -> str:
        """Read what appears up to and with `mark`, as it stays on the screen."""
        deadline = time.monotonic() + DEADLINE_S
        while (at := self._raw.find(mark.encode(), self._read)) < 0:
            assert time.monotonic() < deadline, f"{mark!r} did not appear: {self._raw!r}"
            assert self._take(), f"ended before {mark!r}: {self._raw!r}"
        end = at + len(mark.encode())
        seen, self._read = self._raw[self._read : end], end
        return _CONTROLS.sub("", seen.decode(errors="replace"))

    def end(self) -> int:
        """The exit code."""
        while self._take():
            pass
        _, status = os.waitpid(self._pid, 0)
        return os.waitstatus_to_exitcode(status)

    def _take(self) -> bool:
        ready, _, _ = select.select([self._descriptor], [], [], 0.2)
        if not ready:
            return True
        try:
            self._raw += (new := os.read(self._descriptor, 65_536))
        except OSError:  # as Linux tells that the other side has closed
            return False
        return bool(new)


@contextmanager
def at_terminal(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path
) -> Iterator[PseudoTerminal]:
    """Run a module in 80 columns; it is closed with the block."""
    pid, descriptor = pty.fork()
    if pid == 0:
        os.chdir(folder)
        line = [sys.executable, "-P", "-m", *arguments]
        os.execve(sys.executable, line, {**environment, "COLUMNS": "80", "TERM": "xterm"})  # noqa: S606 - no shell wanted
    try:
        yield PseudoTerminal(pid, descriptor)
    finally:
        os.close(descriptor)
