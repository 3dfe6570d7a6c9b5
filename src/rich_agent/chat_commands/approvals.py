"""/approvals: which answers wait for a verdict. For admins."""

from dataclasses import dataclass

from rich_agent.chat_commands.replies import CommandRequest, Handlers, Reply
from rich_agent.domain.message import label_user
from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.approvals import Approvals
from rich_agent.rendering.notices import unlinked

MOST_LISTED = 10
_QUESTION_LENGTH = 120


@dataclass(frozen=True, slots=True)
class WaitingApprovals:
    """Lists the waiting approvals; each admin was sent the drafts themselves."""

    approvals: Approvals
    accounts: Accounts

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"approvals": self.answer})

    async def answer(self, request: CommandRequest) -> Reply:
        """The approvals that have waited longest, and the number of all."""
        waiting, total = await self.approvals.pending(MOST_LISTED)
        names = await self.accounts.names([approval.draft.user_id for approval in waiting])
        clocks = request.clocks
        lines = [say(clocks.locale, "approvals-known", count=total)]
        lines += [
            say(
                request.locale,
                "approvals-line",
                number=str(approval.id),
                since=clocks.moment(approval.requested_at),
                user=label_user(approval.draft.user_id, names),
                question=shorten(approval.draft.question, _QUESTION_LENGTH),
            )
            for approval in waiting
        ]
        if more := total - len(waiting):
            lines.append(say(request.locale, "and-more", count=more))
        return Reply(unlinked("\n".join(lines)))
