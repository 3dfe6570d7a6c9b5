"""Interface to the conversations of users, by the names that clients use.

Every method finds only the user's own data, and may raise DatabaseUnavailableError.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A turn that a search found.

    `thread` is "" for a topic, which clients cannot name. `title` is the user's title of the
    conversation, else its first words.
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
        """Delete a separate conversation with everything said in it; False if there is none.

        Memories of the user stay, and so do files that the user wanted to keep. The summary is
        deleted if it may hold words of the conversation. An answer that is being written there
        stores nothing more.
        """

    async def search(self, user_id: int, words: str, limit: int) -> Sequence[FoundTurn]:
        """The turns with all of these words in question or answer, newest first."""

    async def behind(self, user_id: int, thread: str, request_id: str, count: int) -> int | None:
        """The number of the message `count` messages after a turn; None if there is none."""
