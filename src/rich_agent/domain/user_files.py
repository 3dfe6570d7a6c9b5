"""Files that users sent, and pages that they had read: private material, cited by its parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from rich_agent.domain.tables import TableSchema

UnitKind = Literal["page", "sheet", "slide", "section"]
FileRefusal = Literal[
    "too_large", "too_long", "unsupported", "old_office", "encrypted", "empty", "damaged", "gone",
    "private", "robots", "closed", "slow", "away", "too_many_links",
]  # fmt: skip
"""Why a file or a page is not read; each is a phrase, `file-refused-<reason>` or
`page-refused-<reason>`. Those after "gone" are of pages alone."""

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
    """A part of a file that can be cited; `number` counts parts of this kind from 1.

    A page has the number that readers show. `heading` is that of a section, or a sheet's name.
    `anchor` is the fragment that leads to a section of a web page, "" without one.
    """

    kind: UnitKind
    number: int
    heading: str
    text: str
    tokens: int = 0
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The content that a reader finds in a file's bytes.

    `bare_pages` are the numbers of pages without text, of `pages` pages; both are empty for files
    that have no pages. `is_partial` when only the beginning of a large table was read; `tables` are
    those whose rows can be computed over, all of them. `title` is what the file calls itself.
    `has_macros` when programs are in it, which are not run.
    """

    media_type: str
    units: tuple[FileUnit, ...]
    pages: int = 0
    bare_pages: tuple[int, ...] = ()
    is_partial: bool = False
    tables: tuple[TableSchema, ...] = ()
    title: str = ""
    has_macros: bool = False


@dataclass(frozen=True, slots=True)
class NewUserFile:
    """A file to be stored: whose, in which conversation, and where its bytes can be had again.

    `ref` is a file id as `ImageFiles.fetch` takes it, or the address of a page, which `is_private`
    if not everybody can read it.
    """

    user_id: int
    thread_id: str
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    ref: str
    units: Sequence[FileUnit]
    unread_pages: int = 0
    tables: tuple[TableSchema, ...] = ()
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class UserFile:
    """A stored file of a user, without its text.

    `tokens` are those of its text, `unread_pages` pages that no text was found on. `is_kept` when
    the user wants it remembered beyond the conversation; `is_indexed` when it can be searched;
    `is_private` as in `NewUserFile`.
    """

    id: int
    user_id: int
    thread_id: str
    name: str
    media_type: str
    size_bytes: int
    sha256: str
    ref: str
    tokens: int
    units: int
    unread_pages: int
    is_kept: bool
    is_indexed: bool
    sent_at: datetime
    tables: tuple[TableSchema, ...] = ()
    is_private: bool = False

    @property
    def address(self) -> str:
        """The web address of a page, "" for what the user sent."""
        return self.ref if self.ref.startswith(("http://", "https://")) else ""

    @property
    def source_id(self) -> str:
        """The id of its private source among the sources of passages."""
        return private_source_id(self.id)


def private_source_id(file_id: int) -> str:
    """The id of the private source of a file."""
    return f"private_{file_id}"
