"""Interface to the answers that wait for a person. May raise DatabaseUnavailableError."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from rich_agent.domain.answer.citation import CitationState

Verdict = Literal["approved", "corrected", "rejected"]


ApprovalState = Literal["pending", "approved", "corrected", "rejected", "expired", "withdrawn"]


NoticeKind = Literal["review", "correction", "reason", "verdict", "closed"]


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """An answer that its user may not see yet; `citations` as the state holds them.

    `message_id` is the user's message that it answers, 0 when that is not known.
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
    """A draft and what became of it; `words` are the corrected answer, or the reason against it."""

    id: int
    draft: ApprovalRequest
    requested_at: datetime
    state: ApprovalState = "pending"
    decided_by: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """What somebody has to be told of an approval; `update_id` is negative, and its own.

    "review" asks an admin, "correction" and "reason" ask them for words, "closed" tells them that
    it is decided; "verdict" is for the user.
    """

    update_id: int
    approval_id: int
    user_id: int
    kind: NoticeKind


class Approvals(Protocol):
    """Answers that wait for an admin. Only the database's clock counts.

    What a task under a fence writes is refused with LaneLostError once its lane was taken over.
    """

    async def request(self, draft: ApprovalRequest) -> None:
        """Have a draft wait; the same again changes nothing, an older form of it is withdrawn."""

    async def decide(
        self, approval_id: int, verdict: Verdict, by: int, words: str = ""
    ) -> Approval | None:
        """The approval as it now is: the first verdict stays. None if it is not known."""

    async def find(self, approval_id: int) -> Approval | None:
        """The approval, None if it is not known (any more)."""

    async def of_turn(self, thread_id: str, request_id: str) -> Approval | None:
        """The approval of a turn in its newest form, None without one."""

    async def pending(self, limit: int) -> tuple[Sequence[Approval], int]:
        """Those that wait, longest first, and how many there are."""

    async def expire(self, after_s: float) -> int:
        """End those that have waited for so long; how many."""

    async def ask_for_words(self, approval_id: int, admin_id: int, kind: NoticeKind) -> None:
        """Have an admin asked for a correction or a reason; once."""

    async def due_notices(self, admins: Sequence[int]) -> Sequence[Notice]:
        """What has to be told and was not handed out: again until `handed_out` is called."""

    async def handed_out(self, notices: Sequence[Notice]) -> None:
        """These are in the inbox."""

    async def notice(self, update_id: int) -> Notice | None:
        """The notice of this number."""

    async def review_of(self, approval_id: int, admin_id: int) -> Notice | None:
        """The notice by which this admin was asked, None if they were not."""

    async def prune(self, days: float) -> int:
        """Forget what was decided more than `days` ago; how many."""
