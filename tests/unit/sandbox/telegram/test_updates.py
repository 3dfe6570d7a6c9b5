"""The queue of updates, with a clock of its own."""

import pytest

from rich_agent_sandbox.telegram.chats import Action, Chat, Chats, Draft, User
from rich_agent_sandbox.telegram.text.entities import FormattedText
from rich_agent_sandbox.telegram.updates import PRESS_KEPT_S, UPDATE_KEPT_S, UpdateQueue
from tests.unit.sandbox.telegram.test_flood import Clock

NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("kind", "kept_s"), [("callback_query", PRESS_KEPT_S), ("message", UPDATE_KEPT_S)]
)
def test_queue_drops_what_is_too_old(kind: str, kept_s: float) -> None:
    """A press is kept for 150 s, a message for a day."""
    clock = Clock(NOW)
    queue = UpdateQueue(clock)
    update = queue.add(kind, {}, 42)
    assert update is not None
    clock.now += kept_s - 1
    assert queue.head(update.lane) == update
    clock.now += 1
    assert queue.first(0, 100) == []
    assert queue.head(update.lane) is None


def test_queue_keeps_presses_out_of_the_lane_of_messages() -> None:
    """A press does not wait for a message, nor one chat for another."""
    queue = UpdateQueue(Clock(NOW))
    lanes = {
        update.lane
        for update in (
            queue.add("message", {}, 42),
            queue.add("edited_message", {}, 42),
            queue.add("callback_query", {}, 42),
            queue.add("message", {}, 43),
        )
        if update
    }
    assert lanes == {(42, "messages"), (42, "presses"), (43, "messages")}


def test_queue_makes_only_what_was_asked_for() -> None:
    """By default the kinds that must be asked for are left out."""
    queue = UpdateQueue(Clock(NOW))
    assert queue.add("message_reaction", {}, 42) is None
    assert queue.add("message", {}, 42) is not None
    queue.allowed = frozenset({"message_reaction"})
    assert queue.add("message_reaction", {}, 42) is not None
    assert queue.add("message", {}, 42) is None


def test_ids_of_a_later_sandbox_are_above_those_of_an_earlier_one() -> None:
    """A bot that remembers old update ids takes no new one for an old one."""
    earlier, later = (UpdateQueue(Clock(NOW + wait)) for wait in (0, 60))
    old = [earlier.add("message", {}, 42) for _ in range(200)][-1]
    new = later.add("message", {}, 42)
    assert old is not None
    assert new is not None
    assert new.update_id > old.update_id


def test_message_ids_and_update_ids_are_far_apart() -> None:
    """Taking one for the other cannot go unnoticed."""
    update = UpdateQueue(Clock(NOW)).add("message", {}, 42)
    assert update is not None
    assert abs(Chats(Clock(NOW)).next_message_id() - update.update_id) > 1_000_000


def test_action_and_draft_fade() -> None:
    """Typing shows for 5 s, a draft for 30 s."""
    action = Action("typing", NOW)
    draft = Draft(1, FormattedText("Hm"), NOW, can_stop=True, keep_on_stop=False)
    chat = Chat(42, "private", User(42, "Ada"), action=action, draft=draft)
    assert (chat.fresh_action(NOW + 4.9), chat.fresh_action(NOW + 5)) == (action, None)
    assert (chat.fresh_draft(NOW + 29.9), chat.fresh_draft(NOW + 30)) == (draft, None)
