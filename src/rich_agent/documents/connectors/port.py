"""The interface of connectors, which read documents and their rights from a service."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Protocol

from rich_agent.documents.fetch.outcomes import Outcome, Skipped
from rich_agent.domain.rights import PlaceReaders, ServiceGroup
from rich_agent.errors import RichAgentError

__all__ = [
    "Changes",
    "Connector",
    "ConnectorError",
    "CursorExpiredError",
    "Entry",
    "PlaceReaders",
    "ServiceGroup",
]


class ConnectorError(RichAgentError):
    """The service cannot be read now. The message tells why, the hint what to do.

    `after_s` is the number of seconds that the service asks to wait. If `is_refused`, only the
    operator can help, for instance with an expired token or a missing right.
    """

    def __init__(
        self, reason: str, *, hint: str = "", after_s: float | None = None, is_refused: bool = False
    ) -> None:
        super().__init__(reason, hint=hint)
        self.after_s = after_s
        self.is_refused = is_refused


class CursorExpiredError(ConnectorError):
    """The service no longer knows the cursor. All documents have to be listed again."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document of a service, without its content."""

    key: str
    """Id at the service. If the service allows it, the id survives renaming and moving."""
    url: str
    """Address at which people open the document, unique in the source."""
    version: str
    """Version of the content. If it has not changed, the document is not read again."""
    place: str = ""
    """Place whose readers, as `Connector.rights` gives them, may read the document. "" if the
    service has no rights."""


@dataclass(frozen=True, slots=True)
class Changes:
    """A portion of the changes since a cursor."""

    entries: tuple[Entry, ...]
    """New and changed documents."""
    cursor: str
    """Cursor at which a later listing continues, also after a crash between two portions."""
    gone: tuple[str, ...] = ()
    """Keys of removed documents."""
    skipped: Skipped = field(default_factory=Skipped)
    """Entries that are no documents."""


class Connector(Protocol):
    """A connection of a source with its service. Methods may raise ConnectorError."""

    def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """The changes since a cursor, in portions; with "", all documents.

        After a complete listing from "", each document that it did not name counts as removed. A
        listing may be resumed at the cursor of one of its portions.
        Raises: CursorExpiredError.
        """
        ...

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """The document; Unreadable if it is too large, removed, or of no readable kind."""
        ...

    def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """The readers of each place, and the members of each group among the readers.

        Nobody may read the documents of a place that is missing here. A service without rights
        gives no places.
        """
        ...

    async def check(self) -> str:
        """A description of the token's rights, for the operator."""
        ...

    async def aclose(self) -> None:
        """Close the connections to the service."""
        ...
