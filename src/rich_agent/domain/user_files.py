"""Files that users sent, and pages that the bot read for them: private, cited by their parts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from rich_agent.domain.inventory import Inventory
from rich_agent.domain.tables import TableSchema

UnitKind = Literal["page", "sheet", "slide", "section"]
FileRefusal = Literal[
    "too_large", "too_long", "unsupported", "old_office", "archive", "encrypted", "empty",
    "damaged", "gone", "private", "robots", "closed", "slow", "away", "too_many_links",
    "made_by_scripts", "consent",
]  # fmt: skip
"""The reason why a file or a page is not read. Each has a phrase, `file-refused-<reason>` or
`page-refused-<reason>`. The reasons after "gone" are only for pages; a file that is a saved page
may have them, too, and is called empty then."""

TABLE_TYPES = frozenset(
    {
        "text/csv",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    }
)
"""Media types of files that are tables."""


@dataclass(frozen=True, slots=True)
class FileUnit:
    """A part of a file that can be cited."""

    kind: UnitKind
    number: int
    """Number among the parts of this kind, from 1. For a page, this is the number that programs
    show."""
    heading: str
    """Heading of a section, or name of a sheet."""
    text: str
    tokens: int = 0
    anchor: str = ""
    """Fragment of the address that leads to a section of a web page, "" without one."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The content of a file, as read from its bytes."""

    media_type: str
    units: tuple[FileUnit, ...]
    bare_pages: tuple[int, ...] = ()
    """Numbers of the pages without text, which a vision model may read."""
    is_partial: bool = False
    """Whether only the beginning of a large table was read."""
    tables: tuple[TableSchema, ...] = ()
    """Tables, over all rows of which tools can compute."""
    title: str = ""
    """Title in the file's metadata."""
    has_macros: bool = False
    """Whether the file contains macros. They are never run."""
    inventory: Inventory = field(default_factory=Inventory)
    """What the file holds besides its text, and how much of it stands in the units."""


@dataclass(frozen=True, slots=True)
class NewUserFile:
    """A file of a user to be stored."""

    user_id: int
    thread_id: str
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    ref: str
    """Reference by which the bytes can be fetched again: a file id for `ImageFiles.fetch`, or the
    address of a page."""
    units: Sequence[FileUnit]
    tables: tuple[TableSchema, ...] = ()
    is_private: bool = False
    """Whether the page cannot be read by everybody."""
    inventory: Inventory = field(default_factory=Inventory)
    """What the file holds besides its text, and how much of it stands in the units."""


@dataclass(frozen=True, slots=True)
class UserFile:
    """A stored file of a user, without its text. Further fields are as in `NewUserFile`."""

    id: int
    user_id: int
    thread_id: str
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    ref: str
    tokens: int
    """Number of tokens of the text."""
    units: int
    """Number of parts that can be cited."""
    is_kept: bool
    """Whether the user wants the bot to remember the file beyond the conversation."""
    is_indexed: bool
    """Whether the file can be searched."""
    sent_at: datetime
    tables: tuple[TableSchema, ...] = ()
    is_private: bool = False
    inventory: Inventory = field(default_factory=Inventory)

    @property
    def address(self) -> str:
        """The address of a web page, "" for a file that the user sent."""
        return self.ref if self.ref.startswith(("http://", "https://")) else ""

    @property
    def source_id(self) -> str:
        """The id of the file's private source, as passages name it."""
        return private_source_id(self.id)


def private_source_id(file_id: int) -> str:
    """The id of the private source of a file."""
    return f"private_{file_id}"
