"""A hole in what reads a file leads nowhere: it is tried from inside of a reader."""

import asyncio
import ctypes
import os
import pickle
import platform
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import NoneType
from typing import Any

import psutil
import pytest

from rich_agent.commands.diagnosis.file_readers import check_file_readers, reachable_from
from rich_agent.runtime.confinement import MEMORY_BYTES
from rich_agent.runtime.readers import Effort, ReaderFailedError, read_apart

EFFORT = Effort(deadline_s=30.0)
OWN_FILES = [0, 1, 2, 3, 4, 5]
REPLIES = 4
GETPID = 39
NO_NEW_PRIVILEGES, BY_FILTER = 1, 2
LANDLOCK_VERSION = 444, None, 0, 1
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems confine nothing")
needs_landlock = pytest.mark.skipif(
    sys.platform == "linux" and ctypes.CDLL(None).syscall(*LANDLOCK_VERSION) < 1,
    reason="this kernel has no Landlock",
)
TRIES = {
    "tcp": "__import__('socket').create_connection(('127.0.0.1', 9), 1)",
    "udp": "__import__('socket').socket(2, 2)",
    "unix": "__import__('socket').socketpair()",
    "netlink": "__import__('socket').socket(16, 3)",
    "listen": "__import__('socket').create_server(('127.0.0.1', 0))",
    "shadow": "open('/etc/shadow').read()",
    "passwd": "open('/etc/passwd').read()",
    "home": "__import__('os').listdir(__import__('os').path.expanduser('~root'))",
    "kernel": "open('/proc/1/cmdline').read()",
    "parent's environment": "open('/proc/%d/environ' % __import__('os').getppid()).read()",
    "parent's memory": "open('/proc/%d/mem' % __import__('os').getppid(), 'rb').read(1)",
    "own beginning": "open('/proc/self/environ').read()",
    "write": "open('{folder}/new', 'w')",
    "append": "open('{folder}/file', 'a')",
    "make a folder": "__import__('os').mkdir('{folder}/new folder')",
    "make a link": "__import__('os').symlink('/etc', '{folder}/link')",
    "rename": "__import__('os').rename('{folder}/file', '{folder}/other')",
    "delete": "__import__('os').unlink('{folder}/old')",
    "change a mode": "__import__('os').chmod('{folder}', 0o777)",
    "change an owner": "__import__('os').chown('{folder}', -1, -1)",
    "change a time": "__import__('os').utime('{folder}')",
    "fork": "__import__('os').fork() or __import__('os')._exit(0)",
    "spawn": "__import__('subprocess').run(['/bin/true'])",
    "exec": "__import__('os').execv('/bin/true', ['true'])",
    "signal to the parent": "__import__('os').kill(__import__('os').getppid(), 0)",
    "signal to init": "__import__('os').kill(1, 0)",
    "signal to all": "__import__('os').kill(-1, 0)",
    "more memory": "__import__('resource').setrlimit(9, (-1, -1))",
    "more time": "__import__('resource').setrlimit(0, (-1, -1))",
    "more files": "__import__('resource').setrlimit(7, (65536, 65536))",
    "parent's limits": "__import__('resource').prlimit(__import__('os').getppid(), 4)",
    "become another": "__import__('os').setuid(12345) if __import__('os').getuid() == 0 else 1 / 0",
}

CALLS = {
    "socket": (41, (2, 1, 0)),
    "clone3": (435, (0, 88)),
    "clone": (56, (17, 0, 0, 0, 0)),
    "io_uring_setup": (425, (8, 0)),
    "openat2": (437, (-100, 0, 0, 24)),
    "socket of the other numbering": (0x40000000 + 41, (2, 1, 0)),
    "a call of tomorrow": (600, ()),
    "bpf": (321, (0, 0, 0)),
    "ptrace": (101, (0, 0, 0, 0)),
    "unshare": (272, (0x10000000,)),
}


def tries_in(folder: Path) -> dict[str, str]:
    """Tries that a reader should fail at; one that succeeds does no harm outside of the folder."""
    for name in ("file", "old"):
        (folder / name).touch()
    return {name: code.format(folder=folder) for name, code in TRIES.items()}


async def inside(expression: str, result: type[Any]) -> Any:
    """The value of a Python expression inside a reader."""
    return await read_apart(eval, expression, result, "attacker", EFFORT)


async def successes(tries: dict[str, str]) -> list[str]:
    """The names of the expressions that give something inside a reader."""
    code = f"""
found = []
for name, tried in {tries!r}.items():
    try:
        eval(tried)
        found.append(name)
    except (OSError, ValueError, PermissionError, ZeroDivisionError):
        pass
"""
    expression = f"(lambda names: (exec({code!r}, names), names['found'])[1])({{}})"
    found: list[str] = await inside(expression, list)
    return found


@needs_landlock
async def test_reader_is_refused_what_reading_does_not_need(tmp_path: Path) -> None:
    """Network, files, other processes, limits: each by the kernel."""
    tries = {"reading": "open('/proc/meminfo').read()", **tries_in(tmp_path)}
    assert await successes(tries) == ["reading"]


@needs_landlock
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers are those of x86_64")
async def test_reader_cannot_go_around_the_libraries() -> None:
    """Calls of the system by their number, as injected code would make them."""
    call = "1 / (__import__('ctypes').CDLL(None).syscall({}) + 1)"
    numbers = {
        name: call.format(", ".join(map(str, (number, *arguments))))
        for name, (number, arguments) in CALLS.items()
    }
    assert await successes({"own number": call.format(GETPID)} | numbers) == ["own number"]


async def test_reader_knows_nothing_of_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No environment, no open files but its pipes, and no way to gain privileges."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert await inside("dict(__import__('os').environ)", dict[str, str]) == {}
    is_open = "__import__('ctypes').CDLL(None).fcntl(n, 1) >= 0"
    assert await inside(f"[n for n in range(100) if {is_open}]", list[int]) == OWN_FILES
    status = "[__import__('ctypes').CDLL(None).prctl(n, 0, 0, 0, 0) for n in (39, 21)]"
    assert await inside(status, list[int]) == [NO_NEW_PRIVILEGES, BY_FILTER]


@pytest.mark.costs("the work that is bounded comes to its bounds")
async def test_reader_that_does_what_it_likes_ends_at_its_limits() -> None:
    """Memory, the time of a processor, and the clock; the next file is read."""
    with pytest.raises(ReaderFailedError):
        await inside(f"len(bytes({MEMORY_BYTES}))", int)
    for effort, cause in ((Effort(1.0), "slow"), (Effort(60.0, processor_s=1), "crashed")):
        with pytest.raises(ReaderFailedError) as caught:
            await read_apart(eval, "any(iter(int, 1))", bool, "attacker", effort)
        assert caught.value.cause == cause
    assert await inside("1 + 1", int) == 2


@pytest.mark.parametrize(
    "reply",
    [b"R[{}]", b"R[1,", b"E[]", b"E[1, 2, 3, 4]", b"F", b"X", b"", pickle.dumps(os.getpid)],
)
async def test_reader_answers_in_data_alone(reply: bytes) -> None:
    """Replies that it makes up are no result, no object, and no error of ours."""
    sent = len(reply).to_bytes(8) + reply
    with pytest.raises(ReaderFailedError):
        await inside(
            f"__import__('os').write({REPLIES}, {sent!r}) and __import__('os')._exit(0)", int
        )


async def test_reader_cannot_answer_without_end() -> None:
    """A size that it only announces is not waited for."""
    with pytest.raises(ReaderFailedError):
        await inside(f"__import__('os').write({REPLIES}, b'\\xff' * 8) and 1", int)


async def test_reader_serves_one_user_and_is_ended() -> None:
    """Facts that it learned of a file never meet the file of somebody else."""
    leave, look = (
        "setattr(__import__('sys'), 'left', 'words')",
        "hasattr(__import__('sys'), 'left')",
    )
    pid = "__import__('os').getpid()"
    first = await read_apart(eval, f"[{leave}, {pid}][1]", int, "user:1", EFFORT)
    assert not await read_apart(eval, look, bool, "user:2", EFFORT)
    with suppress(psutil.NoSuchProcess):
        async with asyncio.timeout(30):
            while psutil.Process(first).status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_user_who_keeps_readers_busy_leaves_one_to_others() -> None:
    """However many queries without end they start."""
    busy = [
        asyncio.create_task(read_apart(time.sleep, 60, NoneType, "user:1", EFFORT))
        for _ in range(64)
    ]
    await asyncio.sleep(0)
    assert await read_apart(eval, "2", int, "user:2", EFFORT) == 2
    assert not any(task.done() for task in busy)
    for task in busy:
        task.cancel()
    await asyncio.gather(*busy, return_exceptions=True)


@needs_landlock
async def test_doctor_tries_what_a_reader_can_do() -> None:
    """Here nothing; in this process, which is not confined, most of it."""
    assert (await check_file_readers()).level == "ok"
    assert {"the network", "files of the system", "its own limits"} <= set(
        reachable_from((os.getppid(), "/"))
    )
