"""Interface for answers that wait for approval. May raise DatabaseUnavailableError."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from rich_agent.domain.answer.citation import CitationState

APPROVAL_WORK = "approval"
"""The kind of due work that sends an approval's notices, and ends the approval in time."""
NOTICE_KIND = "approval_notice"
"""The kind of internal work that delivers one notice."""
Verdict = Literal["approved", "corrected", "rejected"]


ApprovalState = Literal["pending", "approved", "corrected", "rejected", "expired", "withdrawn"]


NoticeKind = Literal["review", "correction", "reason", "verdict", "closed"]


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """An answer that its user may not see yet.

    `message_id` is the user's message that it answers, 0 if unknown.
    """

    user_id: int
    thread_id: str
    request_id: str
    revision: int
    locale: str
    intent: str
    question: str
    answer: str
    citations: Sequence[CitationState] = ()
    message_id: int = 0


@dataclass(frozen=True, slots=True)
class Approval:
    """A draft and its state; `words` is the corrected answer or the reason for rejecting it."""

    id: int
    draft: ApprovalRequest
    requested_at: datetime
    state: ApprovalState = "pending"
    decided_by: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to send about an approval; its `update_id` is unique and negative.

    To an admin: "review" asks for a verdict, "correction" and "reason" ask for words, "closed" says
    that it is decided. "verdict" goes to the user.
    """

    update_id: int
    approval_id: int
    user_id: int
    kind: NoticeKind


class Approvals(Protocol):
    """Answers that wait for an admin. All times are those of the database's clock.

    Writes of a task with a fence raise LaneLostError once another worker has its lane.
    """

    async def request(self, draft: ApprovalRequest) -> None:
        """Store a waiting draft, and withdraw its older revisions; safe to repeat.

        Notices about it, also about later decisions and questions, are due work.
        """

    async def decide(
        self, approval_id: int, verdict: Verdict, by: int, words: str = ""
    ) -> Approval | None:
        """Decide, unless that is done; return the approval as it is now, None if unknown."""

    async def find(self, approval_id: int) -> Approval | None:
        """The approval, None if it is unknown or was pruned."""

    async def of_turn(self, thread_id: str, request_id: str) -> Approval | None:
        """The approval of a turn in its newest revision, None if there is none."""

    async def pending(self, limit: int) -> tuple[Sequence[Approval], int]:
        """Waiting approvals, oldest first, and the number of all."""

    async def expire(self, approval_id: int, after_s: float) -> bool:
        """End an approval that has waited for `after_s` seconds; return whether it was ended."""

    async def ask_for_words(self, approval_id: int, admin_id: int, kind: NoticeKind) -> None:
        """Add the notice that asks an admin for a correction or a reason, once."""

    async def due_notices(self, approval_id: int, admins: Sequence[int]) -> Sequence[Notice]:
        """Its notices that were not handed out; the same until `note_handing_out` is called."""

    async def note_handing_out(self, notices: Sequence[Notice]) -> None:
        """Note that these notices are in the inbox."""

    async def notice(self, update_id: int) -> Notice | None:
        """The notice with this number, None if there is none."""

    async def review_of(self, approval_id: int, admin_id: int) -> Notice | None:
        """The notice that asked this admin for a verdict, None if there is none."""
