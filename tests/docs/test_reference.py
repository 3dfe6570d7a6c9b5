"""The reference pages say what the program says."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from rich_agent.documents.clocks import SOURCE_WORK
from rich_agent.domain.memory.items import SECRET, SINGULAR, Topic
from rich_agent.ports.approvals import APPROVAL_WORK
from rich_agent.ports.memories import LESSON_WORK
from tests.docs.reference import PAGES, PLAIN, ROOT


@pytest.mark.parametrize(("path", "text"), PAGES.items(), ids=[path.name for path in PAGES])
def test_reference_page_is_up_to_date(path: Path, text: Callable[[], str]) -> None:
    """`make docs` writes them; a change of a setting or a command has to run it."""
    assert path.read_text(encoding="utf-8") == text(), "run `make docs`"


@pytest.mark.parametrize("command", ["rich-agent inbox list", "ingest"])
def test_reference_of_commands_is_what_the_programs_print(command: str) -> None:
    """The programs themselves, under the names by which a reader calls them."""
    program, *path = command.split()
    installed = Path(sys.executable).parent / program
    done = subprocess.run(
        [installed, *path, "--help"],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | PLAIN,
    )
    printed = "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines())
    page = (ROOT / "docs/reference/commands.md").read_text("utf-8")
    assert f" {command}\n\n```text\n{printed}\n```" in page


@pytest.mark.feature("broadcast", "calendars", "reminder")
def test_every_kind_of_due_work_is_described() -> None:
    """The kinds of the core, and of the project's features."""
    broadcasts = import_module("rich_agent.features.broadcast.records")
    task_lists = import_module("rich_agent.features.calendars.task_lists.ports")
    reminders = import_module("rich_agent.features.reminder.records")
    text = (ROOT / "docs/reference/tables.md").read_text("utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("A row of `due_work`"))
    kinds = {
        APPROVAL_WORK,
        LESSON_WORK,
        reminders.FIRING_WORK,
        broadcasts.BROADCAST_WORK,
        task_lists.TASK_LIST_WORK,
    }
    assert {kind for kind in {*kinds, *SOURCE_WORK.values()} if f"`{kind}`" not in line} == set()


def test_export_names_every_topic_of_memory() -> None:
    """Which of them hold one at a time, and which do not; a secret is none that is kept."""
    told = (ROOT / "docs" / "reference" / "export.md").read_text(encoding="utf-8")
    _, single, many = re.split(r"## Topics|Of all others", told)
    named = {part: set(re.findall(r"`(\w+)`", part)) for part in (single, many)}
    singular = set[str]().union(*SINGULAR.values())
    assert named[single] == singular
    assert named[many] == set(get_args(Topic)) - singular - {"other", SECRET}
