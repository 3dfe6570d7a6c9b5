"""Repositories for a replay: what is stored is read, nothing is written."""

from rich_agent.domain.answer.citation import Decision
from rich_agent.domain.memory.items import LongTermMemory
from rich_agent.repositories.read_only import (
    no_decisions,
    read_only,
    read_only_memories,
    read_only_summaries,
)
from tests import make
from tests.twins.conversations import InMemoryTranscript
from tests.twins.knowledge import InMemoryDecisions, InMemoryImageSummaries
from tests.twins.memories import InMemoryMemories

SUMMARY = LongTermMemory(conversation_summary="Ada asked about staking.")
OTHER = LongTermMemory(conversation_summary="")


async def test_read_only_memories_give_what_a_change_would_make() -> None:
    """The turn goes on with the changed memory, and the stored one stays."""
    stored = InMemoryMemories()
    await make.store_memory(stored, 42, SUMMARY)
    memories = read_only_memories(stored)
    assert await memories.change(42, lambda _: OTHER) == OTHER
    assert await memories.load(42) == SUMMARY


async def test_read_only_leaves_out_what_is_not_read() -> None:
    """A method that is not listed does nothing."""
    stored = InMemoryTranscript()
    await read_only(stored).record(make.turn_record())
    assert not stored.turns


async def test_read_only_summaries_keep_nobody_waiting() -> None:
    """An image can be looked at, and nobody is noted as its sender."""
    stored = InMemoryImageSummaries()
    summaries = read_only_summaries(stored)
    async with summaries.exclusive("a" * 64):
        await summaries.note_sender("a" * 64, "tg:42")
        assert await summaries.find("a" * 64, "model") is None
    assert not stored.senders


async def test_no_decisions_give_an_id_of_no_row() -> None:
    """The state of a replay holds an id, and the record holds nothing."""
    stored = InMemoryDecisions()
    decision = Decision("tg:42", "r1", "smalltalk", "direct", "", "", 0, 0, {})
    assert await no_decisions(stored).record(decision) == "0"
    assert await stored.latest("tg:42") is None
