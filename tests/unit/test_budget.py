"""Tests that cost more than a second of the processor fail, unless they say why."""

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests import budget
from tests.budget import Budget, ProcessTree

SPIN = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass\n"
TESTS = f"""
import subprocess, sys, time, pytest

LOADED = []

def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass

@pytest.fixture(scope="module")
def shared(): spin(0.12)

@pytest.fixture(scope="module")
def shared_later(): spin(0.12)

@pytest.fixture
def own(): spin(0.12)

def test_cheap(): time.sleep(0.12)

def test_dear(): spin(0.12)

def test_dear_in_a_child(): subprocess.run([sys.executable, "-S", "-c", {SPIN.format(0.12)!r}])

def test_dear_in_its_fixture(own): pass

def test_dear_to_begin_with():
    spin(0 if LOADED else 0.12)
    LOADED.append(1)

def test_sharing(shared): pass

def test_sharing_later(request): request.getfixturevalue("shared_later")

@pytest.mark.costs("it counts to the end")
def test_dear_with_a_reason(): spin(0.12)

@pytest.mark.soak
def test_long(): spin(0.12)
"""


@dataclass
class Outcomes:
    """Names of the tests that passed and of those that failed."""

    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the name."""
        if report.failed or report.when == "call":
            name = report.nodeid.partition("::")[2]
            (self.passed if report.passed else self.failed).append(name)


@pytest.fixture
def outcomes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Outcomes:
    """Of `TESTS`, with a small budget."""
    monkeypatch.setattr(budget, "BUDGET_S", 0.04)
    monkeypatch.setattr(budget, "_slowness", lambda: 1.0)
    file, ini, outcomes = tmp_path / "test_costs.py", tmp_path / "pytest.ini", Outcomes()
    file.write_text(TESTS)
    ini.write_text("[pytest]\nmarkers =\n  soak\n  costs\n")
    plain = [f"-p no:{plugin}" for plugin in ("asyncio", "cacheprovider", "terminal")]
    pytest.main(["-c", str(ini), "-n", "0", *plain, str(file)], plugins=[Budget(), outcomes])
    return outcomes


@pytest.mark.costs("its tests spend what they are caught for")
def test_budget_fails_what_costs_more_and_says_no_reason(outcomes: Outcomes) -> None:
    """With what its fixtures and its children cost, twice; a fixture of the file is not its."""
    assert outcomes.failed == ["test_dear", "test_dear_in_a_child", "test_dear_in_its_fixture"]
    assert outcomes.passed == [
        "test_cheap",
        "test_dear_to_begin_with",
        "test_sharing",
        "test_sharing_later",
        "test_dear_with_a_reason",
        "test_long",
    ]


def test_process_tree_counts_children_that_run_and_that_have_ended() -> None:
    """Also the child of a child."""
    tree = ProcessTree()
    before = tree.processor_s()
    inner = [sys.executable, "-S", "-c", SPIN.format(0.1)]
    code = f"import subprocess, sys; subprocess.run({inner!r}); print(); sys.stdin.read()"
    command = [sys.executable, "-S", "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as child:
        assert child.stdout
        child.stdout.readline()
        while_it_runs = tree.processor_s() - before
    assert 0.09 <= while_it_runs <= tree.processor_s() - before
