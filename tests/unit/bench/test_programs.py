"""The end of a bench: programs first, then what they use."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bench.programs import running_program

_ROOT = Path(__file__).parents[3]
_PROGRAM = """
import signal, sys
def end(*_):
    print("program ended", file=open(sys.argv[1], "a"))
    sys.exit()
signal.signal(signal.SIGTERM, end)
print("ready", flush=True)
signal.pause()
"""
_BENCH = """
import signal, sys
from bench.programs import running_program, unwinding_on_sigterm
try:
    with unwinding_on_sigterm(), running_program(["-c", sys.argv[2], sys.argv[1]]):
        print("begun", flush=True)
        signal.pause()
finally:
    print("database ended", file=open(sys.argv[1], "a"))
"""


def test_bench_ends_its_programs_before_their_database(tmp_path: Path) -> None:
    """Also when it is told to end, and then again."""
    order = tmp_path / "order"
    with subprocess.Popen(
        [sys.executable, "-c", _BENCH, order, _PROGRAM], cwd=_ROOT, stdout=subprocess.PIPE
    ) as bench:
        assert bench.stdout is not None
        assert bench.stdout.readline() == b"begun\n"
        bench.terminate()
        bench.terminate()
        assert bench.wait(30) == 128 + signal.SIGTERM
    assert order.read_text("utf-8").splitlines() == ["program ended", "database ended"]


def test_running_program_reports_a_program_that_ends_at_once() -> None:
    """Instead of a wait for a line that never comes."""
    with pytest.raises(SystemExit, match="before it was ready"), running_program(["-c", "pass"]):
        pass
