"""Interface of the latest question of each user, so that an edit of it is answered again.

Every method may raise DatabaseUnavailableError.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from rich_agent.ports.inbox import StoredUpdate

MOST_EDITS_WAITING = 100
"""Waiting updates among which the edits of a question are looked for."""


@dataclass(frozen=True, slots=True)
class Question:
    """A user's question as it reads now: its messages, and the raw update of each.

    `update_id` is the first that it came with, and names its answer. `revision` is the last update
    that edited it, 0 without one; `answered` the revision that was answered, None if none was.
    `told` are older messages whose edits the user was told come too late.
    """

    user_id: int
    update_id: int
    message_ids: tuple[int, ...]
    updates: tuple[bytes, ...]
    revision: int = 0
    answered: int | None = None
    told: tuple[int, ...] = ()

    def edited(self, message_id: int, update: StoredUpdate) -> "Question":
        """The question with one of its messages as an update has it now."""
        place = self.message_ids.index(message_id)
        updates = (*self.updates[:place], update.raw, *self.updates[place + 1 :])
        return replace(self, updates=updates, revision=update.update_id)


class Questions(Protocol):
    """The latest question of each user: only that one is answered again when it is edited."""

    async def begin(self, question: Question) -> None:
        """Keep a question, or its new form, as the user's latest; an older one changes nothing."""
        ...

    async def finish(self, question: Question) -> None:
        """Note that the question was answered in this form."""
        ...

    async def latest(self, user_id: int) -> Question | None:
        """The user's latest question, None if they never asked one."""
        ...

    async def note_told(self, user_id: int, message_id: int) -> None:
        """Note that the user was told that an edit of this message comes too late."""
        ...

    async def waiting(self, user_id: int, after: int) -> tuple[StoredUpdate, ...]:
        """What the user sent after an update and waits to be handled, in order (at most 100)."""
        ...

    async def prune(self, days: float) -> int:
        """Forget questions that were done more than `days` ago; how many."""
        ...
