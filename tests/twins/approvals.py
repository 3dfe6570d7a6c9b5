"""Answers that wait for a person, without a database."""

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from rich_agent.domain.text import clean_text
from rich_agent.ports.approvals import Approval, ApprovalRequest, Notice, NoticeKind, Verdict
from tests.twins.fences import Fences


@dataclass(slots=True)
class InMemoryApprovals:
    """Implements `Approvals`; `clock` counts seconds."""

    fences: Fences = field(default_factory=Fences)
    clock: Callable[[], float] = time.time
    known: dict[int, Approval] = field(default_factory=dict)
    _settled_at: dict[int, float] = field(default_factory=dict)
    _notices: dict[int, Notice] = field(default_factory=dict)
    _handed_out: set[int] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    async def request(self, draft: ApprovalRequest) -> None:
        self.fences.check()
        of_turn = [
            known
            for known in self.known.values()
            if (known.draft.thread_id, known.draft.request_id)
            == (draft.thread_id, draft.request_id)
        ]
        for known in of_turn:
            if known.draft.revision < draft.revision and known.state == "pending":
                self.known[known.id] = replace(known, state="withdrawn")
        if all(known.draft.revision != draft.revision for known in of_turn):
            stored = replace(
                draft, question=clean_text(draft.question), answer=clean_text(draft.answer)
            )
            number = next(self._numbers)
            at = datetime.fromtimestamp(self.clock(), UTC)
            self.known[number] = Approval(
                number, replace(stored, citations=list(draft.citations)), at
            )

    async def decide(
        self, approval_id: int, verdict: Verdict, by: int, words: str = ""
    ) -> Approval | None:
        self.fences.check()
        known = self.known.get(approval_id)
        if known and known.state == "pending":
            self.known[approval_id] = replace(
                known, state=verdict, decided_by=by, words=clean_text(words)
            )
        return self.known.get(approval_id)

    async def find(self, approval_id: int) -> Approval | None:
        return self.known.get(approval_id)

    async def of_turn(self, thread_id: str, request_id: str) -> Approval | None:
        found = [
            known
            for known in self.known.values()
            if (known.draft.thread_id, known.draft.request_id) == (thread_id, request_id)
        ]
        return max(found, key=lambda known: known.draft.revision, default=None)

    async def pending(self, limit: int) -> tuple[Sequence[Approval], int]:
        waiting = [known for known in self.known.values() if known.state == "pending"]
        return waiting[:limit], len(waiting)

    async def expire(self, approval_id: int, after_s: float) -> bool:
        known = self.known.get(approval_id)
        before = self.clock() - after_s
        is_old = bool(known and known.requested_at.timestamp() < before)
        if not known or known.state != "pending" or not is_old:
            return False
        self.known[approval_id] = replace(known, state="expired")
        return True

    async def ask_for_words(self, approval_id: int, admin_id: int, kind: NoticeKind) -> None:
        self.fences.check()
        if approval_id in self.known:
            self._tell(approval_id, admin_id, kind)

    async def due_notices(self, approval_id: int, admins: Sequence[int]) -> Sequence[Notice]:
        known = self.known.get(approval_id)
        if known and known.state == "pending":
            for admin in admins:
                self._tell(known.id, admin, "review")
        elif known and known.id not in self._settled_at:
            self._settle(known)
        of_this = [n for n in self._notices.values() if n.approval_id == approval_id]
        return [n for n in of_this if n.update_id not in self._handed_out]

    async def note_handing_out(self, notices: Sequence[Notice]) -> None:
        self._handed_out |= {notice.update_id for notice in notices}

    async def notice(self, update_id: int) -> Notice | None:
        return self._notices.get(update_id)

    async def review_of(self, approval_id: int, admin_id: int) -> Notice | None:
        wanted = (approval_id, admin_id, "review")
        found = (n for n in self._notices.values() if _key(n) == wanted)
        return next(found, None)

    def _settle(self, known: Approval) -> None:
        self._settled_at[known.id] = self.clock()
        if known.state != "withdrawn":
            self._tell(known.id, known.draft.user_id, "verdict")
        for notice in tuple(self._notices.values()):
            if (notice.approval_id, notice.kind) == (known.id, "review"):
                self._tell(known.id, notice.user_id, "closed")

    def _tell(self, approval_id: int, user_id: int, kind: NoticeKind) -> None:
        key = (approval_id, user_id, kind)
        if all(_key(notice) != key for notice in self._notices.values()):
            update_id = -1 - len(self._notices)
            self._notices[update_id] = Notice(update_id, *key)


def _key(notice: Notice) -> tuple[int, int, NoticeKind]:
    return notice.approval_id, notice.user_id, notice.kind
