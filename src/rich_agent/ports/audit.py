"""Interface to the audit: who changed what in the bot, when, and from where.

Every method may raise DatabaseUnavailableError.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, Protocol

Outcome = Literal["done", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class AuditedChange:
    """A change that somebody is about to make."""

    by: int | None
    """Id of the user who makes it; None for a command of the shell."""
    action: str
    """Kind of the change, such as "access.block"."""
    subject: str
    """What is changed, such as a user's id."""
    details: dict[str, Any] = field(default_factory=dict)
    """More about it, as JSON. What is added while the change is made is recorded with its outcome.
    """
    role: str = ""
    """Role in which the user acts."""
    origin: str = ""
    """Where the request came from: a network address, or a surface such as "telegram"."""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """A recorded change."""

    id: int
    at: datetime
    by: int | None
    role: str
    action: str
    subject: str
    details: Mapping[str, Any]
    origin: str
    outcome: Outcome | None
    """None while the change is made, and for good if its process died meanwhile."""


@dataclass(frozen=True, slots=True)
class AuditSubject:
    """Something that changes name as their subject, such as a user's id; "" is anything.

    Numbers of other things may be the same, so that only changes of the given `actions` count.
    """

    name: str
    actions: Sequence[str] = ()


ALL_SUBJECTS: Final = AuditSubject("")


class Audit(Protocol):
    """The record of changes, which nobody can alter."""

    def change(self, change: AuditedChange) -> AbstractAsyncContextManager[None]:
        """Record a change before the block makes it, and its outcome afterwards.

        An error of the block is recorded as "refused" if it is a RichAgentError, else as "failed".
        """

    async def page(
        self,
        before: int | None,
        limit: int,
        text: str = "",
        subject: AuditSubject = ALL_SUBJECTS,
    ) -> Sequence[AuditRecord]:
        """Records, newest first, from before that id; `text` is in action, subject or user id."""

    def all_records(self) -> AsyncIterator[AuditRecord]:
        """All records, oldest first."""
