"""The values of long-term memory."""

import pytest

from rich_agent.domain.language_preference import preferred_locale
from rich_agent.domain.memory import LongTermMemory, MemoryItem, owner_of, unlearn

OSLO = MemoryItem("Lives in Oslo", "tg:0", "2025-01-01T00:00:00+00:00", "residence")
TICKET = MemoryItem("Buy the ticket", "tg:1", "2025-01-02T00:00:00+00:00", due="2025-02-01")
MEMORY = LongTermMemory(facts=(OSLO,), tasks=(TICKET,), conversation_summary="They spoke.")


@pytest.mark.req("MEM-4")
def test_to_json_has_exactly_the_four_keys() -> None:
    """The stored keys are those that were agreed on."""
    assert set(MEMORY.to_json()) == {"facts", "preferences", "tasks", "conversation_summary"}
    assert LongTermMemory.from_json(MEMORY.to_json()) == MEMORY


def test_unlearn_takes_back_what_one_turn_taught() -> None:
    """Other turns' items and the summary stay."""
    assert unlearn(MEMORY, "tg:0") == LongTermMemory(
        tasks=(TICKET,), conversation_summary="They spoke."
    )


@pytest.mark.req("MEM-3")
@pytest.mark.parametrize("namespace", [(), ("users",), ("users", "1", "2"), ("users", "1%")])
def test_owner_of_refuses_what_names_no_single_user(namespace: tuple[str, ...]) -> None:
    """A search cannot reach beyond one user."""
    with pytest.raises(ValueError, match=r"namespace|1%"):
        owner_of(namespace)


@pytest.mark.parametrize(
    ("texts", "locale"),
    [
        ((), None),
        (("Likes tea",), None),
        (("Answer in Japanese",), "ja"),
        (("Answer in Japanese", "Prefers answers in English"), "en"),
        (("日本語で答える",), "ja"),
        (("Answer in German",), None),
        (("Wants replies in English, not in Japanese",), None),
        (("Likes Japanese tea",), None),
    ],
)
def test_preferred_locale_is_that_of_the_newest_wish(
    texts: tuple[str, ...], locale: str | None
) -> None:
    """Only what says how to answer counts, and only a language that the product speaks."""
    items = tuple(MemoryItem(text, "r", "t") for text in texts)
    assert preferred_locale(LongTermMemory(preferences=items)) == locale
