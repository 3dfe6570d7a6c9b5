"""Takes from this process what it does not need: files, network, other programs, privileges.

For good, and not for its parent. Each measure is tried; what the system lacks is left out, and
what holds is returned, so that it can be told.
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
"""Of addresses; a reader with all its libraries takes a fifth of it. 40 megapixels take 160 MB."""
_PROCESSOR_S: Final = 3600
_OPEN_FILES: Final = 128
_FILE_BYTES: Final = 512 * 1024 * 1024
"""Of a file in memory, which is the only kind that can be written."""
SIGNALS_SINCE: Final = 6
"""The version of Landlock that keeps signals from processes which are not confined alike."""
READER_LIMITS: Final[Mapping[int, int]] = {
    resource.RLIMIT_AS: MEMORY_BYTES,
    resource.RLIMIT_CPU: _PROCESSOR_S,
    resource.RLIMIT_NOFILE: _OPEN_FILES,
    resource.RLIMIT_FSIZE: _FILE_BYTES,
    resource.RLIMIT_CORE: 0,
}
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
    """All that is left to a process: places, limits by their numbers in `resource`, the network.

    One that does not run programs can read, and write to what it has open; nothing else, whatever
    the other fields say.
    """

    places: AllowedPaths
    limits: Mapping[int, int]
    runs_programs: bool = False
    network: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """The measures that hold: by which means files are bound, "" if none, and a filter of calls."""

    files: Literal["landlock", "root", ""]
    calls: bool


def confine(bounds: Bounds) -> Held:
    """Give up everything beyond the bounds, for good, and for all that this process starts.

    Call it while the process has one thread and before it has seen anything from outside. Nothing
    is raised for what this system does not have.
    """
    with suppress(AttributeError, OSError):
        # Else glibc reserves 64 MB of addresses for each thread, which the limit counts.
        _libc.mallopt(_M_ARENA_MAX, _ARENAS)
    _limit(bounds.limits)
    if sys.platform != "linux":
        return Held("", calls=False)
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    runs_programs, network = bounds.runs_programs, bounds.network
    files = bound_files(bounds.places, runs_programs=runs_programs, network=network)
    keep_memory_private()
    # Where it is known which files these are: an installation may belong to somebody else.
    _drop_capabilities(may_read=files == "landlock" and not runs_programs)
    writes = not all(place.is_char_device() for place in bounds.places.writable)
    calls = refuse_calls(runs_programs=runs_programs, writes=writes, network=network)
    return Held(files, calls)


def keep_memory_private() -> None:
    """Refuse other processes of this user the environment and the memory of this one.

    Nor does a crash leave an image of it. A program that this process starts is not covered.
    """
    if sys.platform == "linux":
        _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def offered_measures() -> tuple[int, bool]:
    """Ask the kernel for its version of Landlock, 0 for none, and whether it can refuse calls."""
    if sys.platform != "linux":
        return 0, False
    return max(0, landlock_version()), can_refuse_calls()


def why_not(*, files: bool, calls: bool) -> Iterator[str]:
    """Say why files are not bound, and why calls are not refused, as far as that does not hold."""
    if sys.platform != "linux":
        yield "only Linux has such measures"
        return
    if not files:
        why = _NO_LANDLOCK.get(-landlock_version(), "Landlock does not work here")
        yield f"{why}, and namespaces are refused too"
    if not calls:
        yield f"seccomp is missing or refused, or not known for {os.uname().machine}"


def limit_processor(seconds: int) -> None:
    """Have the kernel end the process when it has worked for so long from here on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (min(soft, _PROCESSOR_S), _PROCESSOR_S))


def reader_bounds() -> Bounds:
    """The bounds of a process that reads untrusted files."""
    return Bounds(AllowedPaths(tuple(_own_files())), READER_LIMITS)


def _limit(limits: Mapping[int, int]) -> None:
    """Limits that the process cannot raise again; macOS does not know the one of memory."""
    for limit, value in limits.items():
        _, hard = resource.getrlimit(limit)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(limit, (most, most))


def _own_files() -> Iterator[Path]:
    """Yield what reading needs: never a folder that may hold settings or data of the bot."""
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


def _drop_capabilities(*, may_read: bool) -> None:
    """Leave nothing of what root may do, but to read files that belong to others if `may_read`."""
    for number in range(_MOST_CAPABILITIES):
        _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    rest = _DAC_READ_SEARCH if may_read and os.geteuid() == 0 else 0
    header = pack("=Ii", _CAPABILITY_VERSION, 0)
    with suppress(AttributeError):
        _libc.capset(header, pack("=6I", rest, rest, 0, 0, 0, 0))


def make_private(directory: Path) -> None:
    """Create what is missing of a folder for its owner alone; existing folders stay as they are.

    Others may pass through one of root, where PostgreSQL runs as another user. Raises: OSError.
    """
    mode = 0o711 if os.geteuid() == 0 else 0o700
    for place in reversed((directory, *directory.parents)):
        if not place.exists():
            place.mkdir(mode=mode, exist_ok=True)
