"""Messages of groups that are for the bot: commands with its name, and what only it sees."""

import json
from typing import Any

import pytest

from rich_agent.telegram.receive.envelope import GroupGate
from rich_agent.telegram.serve.guests import GuestQuestion, read_guest_question

GATE = GroupGate(7, "rich_bot", is_open=True)


def asked(text: str, *, marked: str = "", **more: Any) -> GuestQuestion | None:
    """The question that a message of a group becomes; `marked` is its command."""
    offset = text.find(marked)
    entities = [{"type": "bot_command", "offset": offset, "length": len(marked)}] if marked else []
    message = {
        "message_id": 3,
        "chat": {"id": -4, "type": "supergroup", "title": "The heron club"},
        "from": {"id": 42, "is_bot": False, "first_name": "Ada"},
        "date": 1,
        "text": text,
        "entities": entities,
        **more,
    }
    raw = GATE.admit(json.dumps({"update_id": 1, "message": message}).encode())
    return read_guest_question(raw) if raw else None


def test_command_with_the_bots_name_is_for_it() -> None:
    """The words behind it are not kept: they could be a secret, and would change something."""
    question = asked("/tasks@Rich_Bot next week", marked="/tasks@Rich_Bot")
    assert question
    assert (question.command, question.message.text) == ("tasks", "")
    assert not question.is_unseen


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("/tasks", "/tasks"),
        ("/tasks@other_bot", "/tasks@other_bot"),
        ("/tasks@", "/tasks@"),
        ("see /tasks@rich_bot", "/tasks@rich_bot"),
        ("/etc/hosts", ""),
    ],
)
def test_other_commands_are_not_for_the_bot(text: str, marked: str) -> None:
    """One without a name may be for another bot; one within a text is none."""
    assert asked(text, marked=marked) is None


@pytest.mark.parametrize(
    ("text", "marked", "command"), [("/Tasks", "/Tasks", "tasks"), ("and the second?", "", "")]
)
def test_ephemeral_message_is_for_the_bot(text: str, marked: str, command: str) -> None:
    """Nobody else sees it, so it needs no name; its own number is kept for the answer."""
    question = asked(text, marked=marked, message_id=0, ephemeral_message_id=9)
    assert question
    assert (question.command, question.ephemeral_id) == (command, 9)
    assert question.is_unseen


@pytest.mark.parametrize(
    "more",
    [
        {"forward_origin": {"type": "hidden_user"}},
        {"sender_chat": {"id": -5}},
        {"from": {"id": 8, "is_bot": True, "first_name": "Bot"}},
        {"chat": {"id": -4, "type": "channel"}, "from": {}},
    ],
    ids=["forwarded", "anonymous", "bot", "nobody"],
)
def test_command_of_nobody_in_particular_is_not_for_the_bot(more: dict[str, Any]) -> None:
    """There is nobody who alone could be answered."""
    assert asked("/tasks@rich_bot", marked="/tasks@rich_bot", **more) is None
