"""Interfaces for the private files of users, their tables, and web pages for them.

Every method of the repository takes the user, and finds only their files. All may raise
DatabaseUnavailableError; writes of a turn raise LaneLostError once another worker has its user's
lane.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from rich_agent.domain.user_files import (
    FileRefusal,
    FileUnit,
    NewUserFile,
    ReadFile,
    UserFile,
)
from rich_agent.errors import RichAgentError

MOST_FILES = 100
"""The most files of a user; the oldest that are not kept make room, then the oldest of all."""


class FileRefusedError(RichAgentError):
    """A file that cannot be read, and the reason.

    `unread`: what a person sees in a file without text, as `Inventory.unread` counts it.
    """

    def __init__(
        self, reason: FileRefusal, message: str, unread: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(message)
        self.reason: FileRefusal = reason
        self.unread = dict(unread or {})


class UserFiles(Protocol):
    """The private files of users, with their text in units."""

    async def find_same(self, user_id: int, thread_id: str, sha256: str, /) -> UserFile | None:
        """The file with this content that the conversation may read, None if none is stored."""

    async def store(self, file: NewUserFile, /) -> UserFile:
        """Store a file with its units; equal content in the conversation is replaced."""

    async def readable(self, user_id: int, thread_id: str, /) -> list[UserFile]:
        """The files that this conversation may read: its own and kept ones, newest first."""

    async def all_of(self, user_id: int, /) -> list[UserFile]:
        """All files of the user, newest first."""

    async def find(self, user_id: int, file_ids: Sequence[int], /) -> list[UserFile]:
        """The user's files with these ids, in their order."""

    async def units(self, user_id: int, file_id: int, /) -> list[FileUnit]:
        """The text of a file in order; [] for another user's."""

    async def keep(self, user_id: int, file_ids: Sequence[int], /, *, kept: bool) -> int:
        """Keep files beyond their conversation, or no longer; return how many exist."""

    async def forget(self, user_id: int, file_ids: Sequence[int], /) -> int:
        """Delete files with their text and index; return their number."""

    async def leave(self, user_id: int, /) -> None:
        """Delete the files of ended conversations, except those that are kept."""


class FileReader(Protocol):
    """Reads untrusted files within limits, in processes that serve one user and then end."""

    async def read(self, user_id: int, name: str, mime: str, data: bytes, /) -> ReadFile:
        """The text of a file in units; its bytes decide its type, before its name and `mime`.

        Raises: FileRefusedError.
        """

    async def render_page(self, user_id: int, data: bytes, number: int, /) -> bytes:
        """A page of a PDF, from 1, as a JPEG that a vision model can read.

        Raises: FileRefusedError.
        """


class FileIndex(Protocol):
    """Makes a stored file searchable for its user."""

    async def index(self, file: UserFile, parts: Sequence[tuple[str, str]], /) -> None:
        """Store chunks and vectors of a file as a private source, from (place, text) pairs.

        Without an embedding model, or if it fails, only words can be searched.
        Raises: DatabaseUnavailableError.
        """


@dataclass(frozen=True, slots=True)
class TurnFile:
    """A file of a turn with its bytes."""

    file: UserFile
    data: bytes


OpenFiles = Callable[[], AbstractAsyncContextManager[Sequence[TurnFile]]]
"""Opens the files with tables that a turn is about, in the order of its plan.

Their bytes are in memory while the block runs. Raises: FileRefusedError.
"""


@asynccontextmanager
async def no_files() -> AsyncIterator[Sequence[TurnFile]]:
    """Open no files."""
    yield ()


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """The bytes behind an address, with the type and name from its server.

    `is_private` if not everybody can read it: its host is listed by the operator, or its address
    holds a secret.
    """

    data: bytes
    mime: str
    name: str
    is_private: bool = False


class Pages(Protocol):
    """Fetches pages and files from the public web, and from listed hosts."""

    async def fetch(self, url: str, /) -> FetchedFile:
        """The file behind an address, within limits of size and time.

        Raises: FileRefusedError("private", "robots", "closed", "gone", "too_large", "slow",
        "away").
        """
