"""What admins read of an answer that waits: the user's words lead nowhere."""

import pytest

from rich_agent.domain.message import User
from rich_agent.ports.approvals import Draft
from rich_agent.repositories.in_memory.approvals import InMemoryApprovals
from rich_agent.telegram.approving import _review
from rich_agent.telegram.commands.approvals import WaitingApprovals
from rich_agent.telegram.commands.registry import Asked
from rich_agent.telegram.inbound import Command
from tests.unit.telegram.rendering.seen import ways_out

HOSTILE = "Is evil.com, https://evil.com/x or t.me/evil by @evil safe?"


@pytest.mark.req("INT-1")
async def test_question_of_a_review_leads_nowhere() -> None:
    """Neither in the draft that an admin gets nor in the list of those that wait."""
    approvals = InMemoryApprovals()
    draft = Draft(42, "tg:42", "r1", 0, "en", "general_question", HOSTILE, "It is so.")
    await approvals.request(draft)
    (approval,) = approvals.known.values()
    listed = await WaitingApprovals(approvals).answer(
        Asked(Command("approvals", "", User(7, "Root"), 7, 5), "en")
    )
    for message in (*_review(approval, "en"), listed.message):
        assert ways_out(message) == []
    assert "evil.com" in listed.message.text
