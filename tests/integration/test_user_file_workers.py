"""Work on a user's file in a process of its own that does not end well."""

import os
import time
from collections.abc import Callable
from types import NoneType
from typing import Any

import pytest

from rich_agent.documents.user_files.workers import run_in_worker
from rich_agent.domain.user_files import FileRefusal
from rich_agent.ports.user_files import FileRefusedError


@pytest.mark.parametrize(
    ("work", "argument", "deadline_s", "reason"),
    [(time.sleep, 60, 0.2, "too_long"), (os._exit, 3, 20.0, "damaged")],
    ids=["slow", "crashed"],
)
async def test_file_whose_worker_fails_is_refused(
    work: Callable[[Any], Any], argument: int, deadline_s: float, reason: FileRefusal
) -> None:
    """The user learns whether the file takes too long or cannot be read."""
    with pytest.raises(FileRefusedError) as refusal:
        await run_in_worker(work, argument, NoneType, 42, deadline_s)
    assert refusal.value.reason == reason
