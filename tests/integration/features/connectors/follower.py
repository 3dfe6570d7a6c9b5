"""The part of a sync that the tests of connectors need: it keeps what a service has by its word."""

from dataclasses import dataclass, field

from rich_agent.documents.connectors.port import Connector, Entry, PlaceReaders, ServiceGroup
from rich_agent.documents.fetch.outcomes import Outcome, RawDocument, Skipped

ODD_NAMES = (
    "a b.md",
    "50%.md",
    "%41.md",
    "c#.md",
    "why?.md",
    "🎉.md",
    "two\nlines.md",
    "日本.md",
    "a&b<c>.md",
)


@dataclass
class Follower:
    """Follows a service; `named` are the keys that a listing of everything has named so far."""

    entries: dict[str, Entry] = field(default_factory=dict)
    cursor: str = ""
    named: set[str] | None = None
    portions: list[int] = field(default_factory=list)
    gone: tuple[str, ...] = ()
    skipped: list[Skipped] = field(default_factory=list)

    async def sync(self, connector: Connector, *, dies_after: int | None = None) -> "Follower":
        """List from the cursor on; `dies_after` so many portions, nothing more is done."""
        self.portions, self.gone, self.skipped = [], (), []
        if not self.cursor:
            self.named = set()
        listing = connector.list(self.cursor)
        async for changes in listing:
            for entry in changes.entries:
                self.entries[entry.key] = entry
                if self.named is not None:
                    self.named.add(entry.key)
            self.gone += changes.gone
            for key in changes.gone:
                self.entries.pop(key, None)
            self.cursor = changes.cursor
            self.portions.append(len(changes.entries))
            self.skipped.append(changes.skipped)
            if len(self.portions) == dies_after:
                return self
        if self.named is not None:
            self.entries = {key: one for key, one in self.entries.items() if key in self.named}
            self.named = None
        return self

    async def texts(self, connector: Connector) -> dict[str, str]:
        """The text of each document by the last part of its name."""
        found = {}
        for entry in self.entries.values():
            outcome = await connector.read(entry, 1_000_000)
            assert isinstance(outcome, RawDocument), outcome
            found[name_of(outcome)] = outcome.data.decode()
        return found

    def one(self, ending: str) -> Entry:
        """The document whose version or address ends so."""
        (found,) = [
            one
            for one in self.entries.values()
            if one.version.endswith(ending) or one.url.endswith(ending)
        ]
        return found


def name_of(outcome: Outcome) -> str:
    """The name that a document has in answers, as far as the connector says it."""
    assert isinstance(outcome, RawDocument)
    return outcome.name or outcome.url.rpartition("/")[2]


async def rights_of(connector: Connector) -> dict[str, set[str]]:
    """The people who may read each place: members of groups in the place of the groups."""
    given = [one async for one in connector.rights()]
    members = {one.principal: one.members for one in given if isinstance(one, ServiceGroup)}
    return {
        one.place: {name for reader in one.readers for name in members.get(reader, {reader})}
        for one in given
        if isinstance(one, PlaceReaders)
    }
