"""A command, its time and its memory."""

import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import psutil

_LOOK_EVERY_S = 0.02


@dataclass(frozen=True, slots=True)
class Measured:
    """The output of a command, the seconds it took, and the most memory (MB) it had resident.

    The memory is that of the process and those it started, looked at every 20 ms.
    """

    output: str
    seconds: float
    peak_mb: float


def run_measured(
    command: Sequence[str], environment: Mapping[str, str], *, allowed: Sequence[int] = (0,)
) -> Measured:
    """Run a command to its end.

    Raises: SystemExit with what it wrote to stderr if its exit code is not allowed.
    """
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        began = time.perf_counter()
        process = psutil.Popen(command, env=dict(environment), stdout=output, stderr=errors)
        peak = 0
        while process.poll() is None:
            peak = max(peak, _resident(process))
            time.sleep(_LOOK_EVERY_S)
        seconds = time.perf_counter() - began
        output.seek(0)
        errors.seek(0)
        if process.returncode not in allowed:
            sys.exit(f"{' '.join(command)} failed:\n{errors.read()}")
        return Measured(output.read(), seconds, peak / 1e6)


def _resident(process: psutil.Process) -> int:
    """Bytes of the process and its descendants; one that ended meanwhile has none."""
    total = 0
    try:
        for member in (process, *process.children(recursive=True)):
            total += member.memory_info().rss
    except psutil.NoSuchProcess:
        return total
    return total
