"""Interfaces for the private files of users, their tables, and pages that they want read.

Every method of the repository takes the user, and finds nobody else's files; all may raise
DatabaseUnavailableError, and writes of a turn LaneLostError once another worker has taken over its
user's lane.
"""

from collections.abc import AsyncIterator, Callable, Sequence
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
"""Files stored for a user; the oldest that are not kept make room, then the oldest of all."""


class FileRefusedError(RichAgentError):
    """A file that is not read, and why."""

    def __init__(self, reason: FileRefusal, message: str) -> None:
        super().__init__(message)
        self.reason: FileRefusal = reason


class UserFiles(Protocol):
    """The private files of users, with their text in units."""

    async def find_same(self, user_id: int, thread_id: str, sha256: str, /) -> UserFile | None:
        """The file of this content that this conversation can read, None if it is not stored."""

    async def store(self, file: NewUserFile, /) -> UserFile:
        """Store a file with its units; one of the same content in the conversation is replaced."""

    async def readable(self, user_id: int, thread_id: str, /) -> list[UserFile]:
        """Return the files that this conversation may read: its own and kept ones, newest first."""

    async def all_of(self, user_id: int, /) -> list[UserFile]:
        """All files of the user, newest first."""

    async def find(self, user_id: int, file_ids: Sequence[int], /) -> list[UserFile]:
        """Return the files that are the user's, in the order given."""

    async def units(self, user_id: int, file_id: int, /) -> list[FileUnit]:
        """The text of a file in order; [] for somebody else's."""

    async def keep(self, user_id: int, file_ids: Sequence[int], /, *, kept: bool) -> int:
        """Remember files beyond their conversation, or no longer; how many there are."""

    async def forget(self, user_id: int, file_ids: Sequence[int], /) -> int:
        """Delete files with their text and index; how many there were."""

    async def leave(self, user_id: int, /) -> None:
        """Delete the files of the conversations that end, except those that are kept."""


class FileReader(Protocol):
    """Reads untrusted files within limits, in processes that serve one user and are ended."""

    async def read(self, user_id: int, name: str, mime: str, data: bytes, /) -> ReadFile:
        """The text of a file in units; its bytes say more about its type than name and `mime`.

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

        Without an embedding model, or if it fails, words alone can be searched.
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
    """Opens none."""
    yield ()


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """The bytes behind an address, and the type and name that its server gives them.

    `is_private` where not everybody can read them: at a host that the operator lists, or by an
    address that holds a secret.
    """

    data: bytes
    mime: str
    name: str
    is_private: bool = False


class Pages(Protocol):
    """Fetches what anybody can see on the public web."""

    async def fetch(self, url: str, /) -> FetchedFile:
        """Fetch what is behind an address, within limits of size and time.

        Raises: FileRefusedError("private", "robots", "closed", "gone", "too_large", "slow",
        "away").
        """
