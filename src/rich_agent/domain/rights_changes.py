"""Changes of rights: documents that would get more readers, and documents that lose some."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rich_agent.domain.rights import EVERYBODY

NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Rights:
    """The rights of a source: readers by place, members by group, places by document."""

    readers: Mapping[str, frozenset[str]]
    members: Mapping[str, frozenset[str]]
    places: Mapping[str, str]

    def people(self, place: str) -> frozenset[str]:
        """The people who may read a place, members of groups included."""
        return self._by_audience[self.readers.get(place, NOBODY)]

    @cached_property
    def _by_audience(self) -> Mapping[frozenset[str], frozenset[str]]:
        """The people for each set of readers."""
        # Few audiences belong to many places.
        return {
            audience: self._people_of(audience) for audience in {NOBODY, *self.readers.values()}
        }

    def _people_of(self, audience: frozenset[str]) -> frozenset[str]:
        """The people in a set of readers, members of groups included."""
        if EVERYBODY in audience:
            return frozenset({EVERYBODY})
        return NOBODY.union(*(self.members.get(name, {name}) for name in audience))


@dataclass(frozen=True, slots=True)
class RightsChanges:
    """Differences between two states of rights."""

    places: int
    """Number of places whose readers differ."""
    opened: tuple[str, ...]
    """Documents that get a new reader."""
    closed: tuple[str, ...]
    """Documents that lose a reader. A document can be in both fields."""

    @property
    def is_nothing(self) -> bool:
        """Whether nothing changes."""
        return not (self.places or self.opened or self.closed)

    @classmethod
    def between(cls, before: Rights, after: Rights) -> "RightsChanges":
        """The changes of rights, for documents that exist before and after."""
        common_urls = sorted(before.places.keys() & after.places.keys())
        places_before_after = [(url, before.places[url], after.places[url]) for url in common_urls]
        people_before_after = [
            (url, before.people(old_place), after.people(new_place))
            for url, old_place, new_place in places_before_after
        ]
        return cls(
            places=sum(
                before.people(place) != after.people(place)
                for place in before.readers.keys() | after.readers.keys()
            ),
            opened=tuple(_gaining(people_before_after)),
            closed=tuple(
                _gaining(
                    (url, new_place, old_place) for url, old_place, new_place in people_before_after
                )
            ),
        )


def _gaining(people: Iterable[tuple[str, frozenset[str], frozenset[str]]]) -> Iterable[str]:
    """The documents with a reader who could not read them before."""
    for url, readers_before, readers_after in people:
        if EVERYBODY not in readers_before and readers_after - readers_before:
            yield url
