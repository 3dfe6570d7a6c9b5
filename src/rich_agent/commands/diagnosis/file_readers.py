"""Trials of the confinement in which untrusted files are read on this machine."""

import os
import resource
import socket
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from rich_agent.commands.diagnosis.check_results import CheckResult
from rich_agent.runtime.confinement import keep_memory_private, offered_measures, why_not
from rich_agent.runtime.readers import Effort, ReaderFailedError, read_apart

_HINT: Final = (
    "Run the bot on Linux 5.13 or newer, on x86_64 or arm64, with Landlock and seccomp, which a "
    "container has to let through. Until then, keep no secrets in files that the bot can read."
)
_FILES: Final = {"files of the system", "files of this folder"}
_CALLS: Final = {"the network", "starting programs"}
"""Trials of what Landlock keeps from a reader, and of what the filter of calls does."""
_EFFORT: Final = Effort(deadline_s=20.0)


async def check_file_readers() -> CheckResult:
    """Whether a reader is kept from everything but its file, and by what."""
    name = "file readers"
    # As the processes that serve do, whose place this one takes in the trial.
    keep_memory_private()
    try:
        reachable = await read_apart(
            reachable_from, (os.getpid(), str(Path.cwd())), list[str], "doctor", _EFFORT
        )
    except ReaderFailedError as error:
        return CheckResult(name, "FAIL", str(error), "Look at the memory that is free.")
    if not reachable:
        version, _ = offered_measures()
        files = f"Landlock {version}" if version else "a root folder of its own"
        text = "no network, no files, no other programs, no secrets; limits that hold"
        return CheckResult(name, "ok", f"{text} (by {files} and seccomp)")
    why = why_not(files=not _FILES & set(reachable), calls=not _CALLS & set(reachable))
    text = f"what reads files that people send could reach: {', '.join(reachable)}"
    return CheckResult(name, "warn", f"{text} ({'; '.join(why) or 'in part'})", _HINT)


def reachable_from(targets: tuple[int, str]) -> list[str]:
    """List what this process can do, of all that a file's reader should not.

    `targets` are another process and a folder.
    """
    parent, folder = targets
    attempts: dict[str, Callable[[], object]] = {
        "the network": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
        "files of the system": lambda: Path("/etc/passwd").read_bytes(),
        "files of this folder": lambda: list(Path(folder).iterdir()),
        "writing files": lambda: TemporaryFile().close(),
        "secrets of the bot": lambda: Path(f"/proc/{parent}/environ").read_bytes(),
        "the environment": lambda: next(iter(os.environ)),
        "starting programs": _start,
        "its parent": lambda: os.kill(parent, 0),
        "its own limits": lambda: resource.setrlimit(resource.RLIMIT_AS, _NO_LIMIT),
    }
    return [name for name, attempt in attempts.items() if _succeeds(attempt)]


_NO_LIMIT: Final = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def _start() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, ValueError, StopIteration):
        return False
    return True
