"""Review of an answer that waits, as admins read it: the user's words lead nowhere."""

import pytest

from rich_agent.chat_commands.approvals import WaitingApprovals
from rich_agent.chat_commands.replies import CommandRequest
from rich_agent.domain.message import User
from rich_agent.ports.approvals import ApprovalRequest
from rich_agent.telegram.serve.approving import _review
from tests.twins.accounts import InMemoryAccounts
from tests.twins.approvals import InMemoryApprovals
from tests.unit.rendering.seen import ways_out

HOSTILE = "Is evil.com, https://evil.com/x or t.me/evil by @evil safe?"


@pytest.mark.req("INT-1")
async def test_question_of_a_review_leads_nowhere() -> None:
    """Neither in the draft that an admin gets nor in the list of those that wait."""
    approvals = InMemoryApprovals()
    draft = ApprovalRequest(42, "tg:42", "r1", 0, "en", "general_question", HOSTILE, "It is so.")
    await approvals.request(draft)
    (approval,) = approvals.known.values()
    accounts = InMemoryAccounts()
    await accounts.users.remember(User(42, f"t.me/evil @evil {'x' * 99}"))
    listed = await WaitingApprovals(approvals, accounts).answer(
        CommandRequest("approvals", "", User(7, "Root"), "en")
    )
    review = _review(approval, await accounts.names([42]), "en")
    for message in (*review, listed.message):
        assert ways_out(message) == []
    for message in (review[0], listed.message):
        assert "42 (" in message.text
        assert "x" * 60 not in message.text
    assert "evil.com" in listed.message.text
