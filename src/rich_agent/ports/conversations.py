"""Interface to the conversations of users, as clients name them.

Every method finds only what is the user's, and may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A turn that a search found; `thread` is "" for a topic, which clients cannot name.

    `title` is what the user called the conversation, else its first words.
    """

    thread: str
    title: str
    request_id: str
    question: str
    answer: str
    said_at: datetime


class Conversations(Protocol):
    """Names, deletes and searches conversations."""

    async def rename(self, user_id: int, thread: str, title: str) -> bool:
        """Give a conversation a title, "" for none; False if nothing was answered in it."""

    async def forget(self, user_id: int, thread: str) -> bool:
        """Delete a conversation of its own with all that was said in it; False if there is none.

        What is remembered of the user stays, and so do files that the user had remembered. The
        running summary goes if it may hold words of the conversation. An answer that is being
        written there stores nothing more.
        """

    async def search(self, user_id: int, words: str, limit: int) -> Sequence[FoundTurn]:
        """The turns with all of these words in question or answer, newest first."""

    async def behind(self, user_id: int, thread: str, request_id: str, count: int) -> int | None:
        """The number of the message that many behind a turn; None if it is nearer to the end."""
