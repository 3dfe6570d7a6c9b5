"""Which documents are embedded and stored together."""

from rich_agent.documents.index.groups import MOST_TEXTS, Collector, Item, StoredChunk


def item(texts: int, *, chunks: int = 0, length: int = 10) -> Item:
    """A document with so many new texts, among so many chunks."""
    stored = [
        StoredChunk(f"id-{number}", 1, f"hash-{number}", "x" * length)
        for number in range(max(texts, chunks))
    ]
    new = {chunk.content_hash: chunk.text for chunk in stored[:texts]}
    return Item("source", "url", None, None, stored, new)


def test_collector_has_room_for_a_group_of_new_texts() -> None:
    """Texts that would be too much wait for the next group; one alone is never too much."""
    collector = Collector()
    assert collector.has_room_for(item(10 * MOST_TEXTS))
    collector.add(item(MOST_TEXTS - 10))
    assert collector.has_room_for(item(10))
    assert not collector.has_room_for(item(11))
    assert collector.has_room_for(item(0, chunks=100))


def test_collector_limits_tokens_and_memory_too() -> None:
    """Long texts, and many chunks that need no vector, fill a group as well."""
    for first, second in (
        (item(40, length=5_000), item(40, length=5_000)),
        (item(0, chunks=4_000), item(0, chunks=100)),
        (item(0, chunks=4, length=1_500_000), item(0, chunks=2, length=1_500_000)),
    ):
        collector = Collector()
        collector.add(first)
        assert not collector.has_room_for(second)


def test_collector_begins_anew() -> None:
    """A text that was taken is not taken again."""
    collector = Collector()
    collector.add(item(MOST_TEXTS))
    assert len(collector.take().items) == 1
    assert collector.take().items == ()
    assert collector.has_room_for(item(MOST_TEXTS))
