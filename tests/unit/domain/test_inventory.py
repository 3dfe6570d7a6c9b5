"""The inventory of a document."""

import json

from rich_agent.domain.inventory import Inventory, PartCount, Tally


def test_inventory_names_what_a_person_sees_and_nobody_read() -> None:
    """Hidden parts and parts that were read are not missing."""
    tally = Tally()
    tally.note_unread("picture", 2)
    tally.note_unread("chart", 3)
    tally.note_read("chart")
    tally.note_read("equation", 4)
    tally.note_unread("hidden_word", 9)

    missing = tally.inventory().missing

    assert missing == (PartCount("chart", 4, 1), PartCount("picture", 2))
    assert [part.unread for part in missing] == [3, 2]


def test_inventory_survives_its_json() -> None:
    """Stored counts come back, and a kind of a later version is left out."""
    tally = Tally()
    tally.note_read("field", 3)
    tally.note_unread("hidden_row")
    inventory = tally.inventory()

    stored = json.loads(json.dumps(inventory.to_json()))

    assert Inventory.from_json(stored | {"hologram": [1, 0]}) == inventory
    assert Inventory.from_json({}) == Inventory()


def test_inventory_counts_what_is_read_later() -> None:
    """Pages that another reader reads are missing no more, and none is read twice."""
    tally = Tally()
    tally.note_unread("page", 3)
    tally.note_unread("chart")
    inventory = tally.inventory()

    assert inventory.with_read("page", 2).unread == {"chart": 1, "page": 1}
    assert inventory.with_read("page", 9).unread == {"chart": 1}
    assert Inventory().with_read("page", 2) == Inventory()
