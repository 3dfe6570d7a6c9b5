"""The latest question of each user without a database."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rich_agent.ports.inbox import MOST_EDITS_WAITING, EditableQuestion, StoredUpdate
from tests.twins.fences import Fences
from tests.twins.inbox import InMemoryInbox

_DAY_S = 86_400


@dataclass(slots=True)
class InMemoryQuestions:
    """Implements `Questions`, over the inbox in which edits wait."""

    inbox: InMemoryInbox = field(default_factory=InMemoryInbox)
    fences: Fences = field(default_factory=Fences)
    clock: Callable[[], float] = time.monotonic
    known: dict[int, EditableQuestion] = field(default_factory=dict)
    _begun_at: dict[int, float] = field(default_factory=dict)

    async def begin(self, question: EditableQuestion) -> None:
        """Keep a question, or its new form, as the user's latest."""
        self.fences.check()
        known = self.known.get(question.user_id)
        self._begun_at[question.user_id] = self.clock()
        if known is None:
            self.known[question.user_id] = replace(question, answered=None, told=())
        elif (known.update_id, known.revision) <= (question.update_id, question.revision):
            is_same = known.update_id == question.update_id
            self.known[question.user_id] = replace(
                question, answered=known.answered if is_same else None, told=known.told
            )

    async def finish(self, question: EditableQuestion) -> None:
        """Note that the question was answered in this form."""
        self.fences.check()
        known = self.known.get(question.user_id)
        wanted = (question.update_id, question.revision)
        if known and (known.update_id, known.revision) == wanted:
            self.known[question.user_id] = replace(known, answered=question.revision)

    async def latest(self, user_id: int) -> EditableQuestion | None:
        """The user's latest question, None if they never asked one."""
        return self.known.get(user_id)

    async def note_late_edit(self, user_id: int, message_id: int) -> None:
        """Note that the user was told that an edit of this message comes too late."""
        self.fences.check()
        known = self.known.get(user_id)
        if known and message_id not in known.told:
            self.known[user_id] = replace(known, told=(*known.told, message_id))

    async def waiting(self, user_id: int, after: int) -> tuple[StoredUpdate, ...]:
        """The updates that the user sent after another one and that wait, in order."""
        found = [
            StoredUpdate(update.update_id, update.raw, 0)
            for update in self.inbox.pending_of(user_id)
            if update.update_id > after
        ]
        return tuple(found[:MOST_EDITS_WAITING])

    async def prune(self, days: float) -> int:
        """Forget questions that were done more than `days` ago; how many."""
        before = self.clock() - days * _DAY_S
        old = [
            user_id
            for user_id, question in self.known.items()
            if self._begun_at[user_id] < before and not self._waits(question)
        ]
        for user_id in old:
            del self.known[user_id], self._begun_at[user_id]
        return len(old)

    def _waits(self, question: EditableQuestion) -> bool:
        waiting = self.inbox.pending_of(question.user_id)
        return any(update.update_id == question.update_id for update in waiting)
