"""One suite for what a worker writes that was stopped past its lease, on PostgreSQL and twins."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import pytest

from rich_agent.domain.answer import Decision
from rich_agent.domain.memory import LongTermMemory, MemoryItem
from rich_agent.domain.passage import VectorSpace
from rich_agent.errors import LaneLostError
from rich_agent.fencing import current_fence, work_under
from rich_agent.ports.archive import Archive, Fold
from rich_agent.ports.inbox import Inbox, InboxRules, Lane, ReceivedUpdate
from rich_agent.ports.memories import Memories
from rich_agent.ports.outbox import Outbox
from rich_agent.ports.turns import Decisions, Transcript, TurnRecord
from rich_agent.repositories.archive import PostgresArchive
from rich_agent.repositories.database import open_pool
from rich_agent.repositories.decisions import PostgresDecisions
from rich_agent.repositories.in_memory.archive import InMemoryArchive
from rich_agent.repositories.in_memory.conversations import InMemoryTranscript
from rich_agent.repositories.in_memory.fences import Fences
from rich_agent.repositories.in_memory.inbox import InMemoryInbox
from rich_agent.repositories.in_memory.knowledge import InMemoryDecisions
from rich_agent.repositories.in_memory.memories import InMemoryMemories
from rich_agent.repositories.in_memory.outbox import InMemoryOutbox
from rich_agent.repositories.inbox import PostgresInbox
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.transcript import PostgresTranscript

RULES = InboxRules(lease_s=0.1)
TURN = TurnRecord(42, "tg:42", "r1", "a question", "an answer", {})
SPACE = VectorSpace("m", 2)
ITEM = MemoryItem("lives in Rome", "r1", "2026-01-01T00:00:00+00:00")


@dataclass(frozen=True, slots=True)
class Store:
    """What a worker writes to."""

    inbox: Inbox
    outbox: Outbox
    memories: Memories
    transcript: Transcript
    archive: Archive
    decisions: Decisions


Write = Callable[[Store], Awaitable[object]]
WRITES: dict[str, Write] = {
    "outbox.begin": lambda store: store.outbox.begin(1, 1, 42),
    "outbox.sent": lambda store: store.outbox.sent(1, 0, 77),
    "outbox.finalized": lambda store: store.outbox.finalized(1, 0, "late"),
    "outbox.failed": lambda store: store.outbox.failed(1, 0, "late"),
    "outbox.withdraw": lambda store: store.outbox.withdraw(1, 0),
    "memories.save": lambda store: store.memories.save(42, LongTermMemory(facts=(ITEM,))),
    "memories.add_vectors": lambda store: store.memories.add_vectors(42, SPACE, {}),
    "transcript.record": lambda store: store.transcript.record(TURN),
    "archive.keep": lambda store: store.archive.keep([TURN]),
    "archive.fold": lambda store: store.archive.fold(42, Fold([TURN], "", "after")),
    "archive.begin_anew": lambda store: store.archive.begin_anew(42, [TURN]),
    "decisions.record": lambda store: store.decisions.record(
        Decision("tg:42", "r1", "general_question", "rag", "r", "q")
    ),
}


@pytest.fixture(params=["postgres", "in_memory"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """A store in which a message was begun."""
    if request.param == "in_memory":
        inbox = InMemoryInbox(RULES)
        fences = Fences(inbox)
        memories = InMemoryMemories(fences=fences)
        made = Store(
            inbox,
            InMemoryOutbox(fences=fences),
            memories,
            InMemoryTranscript(fences=fences),
            InMemoryArchive(memories, fences=fences),
            InMemoryDecisions(fences=fences),
        )
        await made.outbox.begin(1, 0, 42)
        yield made
        return
    url = request.getfixturevalue("database_url")
    async with open_pool(url, max_size=4) as pool, PostgresInbox(pool, RULES) as durable:
        made = Store(
            durable,
            PostgresOutbox(pool),
            PostgresMemories(pool),
            PostgresTranscript(pool),
            PostgresArchive(pool),
            PostgresDecisions(pool, pool),
        )
        await made.outbox.begin(1, 0, 42)
        yield made


async def claimed(inbox: Inbox) -> Lane:
    """The next lane, once it is free."""
    async with asyncio.timeout(30):
        while (lane := await inbox.claim()) is None:
            await inbox.wait(0.1)
        return lane


async def under(lane: Lane, write: Write, store: Store) -> None:
    """Write in a task that holds the lane, or held it once."""

    async def working() -> None:
        work_under(lane.fence)
        await write(store)

    async with asyncio.timeout(30):
        await asyncio.gather(working())


@pytest.mark.req("REL-1", "IDEMP-1")
@pytest.mark.parametrize("name", WRITES)
async def test_fence_refuses_what_comes_after_a_takeover(store: Store, name: str) -> None:
    """Who lost the lane writes nothing; who has it now does, and so does who needs none."""
    await store.inbox.store([ReceivedUpdate(1, 42, b"{}")])
    late = await claimed(store.inbox)
    holder = await claimed(store.inbox)
    with pytest.raises(LaneLostError):
        await under(late, WRITES[name], store)
    assert (await store.memories.load(42)).facts == ()
    assert await store.decisions.latest("tg:42") is None
    await under(holder, WRITES[name], store)
    assert current_fence() is None
    await WRITES[name](store)
