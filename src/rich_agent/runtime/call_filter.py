"""Refuses the system calls that a process does not need, by a seccomp filter.

The numbers of calls are known for x86_64 and arm64; on other machines there is no filter.
"""

import ctypes
import errno
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from struct import pack
from typing import Final

Numbers = tuple[int, int]
"""The numbers of a system call on x86_64 and on arm64; -1 where the call does not exist."""

# Calls for other processes, the kernel, file systems and owners of files: no confined process needs
# them.
NEVER: Final[Mapping[str, Numbers]] = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "mount_setattr": (442, 442), "setns": (308, 268), "unshare": (272, 97),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "truncate": (76, 45),
    "chown": (92, -1), "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "shmget": (29, 194), "shmat": (30, 196), "semget": (64, 190), "msgget": (68, 186),
    "mq_open": (240, 180), "process_madvise": (440, 440),
    "init_module": (175, 105), "finit_module": (313, 273), "kexec_load": (246, 104),
    "reboot": (169, 142), "swapon": (167, 224), "acct": (163, 89), "syslog": (103, 116),
    "fanotify_init": (300, 262), "quotactl": (179, 60), "personality": (135, 92),
    "move_pages": (279, 239), "migrate_pages": (256, 238),
}  # fmt: skip
# Calls that Landlock permits to the owner of a file, wherever the file is.
MODES: Final[Mapping[str, Numbers]] = {
    "chmod": (90, -1), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1), "utimensat": (280, 88),
}  # fmt: skip
# Calls that a process without programs does not need: it only reads, and uses its pipes.
BEYOND_READING: Final[Mapping[str, Numbers]] = {
    **MODES,
    "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200),
    "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242),
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, -1), "vfork": (58, -1),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "creat": (85, -1), "mkdir": (83, -1), "mkdirat": (258, 34), "rmdir": (84, -1),
    "rename": (82, -1), "renameat": (264, 38), "renameat2": (316, 276),
    "link": (86, -1), "linkat": (265, 37), "symlink": (88, -1), "symlinkat": (266, 36),
    "unlink": (87, -1), "unlinkat": (263, 35), "mknod": (133, -1), "mknodat": (259, 33),
    "fchmod": (91, 52),
}  # fmt: skip
# Calls whose ruling depends on their arguments.
BY_ARGUMENTS: Final[Mapping[str, Numbers]] = {
    "clone": (56, 220), "clone3": (435, 435), "openat2": (437, 437), "open": (2, -1),
    "openat": (257, 56), "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261),
    "socket": (41, 198), "seccomp": (317, 277),
}  # fmt: skip
_NEWEST_KNOWN: Final = 462
_X32: Final = 0x40000000
_ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_CLONE_THREAD: Final = 0x10000
# linux/sched.h: new namespaces of mounts, control groups, names, IPC, users, processes, network.
_CLONE_NAMESPACES: Final = 0x7E020000
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_INTERNET: Final = (2, 10, 16)
"""AF_INET, AF_INET6, and AF_NETLINK, by which programs read the machine's addresses."""
# linux/bpf_common.h and linux/seccomp.h
_LOAD, _IS, _IS_OVER, _HAS_BITS, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_PROGRAM, _ASKS_ANSWER, _SYNC_THREADS = 1, 2, 1

_libc = ctypes.CDLL(None, use_errno=True)


def can_refuse_calls() -> bool:
    """Whether this kernel supports such filters, and this machine's numbers of calls are known."""
    if platform.machine() not in _ARCHITECTURES:
        return False
    column, _ = _ARCHITECTURES[platform.machine()]
    call_number, answer = BY_ARGUMENTS["seccomp"][column], ctypes.c_uint32(_ERROR)
    return not _libc.syscall(call_number, _ASKS_ANSWER, 0, ctypes.byref(answer))


def refuse_calls(*, runs_programs: bool, writes: bool, network: bool) -> bool:
    """Refuse system calls in all threads, for good; return whether the filter is in force.

    - `runs_programs`: if false, the process may only read files, whatever the others say.
    - `writes`: whether there is a folder to write to.
    - `network`: whether the process may reach the internet.
    """
    if platform.machine() not in _ARCHITECTURES:
        return False
    column, architecture = _ARCHITECTURES[platform.machine()]
    refusals = dict(NEVER)
    if not runs_programs:
        refusals |= BEYOND_READING
    elif not writes:
        refusals |= MODES
    if not network:
        refusals["socket"] = BY_ARGUMENTS["socket"]
    steps = b"".join(
        [
            *_first_steps(architecture),
            *_refusal_steps(refusals, column),
            *(_program_steps(column) if runs_programs else _reader_steps(column)),
            _answer(_ALLOW),
        ]
    )
    program = ctypes.create_string_buffer(steps)
    descriptor = pack("@HP", len(steps) // 8, ctypes.addressof(program))
    call_number = BY_ARGUMENTS["seccomp"][column]
    return not _libc.syscall(call_number, _PROGRAM, _SYNC_THREADS, descriptor)


def _first_steps(architecture: int) -> Iterator[bytes]:
    """The steps that check the architecture and the number of the call."""
    yield _step(_LOAD, _ARCHITECTURE_AT)
    yield from _when(_IS, architecture, [], [_answer(_KILL)])
    yield _step(_LOAD, _NUMBER_AT)
    # Newer calls, and those of the second numbering, are not known to be harmless.
    yield from _when(_IS_OVER, _X32 - 1, [_answer(_ERROR | errno.EPERM)])
    yield from _when(_IS_OVER, _NEWEST_KNOWN, [_answer(_ERROR | errno.ENOSYS)])


def _refusal_steps(refusals: Mapping[str, Numbers], column: int) -> Iterator[bytes]:
    """The steps that refuse calls whatever their arguments are."""
    for number in sorted({call[column] for call in refusals.values()} - {-1}):
        yield from _when(_IS, number, [_answer(_ERROR | errno.EPERM)])
    # A filter cannot see the arguments of these calls; without them, libraries use the older calls.
    for name in ("clone3", "openat2"):
        yield from _when(_IS, BY_ARGUMENTS[name][column], [_answer(_ERROR | errno.ENOSYS)])
    yield from _unless(BY_ARGUMENTS["prlimit64"][column], 0, _IS, 0)


def _reader_steps(column: int) -> Iterator[bytes]:
    """The steps for a process that only reads files."""
    yield from _unless(BY_ARGUMENTS["clone"][column], 0, _HAS_BITS, _CLONE_THREAD)
    for name in ("kill", "tgkill"):
        yield from _unless(BY_ARGUMENTS[name][column], 0, _IS, os.getpid())
    for name, flags_index in (("open", 1), ("openat", 2)):
        refusal = [_answer(_ERROR | errno.EACCES)]
        writes = _when(_HAS_BITS, _WRITES, refusal, [_answer(_ALLOW)])
        call_number = BY_ARGUMENTS[name][column]
        yield from (
            _when(_IS, call_number, [_argument(flags_index), *writes]) if call_number >= 0 else ()
        )


def _program_steps(column: int) -> Iterator[bytes]:
    """The steps for a process that runs programs."""
    refusal, permission = [_answer(_ERROR | errno.EPERM)], [_answer(_ALLOW)]
    namespace_check = _when(_HAS_BITS, _CLONE_NAMESPACES, refusal, permission)
    yield from _when(_IS, BY_ARGUMENTS["clone"][column], [_argument(0), *namespace_check])
    families = [step for family in _INTERNET for step in _when(_IS, family, permission)]
    steps = [_argument(0), *families, *refusal]
    yield from _when(_IS, BY_ARGUMENTS["socket"][column], steps)


def _unless(call_number: int, argument: int, test: int, value: int) -> Sequence[bytes]:
    """The steps that refuse a call unless one of its arguments passes a test."""
    refusal = [_answer(_ERROR | errno.EPERM)]
    decision = _when(test, value, [_answer(_ALLOW)], refusal)
    return _when(_IS, call_number, [_argument(argument), *decision])


def _when(
    test: int, value: int, then: Sequence[bytes], otherwise: Sequence[bytes] = ()
) -> Sequence[bytes]:
    """The steps of a test of the loaded value: `then` if it passes, `otherwise` if it fails.

    The steps of `then` have to end with an answer.
    """
    if not then:
        return [_step(test, value, len(otherwise), 0), *otherwise]
    return [_step(test, value, 0, len(then)), *then, *otherwise]


def _argument(index: int) -> bytes:
    """The step that loads an argument of the call."""
    return _step(_LOAD, _ARGUMENTS_AT + 8 * index)


def _answer(answer: int) -> bytes:
    """The step that ends with this answer."""
    return _step(_RETURN, answer)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction of the filter."""
    return pack("=HBBI", code, if_true, if_false, value)
