"""Interface to the questions that the bot asked back. May raise DatabaseUnavailableError."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class AskedBack:
    """A turn that asked back, in the form that `revision` numbers."""

    thread_id: str
    request_id: str
    revision: int = 0


class Clarifications(Protocol):
    """Who waits for an answer to a question of the bot; one question in a thread at a time.

    A question ends by the first answer, by being cancelled, or after a time that the implementation
    knows. Only the database's clock counts. What a task under a fence writes is refused with
    LaneLostError once its lane was taken over.
    """

    async def open(self, asked: AskedBack) -> None:
        """Begin to wait; the question before it in this thread ends. Again: changes nothing."""
        ...

    async def take(self, asked: AskedBack, by: str) -> bool:
        """Whether the request `by` may answer: True for the first to ask, each time it asks."""
        ...

    async def cancel(self, thread_id: str) -> str | None:
        """Wait no longer; the request_id of the question that was open, None if none was."""
        ...
