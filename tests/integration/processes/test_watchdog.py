"""A process whose loop stands still tells where and at what, and ends."""

import os
import re
import signal
import subprocess
import sys
import time

from rich_agent.runtime.watchdog import EXIT_CODE

_COLOURS = re.compile(r"\x1b\[[0-9;]{0,9}m")
_PROGRAM = """
import asyncio, faulthandler, re, signal, sys
from rich_agent.runtime.fencing import work_under
from rich_agent.runtime.watchdog import SilenceLimits, watch_loop

async def answer(update_id, work):
    work_under(5, update_id)
    async with asyncio.TaskGroup() as group:
        group.create_task(work())

async def freeze():
    await asyncio.sleep(0.3)
    re.match("(a|a)*b", "a" * 60)

async def go_on():
    for _ in range(12):
        await asyncio.sleep(0.1)

async def look_up():
    # Only the test ticks: no clock of the watchdog runs on while the process is stopped.
    signal.setitimer(signal.ITIMER_REAL, 0)
    faulthandler.cancel_dump_traceback_later()
    faulthandler.dump_traceback_later = lambda *_, **__: None
    print("at work", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        await asyncio.sleep(0.1)
        print("beaten", flush=True)

async def main():
    async with watch_loop(SilenceLimits(ends_s=1.0, tells_s=0.3, tick_s=0.1)):
        async with asyncio.TaskGroup() as group:
            group.create_task(answer(8, go_on))
            if "freeze" in sys.argv:
                group.create_task(answer(7, freeze))
            if "stop" in sys.argv:
                group.create_task(answer(9, look_up))

asyncio.run(main())
print("ended by itself", flush=True)
"""


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    program = [sys.executable, "-c", _PROGRAM, *arguments]
    return subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)


def test_watched_process_ends_within_a_match_that_does_not() -> None:
    """The log names the update whose task began the match, no other, and shows the line."""
    ended = _run("freeze")
    assert ended.returncode == EXIT_CODE
    assert _COLOURS.sub("", ended.stdout).count("update_id=") == 1
    assert "update_id=7" in _COLOURS.sub("", ended.stdout)
    assert "in freeze" in ended.stdout


def test_watched_process_that_goes_on_is_left_alone() -> None:
    """A loop that beats is never ended, however long it works."""
    ended = _run()
    assert ended.returncode == 0
    assert ended.stdout.split() == ["ended", "by", "itself"]


def test_watched_process_that_slept_goes_on() -> None:
    """Stopped for longer than the limit, like a closed laptop, it beats before it is judged.

    One tick waits when it wakes up, another comes after it has beaten.
    """
    pipe = subprocess.PIPE
    program = [sys.executable, "-c", _PROGRAM, "stop"]
    with subprocess.Popen(program, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == "at work\n"
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        process.send_signal(signal.SIGALRM)
        time.sleep(1.2)
        process.send_signal(signal.SIGCONT)
        process.stdin.write("go on\n")
        process.stdin.flush()
        assert process.stdout.readline() == "beaten\n"
        process.send_signal(signal.SIGALRM)
        told, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert told == "ended by itself\n"
