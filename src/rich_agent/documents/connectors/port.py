"""Interface of the services where a team's documents live: what is there, and who may read it."""

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
    """A service that cannot be read now; the message says why, the hint what to do.

    `after_s` is how long the service asks to be left alone. `is_refused` says that only the
    operator can help: a token that has expired, a right that is missing.
    """

    def __init__(
        self, reason: str, *, hint: str = "", after_s: float | None = None, is_refused: bool = False
    ) -> None:
        super().__init__(reason, hint=hint)
        self.after_s = after_s
        self.is_refused = is_refused


class CursorExpiredError(ConnectorError):
    """A cursor that the service no longer knows: everything has to be listed again."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document at a service.

    `key` names it there, and stays with it when it is renamed or moved, where the service has such
    a name. `url` is the address at which people open it, distinct within the source. A document
    whose `version` has not changed is not read again. `place` names the rights that hold for it,
    as `Connector.rights` does; "" if the service has none.
    """

    key: str
    url: str
    version: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """Some of the changes since a cursor: what is there now, and keys of what is gone.

    `cursor` is where a later listing goes on, also after a crash between two portions.
    """

    entries: tuple[Entry, ...]
    cursor: str
    gone: tuple[str, ...] = ()
    skipped: Skipped = field(default_factory=Skipped)


class Connector(Protocol):
    """One service, as one source reads it. Methods may raise ConnectorError."""

    def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """The changes since a cursor, in portions; with "", all that is there.

        What a listing from "" does not name is gone when it has ended. Such a listing may be
        resumed at the cursor of one of its portions.
        Raises: CursorExpiredError.
        """
        ...

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """A document; Unreadable if it is too large, gone, or of no readable kind."""
        ...

    def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """The readers of each place, and the people in the groups that are named.

        A place that is not named can be read by nobody; of a service without rights none is named.
        """
        ...

    async def check(self) -> str:
        """The rights of the token, in words for the operator."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...
