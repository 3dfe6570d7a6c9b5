"""Restricts a process to the files that it needs, by Landlock or by a separate root folder.

Landlock needs no privileges, and each version of it covers more. Kernels without Landlock may let
any process make a separate root folder, in namespaces.
"""

import ctypes
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from struct import pack
from typing import Final, Literal

# linux/landlock.h: what each version of the interface added to the accesses of files.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_FILE_ACCESSES: Final[Mapping[int, int]] = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 5: 0xFFFF}
_EXECUTE, _READ_FILE, _READ_DIRECTORY = 1 << 0, 1 << 2, 1 << 3
_OF_ONE_FILE: Final = 0xC007  # execute, write, read, truncate, control of devices
_NETWORK_SINCE, _SCOPES_SINCE, _BOTH = 4, 6, 3
_ASKS_VERSION: Final = 1
_PLACE_RULE, _PORT_RULE, _CONNECT_TCP = 1, 2, 2
# linux/sched.h, linux/mount.h
_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_NETWORK = 0x20000, 0x08000000, 0x10000000, 0x40000000
_READ_ONLY, _REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 1, 32, 4096, 16384, 1 << 18
_NO_SETUID, _NO_DEVICES, _DETACH = 2, 4, 2
_KEPT_FLAGS: Final = {2: 2, 4: 4, 8: 8, 1024: 1024, 2048: 2048, 4096: 1 << 21}
"""Flags that a mount without privileges must keep: as statvfs has them, and as mount does."""
_PIVOT_ROOT: Final = {"x86_64": 155, "aarch64": 41}
_PASS_ONLY: Final = 0o666
"""The umask for folders above a place: they cannot be listed, so other places stay hidden."""
_ROOT: Final = Path("/tmp")  # noqa: S108 - a folder to mount on, which changes for nobody else

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class AllowedPaths:
    """Files, and folders with everything below them, that may be read, or also written."""

    readable: Sequence[Path]
    writable: Sequence[Path] = ()


def landlock_version() -> int:
    """The version of Landlock that the kernel offers here: 1 or more, or minus an errno.

    ENOSYS: not built into the kernel. EOPNOTSUPP: switched off at its start. EPERM: refused by a
    filter, as containers have them.
    """
    version: int = _libc.syscall(
        _CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASKS_VERSION)
    )
    return version if version > 0 else -ctypes.get_errno()


def bound_files(
    places: AllowedPaths, *, runs_programs: bool, network: bool, port: int | None = None
) -> Literal["landlock", "root", ""]:
    """Restrict this process to the places; return by which means, "" if none works here.

    With a `port`, Landlock refuses TCP connections to other ports, since Linux 6.7. Places that do
    not exist are left out. Call this while the process has one thread.
    """
    if _restrict_by_landlock(places, port, runs_programs=runs_programs, network=network):
        return "landlock"
    return "root" if _enter_own_root(places, network=network) else ""


def _restrict_by_landlock(
    places: AllowedPaths, port: int | None, *, runs_programs: bool, network: bool
) -> bool:
    """Restrict this process to the places by Landlock; return whether that worked."""
    version = landlock_version()
    if version < 1:
        return False
    accesses = _FILE_ACCESSES[max(added_in for added_in in _FILE_ACCESSES if added_in <= version)]
    is_bounded = not network or port is not None
    tcp = _BOTH if version >= _NETWORK_SINCE and is_bounded else 0
    scopes = _BOTH if version >= _SCOPES_SINCE else 0
    attributes = pack("=QQQ", accesses, tcp, scopes)
    size = 24 if scopes else 16 if version >= _NETWORK_SINCE else 8
    rules = _libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))
    if rules < 0:
        return False
    read_access = _READ_FILE | _READ_DIRECTORY | (_EXECUTE if runs_programs else 0)
    for path in places.readable:
        _allow(rules, path, read_access & accesses)
    for path in places.writable:
        _allow(rules, path, accesses)
    if tcp and network and port is not None:
        _add_rule(rules, _PORT_RULE, pack("=QQ", _CONNECT_TCP, port))
    status = _libc.syscall(_RESTRICT_SELF, rules, ctypes.c_uint32(0))
    os.close(rules)
    return not status


def _add_rule(rules: int, kind: int, rule: bytes) -> None:
    _libc.syscall(_ADD_RULE, rules, kind, rule, ctypes.c_uint32(0))


def _allow(rules: int, path: Path, accesses: int) -> None:
    with suppress(OSError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rights = accesses if path.is_dir() else accesses & _OF_ONE_FILE
            _add_rule(rules, _PLACE_RULE, pack("=Qi", rights, descriptor))
        finally:
            os.close(descriptor)


def _enter_own_root(places: AllowedPaths, *, network: bool) -> bool:
    """Change to a root folder with only the places; return whether that worked.

    All places but the writable ones are read-only there. If this fails half-way, the process is in
    separate namespaces, but sees the same files as before.
    """
    machine, user_id, group_id, directory = (
        platform.machine(),
        os.geteuid(),
        os.getegid(),
        Path.cwd(),
    )
    kinds = _NEW_USER | _NEW_MOUNTS | _NEW_IPC | (0 if network else _NEW_NETWORK)
    if machine not in _PIVOT_ROOT or _libc.unshare(kinds):
        return False
    try:
        Path("/proc/self/setgroups").write_text("deny", "ascii")
        Path("/proc/self/uid_map").write_text(f"{user_id} {user_id} 1", "ascii")
        Path("/proc/self/gid_map").write_text(f"{group_id} {group_id} 1", "ascii")
        _mount(None, Path("/"), _RECURSIVE | _PRIVATE)
        _fill(_ROOT, places)
        os.chdir(_ROOT)
        _check_result(_libc.syscall(_PIVOT_ROOT[machine], b".", b"."))
        _check_result(_libc.umount2(b".", _DETACH))
        os.chdir(directory if directory.is_dir() else "/")
    except OSError:
        return False
    return True


def _fill(root: Path, places: AllowedPaths) -> None:
    """Mount an empty folder, then the places in it, each folder before the places below it."""
    paths = sorted({*places.readable, *places.writable}, key=lambda path: len(path.parts))
    descriptors = [(path, os.open(path, os.O_PATH)) for path in paths if path.exists()]
    _mount("tmpfs", root, _NO_SETUID | _NO_DEVICES)
    mask = os.umask(_PASS_ONLY)
    for path, descriptor in descriptors:
        _bind(descriptor, root, path, may_write=path in places.writable)
        os.close(descriptor)
    os.umask(mask)
    _mount(None, root, _REMOUNT | _READ_ONLY | _NO_SETUID | _NO_DEVICES)


def _bind(descriptor: int, root: Path, path: Path, *, may_write: bool) -> None:
    """Mount the open file or folder, with all mounts in it, at `path` below the root."""
    source, target = f"/proc/self/fd/{descriptor}", root / path.relative_to("/")
    if os.path.isdir(source):  # noqa: PTH112 - a descriptor's name, which Path would resolve
        target.mkdir(parents=True, exist_ok=True)
    elif not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    _mount(source, target, _BIND | _RECURSIVE)
    for mount_point in () if may_write else _mounts_at(target):
        flags = os.statvfs(mount_point).f_flag
        flags_to_keep = sum(
            mount_flag for statvfs_flag, mount_flag in _KEPT_FLAGS.items() if flags & statvfs_flag
        )
        _mount(None, mount_point, _REMOUNT | _BIND | _READ_ONLY | flags_to_keep)


def _mounts_at(place: Path) -> Iterator[Path]:
    """Yield the place, and each mount point below it."""
    yield place
    for line in Path("/proc/self/mountinfo").read_bytes().splitlines():
        field = line.split(b" ")[4].replace(b"\\040", b" ").replace(b"\\134", b"\\")
        mount_point = Path(os.fsdecode(field))
        if place in mount_point.parents:
            yield mount_point


def _mount(source: str | None, place: Path, flags: int) -> None:
    """Mount a source at a place with these flags."""
    kind = b"tmpfs" if source == "tmpfs" else None
    source_name = source.encode() if source else None
    _check_result(_libc.mount(source_name, os.fsencode(place), kind, ctypes.c_ulong(flags), None))


def _check_result(status: int) -> None:
    """Raise an OSError with the present errno unless the result is 0."""
    if status:
        error_number = ctypes.get_errno()
        raise OSError(error_number, os.strerror(error_number))
