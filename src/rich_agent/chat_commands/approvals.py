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
        """The approvals that have waited longest, and the number of all approvals."""
        waiting_approvals, total = await self.approvals.pending(MOST_LISTED)
        name_by_user_id = await self.accounts.names(
            [approval.draft.user_id for approval in waiting_approvals]
        )
        clocks = request.clocks
        lines = [say(clocks.locale, "approvals-known", count=total)]
        lines += [
            say(
                request.locale,
                "approvals-line",
                number=str(approval.id),
                since=clocks.moment(approval.requested_at),
                user=label_user(approval.draft.user_id, name_by_user_id),
                question=shorten(approval.draft.question, _QUESTION_LENGTH),
            )
            for approval in waiting_approvals
        ]
        if left_out_count := total - len(waiting_approvals):
            lines.append(say(request.locale, "and-more", count=left_out_count))
        return Reply(unlinked("\n".join(lines)))
