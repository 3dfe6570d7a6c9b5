"""Changes of rights: which documents would have more readers, and which fewer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rich_agent.domain.rights import EVERYBODY

NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rights:
    """The rights of a source: readers of its places, members of groups, and places by document."""

    readers: Mapping[str, frozenset[str]]
    members: Mapping[str, frozenset[str]]
    places: Mapping[str, str]

    def people(self, place: str) -> frozenset[str]:
        """The people who may read a place, with those of its groups."""
        return self._by_audience[self.readers.get(place, NOBODY)]

    @cached_property
    def _by_audience(self) -> Mapping[frozenset[str], frozenset[str]]:
        # Few audiences belong to many places.
        return {one: self._people_of(one) for one in {NOBODY, *self.readers.values()}}

    def _people_of(self, audience: frozenset[str]) -> frozenset[str]:
        if EVERYBODY in audience:
            return frozenset({EVERYBODY})
        return NOBODY.union(*(self.members.get(name, {name}) for name in audience))


@dataclass(frozen=True, slots=True)
class RightsChanges:
    """The number of places with other readers, and the documents with more and with fewer.

    A document is in both if somebody comes and somebody goes.
    """

    places: int
    opened: tuple[str, ...]
    closed: tuple[str, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether nobody would read more or less than before."""
        return not (self.places or self.opened or self.closed)

    @classmethod
    def between(cls, before: Rights, after: Rights) -> "RightsChanges":
        """The changes for the documents that both know."""
        common_urls = sorted(before.places.keys() & after.places.keys())
        pairs = [(url, before.places[url], after.places[url]) for url in common_urls]
        people = [(url, before.people(old), after.people(new)) for url, old, new in pairs]
        return cls(
            places=sum(
                before.people(one) != after.people(one)
                for one in before.readers.keys() | after.readers.keys()
            ),
            opened=tuple(_gaining(people)),
            closed=tuple(_gaining((url, new, old) for url, old, new in people)),
        )


def _gaining(people: Iterable[tuple[str, frozenset[str], frozenset[str]]]) -> Iterable[str]:
    """The documents that somebody may read only afterwards."""
    for url, before, after in people:
        if EVERYBODY not in before and after - before:
            yield url
