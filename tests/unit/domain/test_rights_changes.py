"""Changes of rights: documents with more readers and with fewer, told before they are made."""

import pytest

from rich_agent.domain.rights import EVERYBODY
from rich_agent.domain.rights_changes import Rights, RightsChanges

STAFF = "external:wiki:staff"
ANNA, BERT = "external:wiki:anna", "external:wiki:bert"


def rights(readers: dict[str, set[str]], *members: str, **documents: str) -> Rights:
    """Readers of places, members of the staff, and places of documents."""
    named = {place: frozenset(names) for place, names in readers.items()}
    return Rights(named, {STAFF: frozenset(members)}, documents)


@pytest.mark.parametrize(
    ("before", "after", "opened", "closed"),
    [
        ({ANNA}, {ANNA}, False, False),
        ({ANNA}, {ANNA, BERT}, True, False),
        ({ANNA}, set(), False, True),
        ({ANNA}, {BERT}, True, True),
        ({STAFF}, {ANNA}, False, False),
        ({ANNA}, {EVERYBODY}, True, False),
        ({EVERYBODY}, {ANNA}, False, True),
        ({EVERYBODY}, {EVERYBODY, ANNA}, False, False),
    ],
)
def test_documents_are_told_by_people(
    before: set[str], after: set[str], *, opened: bool, closed: bool
) -> None:
    """A group is who is in it, and everybody is everybody."""
    old, new = rights({"p": before}, ANNA, a="p"), rights({"p": after}, ANNA, a="p")
    changes = RightsChanges.between(old, new)
    assert (bool(changes.opened), bool(changes.closed)) == (opened, closed)
    assert changes.is_nothing == (not opened and not closed)


def test_place_that_is_new_to_a_document_counts() -> None:
    """A move opens and closes as a change of readers does; what only one side knows does not."""
    places = {"p": {ANNA}, "q": {BERT}}
    changes = RightsChanges.between(
        rights(places, a="p", b="p", gone="p"), rights(places, a="q", b="p", new="q")
    )
    assert changes == RightsChanges(0, ("a",), ("a",))


def test_members_of_groups_count() -> None:
    """Somebody who leaves a group reads less; a place that is gone is nobody's."""
    old = rights({"p": {STAFF}, "q": {BERT}}, ANNA, BERT, a="p", b="q")
    new = rights({"p": {STAFF}}, BERT, a="p", b="q")
    assert RightsChanges.between(old, new) == RightsChanges(2, (), ("a", "b"))
