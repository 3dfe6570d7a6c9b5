"""A machine made slow: all processes of a trial share a part of one core. Needs Linux and root."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_CGROUPS = Path("/sys/fs/cgroup")
_PERIOD_US = 100_000


@contextmanager
def limited_core() -> Iterator[Callable[[float], None]]:
    """Sets how much of one core this process has, with all that it starts in the block.

    Until it is called, nothing is limited. Raises: OSError without the right to make a cgroup.
    Source: Linux, "CFS Bandwidth Control" and "Control Group v2", `cpu.max`.
    """
    is_first_version = (_CGROUPS / "cpu").is_dir()
    parent = _CGROUPS / "cpu" if is_first_version else _CGROUPS
    group = parent / f"rich-agent-bench-{os.getpid()}"
    if not is_first_version:
        (parent / "cgroup.subtree_control").write_text("+cpu", "utf-8")
    group.mkdir()

    def limit(share: float) -> None:
        quota_us = int(share * _PERIOD_US)
        name, value = (
            ("cpu.cfs_quota_us", str(quota_us))
            if is_first_version
            else ("cpu.max", f"{quota_us} {_PERIOD_US}")
        )
        (group / name).write_text(value, "utf-8")

    _move(group)
    try:
        yield limit
    finally:
        for pid in (group / "cgroup.procs").read_text("utf-8").split():
            _move(parent, int(pid))
        group.rmdir()


def _move(group: Path, pid: int | None = None) -> None:
    (group / "cgroup.procs").write_text(str(pid or os.getpid()), "utf-8")
