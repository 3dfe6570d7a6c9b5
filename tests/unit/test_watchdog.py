"""A process whose loop stands still tells where, marks what it was at, and ends."""

import signal
import subprocess
import sys
import time

from rich_agent.watchdog import EXIT_CODE

_PROGRAM = """
import asyncio, re, sys
from rich_agent.fencing import work_under
from rich_agent.watchdog import Patience, watched

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

async def main():
    mark = lambda update_id: print("marked", update_id, flush=True)
    async with watched(mark, Patience(ends_s=1.0, marks_s=0.3, tick_s=0.1)):
        async with asyncio.TaskGroup() as group:
            group.create_task(answer(8, go_on))
            if "freeze" in sys.argv:
                group.create_task(answer(7, freeze))

asyncio.run(main())
print("ended by itself", flush=True)
"""


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    program = [sys.executable, "-c", _PROGRAM, *arguments]
    return subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)


def test_watched_process_ends_within_a_match_that_does_not() -> None:
    """The update whose task began the match is marked, no other; the log shows the line."""
    ended = _run("freeze")
    assert ended.returncode == EXIT_CODE
    assert [line for line in ended.stdout.splitlines() if "marked" in line] == ["marked 7"]
    assert "in freeze" in ended.stdout


def test_watched_process_that_goes_on_is_left_alone() -> None:
    """A loop that beats is never ended, however long it works."""
    ended = _run()
    assert ended.returncode == 0
    assert ended.stdout.split() == ["ended", "by", "itself"]


def test_watched_process_that_slept_goes_on() -> None:
    """Stopped for longer than the limit, like a closed laptop, it beats before it is judged."""
    process = subprocess.Popen([sys.executable, "-c", _PROGRAM], stdout=subprocess.PIPE, text=True)
    time.sleep(0.8)
    process.send_signal(signal.SIGSTOP)
    time.sleep(1.5)
    process.send_signal(signal.SIGCONT)
    told, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "marked" not in told
