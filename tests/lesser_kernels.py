"""Runs a command under a kernel that offers less than this one, as containers and old kernels do.

`python -m tests.lesser_kernels '{"refused": {"unshare": 1}, "landlock": 3}' COMMAND…`: `refused`
are calls with the errno that they get, `landlock` is the version that the kernel tells.
"""

import array
import ctypes
import json
import os
import platform
import socket
import struct
import sys
from collections.abc import Mapping, Sequence
from fcntl import ioctl
from pathlib import Path

from rich_agent.runtime import call_filter

_PLACE = 1 if platform.machine() == "aarch64" else 0
CALLS = {
    **{name: numbers[_PLACE] for name, numbers in call_filter.NEVER.items()},
    **{name: numbers[_PLACE] for name, numbers in call_filter.BY_ARGUMENTS.items()},
    "landlock_create_ruleset": 444,
}
_LISTENS, _NEW_LISTENER = 0x7FC00000, 8
# linux/seccomp.h: struct seccomp_notif has 80 bytes, struct seccomp_notif_resp 24.
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_libc = ctypes.CDLL(None, use_errno=True)


def command_under(lesser: Mapping[str, object], command: Sequence[str]) -> list[str]:
    """The command that runs another one under such a kernel."""
    return [sys.executable, "-m", "tests.lesser_kernels", json.dumps(lesser), *command]


def _refuse(refused: Mapping[str, int], *, asks_version: bool) -> int:
    """Refuse calls; a descriptor on which the version of Landlock is asked, if it is."""
    step, when, answer = call_filter._step, call_filter._when, call_filter._answer
    steps = [step(call_filter._LOAD, call_filter._NUMBER_AT)]
    for name, number in refused.items():
        steps += when(call_filter._IS, CALLS[name], [answer(call_filter._ERROR | number)])
    if asks_version:
        asked = when(call_filter._IS, 1, [answer(_LISTENS)], [answer(call_filter._ALLOW)])
        steps += when(call_filter._IS, 444, [call_filter._argument(2), *asked])
    program = b"".join([*steps, answer(call_filter._ALLOW)])
    held = ctypes.create_string_buffer(program)
    prepared = struct.pack("@HP", len(program) // 8, ctypes.addressof(held))
    _libc.prctl(38, 1, 0, 0, 0)
    flags = _NEW_LISTENER if asks_version else 0
    listener: int = _libc.syscall(CALLS["seccomp"], 1, flags, prepared)
    assert listener >= 0, os.strerror(ctypes.get_errno())
    return listener


def _tell(listener: int, version: int) -> None:
    """Answer each question for the version, until nobody is left to ask."""
    while True:
        asked = bytearray(80)
        try:
            ioctl(listener, _RECEIVE, asked)
            ioctl(listener, _SEND, bytearray(asked[:8] + struct.pack("=qiI", version, 0, 0)))
        except OSError:
            return


def main() -> None:
    """Run the command; its exit code becomes that of this one."""
    lesser, command = json.loads(sys.argv[1]), sys.argv[2:]
    version = lesser.get("landlock")
    ours, theirs = socket.socketpair()
    if version is not None and (child := os.fork()):
        theirs.close()
        _, given, _, _ = ours.recvmsg(1, socket.CMSG_SPACE(4))
        listener = array.array("i", given[0][2])[0]
        if not os.fork():
            _tell(listener, version)
            os._exit(0)
        os.close(listener)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    listener = _refuse(lesser.get("refused", {}), asks_version=version is not None)
    if version is not None:
        socket.send_fds(theirs, [b"1"], [listener])
        os.close(listener)
    os.execvp(command[0], command)  # noqa: S606 - the command that is asked for


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
