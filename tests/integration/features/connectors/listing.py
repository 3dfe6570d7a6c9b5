"""Questions that tests ask of each connector."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import psutil

from rich_agent.documents.connectors.port import Connector, Entry, PlaceReaders, ServiceGroup


@dataclass(slots=True)
class Listed:
    """The outcome of a listing: entries by their keys, keys of what is gone, and each cursor."""

    entries: dict[str, Entry] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    cursors: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    @property
    def cursor(self) -> str:
        """The last cursor."""
        return self.cursors[-1]


async def listed(connector: Connector, cursor: str = "", *, portions: int = 0) -> Listed:
    """A listing from a cursor; only its first `portions`, as if the process were killed then."""
    found = Listed()
    listing = connector.list(cursor)
    async for changes in listing:
        found.entries.update({one.key: one for one in changes.entries})
        found.gone.update(changes.gone)
        found.cursors.append(changes.cursor)
        found.skipped.append(changes.skipped.in_words())
        if portions and len(found.cursors) == portions:
            break
    return found


async def readers(connector: Connector) -> dict[str, frozenset[str]]:
    """The readers of each place, and the members of each group."""
    return {
        one.place if isinstance(one, PlaceReaders) else one.principal: (
            one.readers if isinstance(one, PlaceReaders) else one.members
        )
        async for one in connector.rights()
    }


async def may_read(connector: Connector, person: str) -> set[str]:
    """The places that a person may read, by themselves or through groups."""
    found: Sequence[PlaceReaders | ServiceGroup] = [one async for one in connector.rights()]
    groups = {
        one.principal for one in found if isinstance(one, ServiceGroup) and person in one.members
    }
    return {
        one.place
        for one in found
        if isinstance(one, PlaceReaders) and one.readers & {person, "everybody", *groups}
    }


async def growth_while_listing(connector: Connector) -> tuple[int, int]:
    """The number of entries of a whole listing, and by how many bytes the process grows for it."""
    process = psutil.Process()
    count, largest, start = 0, 0, process.memory_info().rss
    async for changes in connector.list(""):
        count += len(changes.entries)
        largest = max(largest, process.memory_info().rss)
    return count, largest - start
