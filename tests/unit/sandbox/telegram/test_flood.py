"""Flood control, with a clock of its own."""

from dataclasses import dataclass

import pytest

from rich_agent_sandbox.telegram.flood import FloodControl
from rich_agent_sandbox.telegram.refusals import BotApiError


@dataclass
class Clock:
    """A clock that is turned by hand."""

    now: float = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def admitted(flood: FloodControl, chat_id: int, times: int) -> int:
    """The number of messages that get through of several at once."""
    passed = 0
    for _ in range(times):
        try:
            flood.admit("sendMessage", chat_id)
        except BotApiError:
            continue
        passed += 1
    return passed


def test_flood_allows_a_burst_and_then_one_a_second() -> None:
    """Five at once pass; later one for each second."""
    clock = Clock()
    flood = FloodControl(clock)
    assert admitted(flood, 42, 5) == 5
    for _ in range(5):
        clock.now += 1.0
        assert admitted(flood, 42, 1) == 1


def test_flood_closes_the_chat_for_the_time_it_names() -> None:
    """During the penalty nothing passes; after it the chat is open again."""
    clock = Clock()
    flood = FloodControl(clock)
    admitted(flood, 42, 5)
    with pytest.raises(BotApiError, match="retry after 3") as refused:
        flood.admit("sendMessage", 42)
    assert refused.value.retry_after == 3
    clock.now += 2.0
    assert admitted(flood, 42, 1) == 0
    clock.now += 1.0
    assert admitted(flood, 42, 1) == 1


def test_flood_counts_all_chats_together() -> None:
    """More than 30 at once are too many, however many the chats."""
    flood = FloodControl(Clock())
    assert sum(admitted(flood, chat_id, 1) for chat_id in range(40)) == 30


def test_flood_leaves_other_methods_alone() -> None:
    """Chat actions are not counted."""
    flood = FloodControl(Clock())
    for _ in range(100):
        flood.admit("sendChatAction", 42)
    assert admitted(flood, 42, 5) == 5
