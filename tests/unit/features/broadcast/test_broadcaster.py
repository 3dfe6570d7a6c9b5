"""Broadcasts are sent one copy at a time, with a pause behind each."""

from typing import cast

import pytest

from rich_agent.feature import DueRow, NextRun
from rich_agent.feature.telegram import DirectMessages, RenderedMessage, SendResult
from rich_agent.features.broadcast.records import (
    BROADCAST_WORK,
    Copy,
    CopyCounts,
    CopyState,
    Result,
)
from rich_agent.features.broadcast.repository import Broadcasts
from rich_agent.features.broadcast.sending import Broadcaster, BroadcastPace
from tests import make

ROW = DueRow(1, BROADCAST_WORK, "b1", None, {}, make.NOW, 0, 1, 1)
PACE = BroadcastPace(pause_s=60.0, idle_s=2.0)


class ScriptedBroadcasts:
    """One broadcast; `states` are those that were noted of its copies, in order."""

    def __init__(self, *users: int, is_finished: bool = True) -> None:
        self.waiting = [Copy("b1", user_id, "We pause at noon.") for user_id in users]
        self.is_finished = is_finished
        self.states: list[CopyState] = []
        self.is_reported = False

    async def next_copy(self, _broadcast_id: str) -> Copy | None:
        """The next copy."""
        return self.waiting.pop(0) if self.waiting else None

    async def note(self, _copy: Copy, state: CopyState) -> None:
        """Keep the state."""
        self.states.append(state)

    async def result(self, broadcast_id: str) -> Result:
        """The result, for the admin with the number 7."""
        tally = CopyCounts(sent=2)
        return Result(
            broadcast_id, 7, 55, "en", is_cancelled=False, is_finished=self.is_finished, tally=tally
        )

    async def note_report(self, _broadcast_id: str) -> None:
        """Keep that it was."""
        self.is_reported = True


class ScriptedMessages:
    """Telegram; each message ends as the next of the `results` says."""

    def __init__(self, *results: SendResult) -> None:
        self.results = list(results)
        self.edits: list[tuple[int, int, str]] = []

    async def send(self, _user_id: int, _message: RenderedMessage) -> SendResult:
        """The next result."""
        return self.results.pop(0)

    async def edit(self, user_id: int, message_id: int, message: RenderedMessage) -> bool:
        """Keep the text."""
        self.edits.append((user_id, message_id, message.text))
        return False


def broadcaster(broadcasts: ScriptedBroadcasts, messages: ScriptedMessages) -> Broadcaster:
    """A sender of copies."""
    return Broadcaster(cast("Broadcasts", broadcasts), cast("DirectMessages", messages), PACE)


@pytest.mark.parametrize(
    ("result", "state"),
    [
        ("sent", "sent"),
        ("later", "pending"),
        ("blocked", "blocked"),
        ("refused", "failed"),
        ("unknown", "unknown"),
    ],
)
async def test_broadcast_is_paced_for_all_processes(result: SendResult, state: CopyState) -> None:
    """The time of its one row is: also a copy that gave way to an answer waits for it."""
    broadcasts = ScriptedBroadcasts(1, 2)
    sending = broadcaster(broadcasts, ScriptedMessages(result))
    assert await sending.send_next(ROW) == NextRun(60.0)
    assert broadcasts.states == [state]
    assert len(broadcasts.waiting) == 1


async def test_broadcast_is_reported_even_if_the_message_cannot_be_changed() -> None:
    """Not before all copies have come to an end; then it is over."""
    under_way = ScriptedBroadcasts(is_finished=False)
    assert await broadcaster(under_way, ScriptedMessages()).send_next(ROW) == NextRun(2.0)
    assert not under_way.is_reported
    broadcasts, messages = ScriptedBroadcasts(), ScriptedMessages()
    assert await broadcaster(broadcasts, messages).send_next(ROW) is None
    ((user_id, message_id, text),) = messages.edits
    assert (user_id, message_id) == (7, 55)
    assert "Sent: 2" in text
    assert broadcasts.is_reported
