"""Takes from this process what it does not need to read one file: network, files, programs.

For good, and not for its parent. Each measure is tried; what the system lacks is left out, and
`rich-agent doctor` tells what holds.
"""

import ctypes
import errno
import os
import platform
import resource
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from struct import pack
from typing import Final

import rich_agent

MEMORY_BYTES: Final = 1280 * 1024 * 1024
"""Of addresses; a reader with all its libraries takes a fifth of it. 40 megapixels take 160 MB."""
_PROCESSOR_S: Final = 3600
_OPEN_FILES: Final = 128
_FILE_BYTES: Final = 512 * 1024 * 1024
"""Of a file in memory, which is the only kind that can be written."""
_M_ARENA_MAX, _ARENAS = -8, 2

_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 4, 24, 38
_CAPABILITY_VERSION: Final = 0x20080522
_DAC_READ_SEARCH: Final = 1 << 2
_MOST_CAPABILITIES: Final = 64

# Landlock, linux/landlock.h: what each version of the interface added to the accesses of files.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_FILE_ACCESSES: Final[Mapping[int, int]] = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 5: 0xFFFF}
_READ_FILE, _READ_DIRECTORY = 1 << 2, 1 << 3
_NETWORK_SINCE, _SCOPES_SINCE, _BOTH = 4, 6, 3

# Calls of the system that reading a file never needs: x86_64, aarch64; -1 where there is none.
_REFUSED: Final[Mapping[str, tuple[int, int]]] = {
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200),
    "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242),
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, -1), "vfork": (58, -1),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "mount_setattr": (442, 442), "setns": (308, 268), "unshare": (272, 97),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "creat": (85, -1), "truncate": (76, 45), "mkdir": (83, -1), "mkdirat": (258, 34),
    "rmdir": (84, -1), "rename": (82, -1), "renameat": (264, 38), "renameat2": (316, 276),
    "link": (86, -1), "linkat": (265, 37), "symlink": (88, -1), "symlinkat": (266, 36),
    "unlink": (87, -1), "unlinkat": (263, 35), "mknod": (133, -1), "mknodat": (259, 33),
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, -1), "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54),
    "utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "shmget": (29, 194), "shmat": (30, 196), "semget": (64, 190), "msgget": (68, 186),
    "mq_open": (240, 180), "process_madvise": (440, 440),
    "init_module": (175, 105), "finit_module": (313, 273), "kexec_load": (246, 104),
    "reboot": (169, 142), "swapon": (167, 224), "acct": (163, 89), "syslog": (103, 116),
    "fanotify_init": (300, 262), "quotactl": (179, 60), "personality": (135, 92),
    "move_pages": (279, 239), "migrate_pages": (256, 238),
}  # fmt: skip
_CLONE, _CLONE3, _OPENAT2 = (56, 220), (435, 435), (437, 437)
_OPEN, _OPENAT = (2, -1), (257, 56)
_TO_A_PROCESS: Final = ((62, 129), (234, 131))  # kill, tgkill
_PRLIMIT: Final = (302, 261)
_NEWEST_KNOWN: Final = 462
_X32: Final = 0x40000000
_ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_SECCOMP: Final = (317, 277)
_CAPSET: Final = (126, 91)
_CLONE_THREAD: Final = 0x10000
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# linux/bpf_common.h and linux/seccomp.h
_LOAD, _IS, _IS_OVER, _HAS_BITS, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16

_libc = ctypes.CDLL(None, use_errno=True)


def confine(niceness: int) -> None:
    """Give up everything but reading the program's own files, in this order, and for good.

    Call it while the process has one thread and before it has seen anything from outside. Nothing
    is raised for what this system does not have.
    """
    os.setpriority(os.PRIO_PROCESS, 0, niceness)
    with suppress(AttributeError, OSError):
        # Else glibc reserves 64 MB of addresses for each thread, which the limit counts.
        _libc.mallopt(_M_ARENA_MAX, _ARENAS)
    _limit()
    if sys.platform != "linux":
        return
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    has_landlock = _restrict_files()
    machine = _ARCHITECTURES.get(platform.machine())
    if machine is not None:
        place, architecture = machine
        _drop_capabilities(place, may_read=has_landlock)
        _restrict_calls(place, architecture)


def limit_processor(seconds: int) -> None:
    """Have the kernel end the process when it has worked for so long from here on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (min(soft, _PROCESSOR_S), _PROCESSOR_S))


def _limit() -> None:
    """Limits that the process cannot raise again; macOS does not know the one of memory."""
    for limit, value in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, _PROCESSOR_S),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(limit, (most, most))


def _restrict_files() -> bool:
    """Whether no file can be read but those of Python, its libraries and this program."""
    version = _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    if version < 1:
        return False
    accesses = _FILE_ACCESSES[max(known for known in _FILE_ACCESSES if known <= version)]
    network = _BOTH if version >= _NETWORK_SINCE else 0
    scopes = _BOTH if version >= _SCOPES_SINCE else 0
    asked = pack("=QQQ", accesses, network, scopes)
    size = 24 if scopes else 16 if network else 8
    rules = _libc.syscall(_CREATE_RULESET, asked, ctypes.c_size_t(size), ctypes.c_uint32(0))
    if rules < 0:
        return False
    for path in _own_files():
        with suppress(OSError):
            _allow_reading(rules, path)
    refused = _libc.syscall(_RESTRICT_SELF, rules, ctypes.c_uint32(0))
    os.close(rules)
    return not refused


def _own_files() -> Iterator[Path]:
    """Yield what reading needs: never a folder that may hold settings or data of the bot."""
    yield from map(Path, {sys.prefix, sys.base_prefix, sys.exec_prefix})
    yield from (Path(entry) for entry in sys.path if entry.endswith("-packages"))
    yield from map(Path, rich_agent.__path__)
    for known in (
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo",
        "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/dev/null", "/dev/urandom",
        "/sys/devices/system/cpu", "/sys/fs/cgroup", "/proc/meminfo", "/proc/cpuinfo",
        f"/proc/{os.getpid()}/cgroup",  # which DuckDB cannot do without
    ):  # fmt: skip
        yield Path(known)


def _allow_reading(rules: int, path: Path) -> None:
    held = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        accesses = _READ_FILE | (_READ_DIRECTORY if path.is_dir() else 0)
        _libc.syscall(_ADD_RULE, rules, 1, pack("=Qi", accesses, held), ctypes.c_uint32(0))
    finally:
        os.close(held)


def _drop_capabilities(place: int, *, may_read: bool) -> None:
    """Leave nothing of what root may do, but to read files that belong to others.

    That is kept only where `_restrict_files` says which: an installation may belong to somebody.
    """
    for number in range(_MOST_CAPABILITIES):
        _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    kept = _DAC_READ_SEARCH if may_read and os.geteuid() == 0 else 0
    header = pack("=Ii", _CAPABILITY_VERSION, 0)
    _libc.syscall(_CAPSET[place], header, pack("=6I", kept, kept, 0, 0, 0, 0))


def _restrict_calls(place: int, architecture: int) -> None:
    """Refuse calls of the system by a filter for seccomp, in all threads."""
    steps = b"".join(_filter(place, architecture))
    program = ctypes.create_string_buffer(steps)
    prepared = pack("@HP", len(steps) // 8, ctypes.addressof(program))
    sync_threads = 1
    _libc.syscall(_SECCOMP[place], 1, sync_threads, prepared)


def _filter(place: int, architecture: int) -> Iterator[bytes]:
    yield _step(_LOAD, _ARCHITECTURE_AT)
    yield from _when(_IS, architecture, [], [_answer(_KILL)])
    yield _step(_LOAD, _NUMBER_AT)
    # Newer calls than these are not known to be harmless, nor are those of a second numbering.
    yield from _when(_IS_OVER, _X32 - 1, [_answer(_ERROR | errno.EPERM)])
    yield from _when(_IS_OVER, _NEWEST_KNOWN, [_answer(_ERROR | errno.ENOSYS)])
    for number in sorted({call[place] for call in _REFUSED.values()} - {-1}):
        yield from _when(_IS, number, [_answer(_ERROR | errno.EPERM)])
    # Their arguments are out of a filter's sight; libraries then use the older calls.
    for call in (_CLONE3, _OPENAT2):
        yield from _when(_IS, call[place], [_answer(_ERROR | errno.ENOSYS)])
    yield from _unless(_CLONE[place], 0, _HAS_BITS, _CLONE_THREAD)
    for call in _TO_A_PROCESS:
        yield from _unless(call[place], 0, _IS, os.getpid())
    yield from _unless(_PRLIMIT[place], 0, _IS, 0)
    for call, flags_at in ((_OPEN, 1), (_OPENAT, 2)):
        if call[place] >= 0:
            refused = [_answer(_ERROR | errno.EACCES)]
            writes = _when(_HAS_BITS, _WRITES, refused, [_answer(_ALLOW)])
            yield from _when(_IS, call[place], [_argument(flags_at), *writes])
    yield _answer(_ALLOW)


def _unless(number: int, argument: int, test: int, value: int) -> Sequence[bytes]:
    """Refuse a call unless one of its arguments passes a test."""
    refused = [_answer(_ERROR | errno.EPERM)]
    decided = _when(test, value, [_answer(_ALLOW)], refused)
    return _when(_IS, number, [_argument(argument), *decided])


def _when(
    test: int, value: int, then: Sequence[bytes], otherwise: Sequence[bytes] = ()
) -> Sequence[bytes]:
    """Steps to take when a test of what was loaded passes, which end there; and when it fails."""
    if not then:
        return [_step(test, value, len(otherwise), 0), *otherwise]
    return [_step(test, value, 0, len(then)), *then, *otherwise]


def _argument(place: int) -> bytes:
    return _step(_LOAD, _ARGUMENTS_AT + 8 * place)


def _answer(answer: int) -> bytes:
    return _step(_RETURN, answer)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return pack("=HBBI", code, if_true, if_false, value)


def make_private(directory: Path) -> None:
    """Create what is missing of a folder for its owner alone; existing folders stay as they are.

    Others may pass through one of root, where PostgreSQL runs as another user. Raises: OSError.
    """
    mode = 0o711 if os.geteuid() == 0 else 0o700
    for place in reversed((directory, *directory.parents)):
        if not place.exists():
            place.mkdir(mode=mode, exist_ok=True)
