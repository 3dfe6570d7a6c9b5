"""Readers of a text that is being written do work for the piece that came, not for all of it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.growing import EXAMPLES, GROWING, NOT_FED, PUMPS, classes_that_see

ROOT = Path(__file__).parents[2]


def steep(name: str, *pumps: str) -> list[str]:
    """The pumps on which a character costs more at the end than at the start."""
    command = [sys.executable, "-m", "tests.growing", name, *pumps]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not ended.returncode, ended.stderr
    return ended.stdout.splitlines()


@pytest.mark.costs("it counts the steps of each line for 40 long texts")
@pytest.mark.parametrize("name", GROWING)
def test_growing_text_costs_what_is_appended(name: str) -> None:
    """40,000 characters of each pump: at most 1.5 times the steps for a character at the end."""
    assert len(PUMPS) >= 40
    assert steep(name) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_growing_text_harness_finds_what_reads_again(name: str) -> None:
    """In patterns, in calls of other libraries, in copies and in loops; and nothing else."""
    assert bool(steep(name, "words")) == (name not in {"Linear", "Bounded"})


def test_growing_text_harness_knows_each_class_that_sees_one() -> None:
    """Each is fed, or it says why not."""
    assert {*classes_that_see()} <= {*GROWING, *NOT_FED}
