"""Takes from this process what it does not need: files, network, other programs, privileges.

This cannot be undone, and does not affect the parent process. Measures that the system lacks are
left out; the measures in force are returned.
"""

import ctypes
import errno
import os
import resource
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from struct import pack
from typing import Final, Literal

import rich_agent
from rich_agent.runtime.call_filter import can_refuse_calls, refuse_calls
from rich_agent.runtime.file_bounds import AllowedPaths, bound_files, landlock_version

MEMORY_BYTES: Final = 1280 * 1024 * 1024
"""Most bytes of addresses. A reader with all libraries takes a fifth; 40 megapixels take 160 MB."""
_PROCESSOR_S: Final = 3600
_OPEN_FILES: Final = 128
_FILE_BYTES: Final = 512 * 1024 * 1024
"""Most bytes of a file in memory; a confined reader cannot write other files."""
SIGNALS_SINCE: Final = 6
"""The first version of Landlock that keeps a process from sending signals out of its bounds."""
READER_LIMITS: Final[Mapping[int, int]] = {
    resource.RLIMIT_AS: MEMORY_BYTES,
    resource.RLIMIT_CPU: _PROCESSOR_S,
    resource.RLIMIT_NOFILE: _OPEN_FILES,
    resource.RLIMIT_FSIZE: _FILE_BYTES,
    resource.RLIMIT_CORE: 0,
}
OCR_DATA: Final = (
    *("/usr/share/tesseract-ocr", "/usr/share/tessdata", "/usr/local/share/tessdata"),
    *("/opt/homebrew/share/tessdata", "/opt/local/share/tessdata"),
)
"""The folders in which systems keep the data of Tesseract's languages, which readers may read."""
_M_ARENA_MAX, _ARENAS = -8, 2

_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 4, 24, 38
_CAPABILITY_VERSION: Final = 0x20080522
_DAC_READ_SEARCH: Final = 1 << 2
_MOST_CAPABILITIES: Final = 64

_NO_LANDLOCK: Final[Mapping[int, str]] = {
    errno.ENOSYS: "this kernel has no Landlock",
    errno.EOPNOTSUPP: "Landlock is switched off: `lsm=` of the kernel's command line lacks it",
    errno.EPERM: "a filter, perhaps the container's, refuses Landlock",
}

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The rights that are left to a process.

    - `places`: the files that it may read and write.
    - `limits`: values by the numbers of limits in `resource`.
    - `runs_programs`: if false, it may only read files and write to open ones, whatever the other
      fields say.
    - `network`: whether it may reach the network.
    - `port`: the only port to which it may open TCP connections, where Landlock bounds that; None:
      all.
    """

    places: AllowedPaths
    limits: Mapping[int, int]
    runs_programs: bool = False
    network: bool = False
    port: int | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """The measures in force: the means that bounds files, "" for none; a filter of calls."""

    files: Literal["landlock", "root", ""]
    calls: bool


def confine(bounds: Bounds) -> Held:
    """Confine this process and its later children to the bounds, for good.

    Call this while the process has one thread, and before it reads anything from outside. Measures
    that this system lacks are left out, without an error.
    """
    with suppress(AttributeError, OSError):
        # Else glibc reserves 64 MB of addresses for each thread, which the limit counts.
        _libc.mallopt(_M_ARENA_MAX, _ARENAS)
    _limit(bounds.limits)
    if sys.platform != "linux":
        return Held("", calls=False)
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    runs_programs, network = bounds.runs_programs, bounds.network
    files = bound_files(
        bounds.places, runs_programs=runs_programs, network=network, port=bounds.port
    )
    keep_memory_private()
    # Only where Landlock limits which files: an installation may belong to another user.
    _drop_capabilities(may_read=files == "landlock" and not runs_programs)
    writes = not all(place.is_char_device() for place in bounds.places.writable)
    calls = refuse_calls(runs_programs=runs_programs, writes=writes, network=network)
    return Held(files, calls)


def keep_memory_private() -> None:
    """Keep other processes of this user from reading this one's environment and memory.

    A crash then writes no core dump. Programs that this process starts are not protected.
    """
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def offered_measures() -> tuple[int, bool]:
    """The kernel's version of Landlock, 0 for none, and whether it can filter system calls."""
    if sys.platform != "linux":
        return 0, False
    return max(0, landlock_version()), can_refuse_calls()


def why_not(*, files: bool, calls: bool) -> Iterator[str]:
    """Yield the reasons why measures are missing: for `files` and `calls` that are false."""
    if sys.platform != "linux":
        yield "only Linux has such measures"
        return
    if not files:
        why = _NO_LANDLOCK.get(-landlock_version(), "Landlock does not work here")
        yield f"{why}, and namespaces are refused too"
    if not calls:
        yield f"seccomp is missing or refused, or not known for {os.uname().machine}"


def limit_processor(seconds: int) -> None:
    """Have the kernel end the process after this many further seconds of processor time."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (min(soft, _PROCESSOR_S), _PROCESSOR_S))


def program_files(*others: str) -> AllowedPaths:
    """The files that a process of this program needs, and others, to be read only."""
    return AllowedPaths((*_own_files(), *map(Path, others)))


def reader_bounds() -> Bounds:
    """The bounds of a process that reads untrusted files."""
    return Bounds(program_files(), READER_LIMITS)


def _limit(limits: Mapping[int, int]) -> None:
    """Set limits that the process cannot raise again; macOS ignores the limit of memory."""
    for limit, value in limits.items():
        _, hard = resource.getrlimit(limit)
        new_limit = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(limit, (new_limit, new_limit))


def _own_files() -> Iterator[Path]:
    """Yield the files and folders that a reader needs; none may hold settings or the bot's data."""
    yield from map(Path, {sys.prefix, sys.base_prefix, sys.exec_prefix})
    yield from (Path(entry) for entry in sys.path if entry.endswith("-packages"))
    yield from map(Path, rich_agent.__path__)
    for path in (
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo",
        "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/dev/null", "/dev/urandom",
        "/sys/devices/system/cpu", "/sys/fs/cgroup", "/proc/meminfo", "/proc/cpuinfo",
        f"/proc/{os.getpid()}/cgroup",  # which DuckDB cannot do without
    ):  # fmt: skip
        yield Path(path)
    yield from Path("/etc").glob("ld-musl-*.path")
    yield from map(Path, OCR_DATA)


def _drop_capabilities(*, may_read: bool) -> None:
    """Drop all capabilities of root, except that of reading all files if `may_read`."""
    for capability in range(_MOST_CAPABILITIES):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    kept_capabilities = _DAC_READ_SEARCH if may_read and os.geteuid() == 0 else 0
    header = pack("=Ii", _CAPABILITY_VERSION, 0)
    with suppress(AttributeError):
        _libc.capset(header, pack("=6I", kept_capabilities, kept_capabilities, 0, 0, 0, 0))


def make_private(directory: Path) -> None:
    """Create a folder and its missing parents for their owner alone; existing ones are not changed.

    If the owner is root, other users may pass through it, because PostgreSQL runs as another user.

    Raises: OSError.
    """
    mode = 0o711 if os.geteuid() == 0 else 0o700
    for folder in reversed((directory, *directory.parents)):
        if not folder.exists():
            folder.mkdir(mode=mode, exist_ok=True)
