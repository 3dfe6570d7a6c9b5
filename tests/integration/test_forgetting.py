"""Forgetting on PostgreSQL: everything by /forget, also while a turn is under way, or one thing."""

import asyncio

import pytest

from rich_agent.domain.access import UserTags
from rich_agent.domain.memory.items import LongTermMemory, MemoryItem
from rich_agent.domain.memory.merging import Traces
from rich_agent.domain.usage_limits import Call, DailyLimits, Payer, Usage
from rich_agent.errors import LaneLostError
from rich_agent.ports.inbox import ReceivedUpdate
from rich_agent.ports.memories import Erased
from rich_agent.ports.outbox import Place
from rich_agent.ports.turns import TurnRecord
from rich_agent.repositories.database.pools import Databases, checkout
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.turns.past_turns import PostgresTranscript
from rich_agent.repositories.usage import PostgresUsageLedger
from rich_agent.repositories.user_data import PostgresUserData
from rich_agent.runtime.fencing import work_under
from tests import make

ADA = 42
TURN = TurnRecord(ADA, "tg:42", "r1", "a question", "an answer", {})
MEMORY = LongTermMemory(facts=(MemoryItem("lives in Rome", "r1", "2026-01-01T00:00:00+00:00"),))


@pytest.mark.req("MEM-3", "IDEMP-1")
async def test_forgotten_user_is_written_of_by_no_turn_under_way(databases: Databases) -> None:
    """The turn held its lane, and nobody else took it: what it still writes is refused."""
    memories, transcript = PostgresMemories(databases.app), PostgresTranscript(databases.app)
    data = PostgresUserData(databases, UserTags())
    outbox = PostgresOutbox(databases.app)
    async with PostgresInbox(databases.app) as inbox:
        await inbox.store([ReceivedUpdate(1, ADA, b"{}")])
        lane = await inbox.claim()
        assert lane is not None

        async def turn() -> None:
            work_under(lane.fence)
            await transcript.record(TURN)
            await outbox.begin(1, 0, Place(ADA))
            await outbox.note_sent(1, 0, 70)
            await outbox.begin(1, 1, Place(ADA))
            assert await data.forget(ADA) == (70,), "the message that promises an answer"
            with pytest.raises(LaneLostError):
                await transcript.record(TURN)
            with pytest.raises(LaneLostError):
                await make.store_memory(memories, ADA, MEMORY)

        await asyncio.create_task(turn())
    exported = await data.export(ADA)
    assert (exported["messages"], exported["memory"]) == ([], {})


@pytest.mark.req("MEM-3", "IDEMP-1")
async def test_forgotten_updates_are_known_when_telegram_repeats_them(databases: Databases) -> None:
    """A press that comes again is done no second time, and no row of the user comes with it."""
    data = PostgresUserData(databases, UserTags())
    press = ReceivedUpdate(2, ADA, b"{}", urgent=True)
    async with PostgresInbox(databases.app) as inbox:
        await inbox.store([ReceivedUpdate(1, ADA, b"{}"), press])
        await data.forget(ADA)
        assert await inbox.store([press]) == 0
        assert await inbox.claim(urgent=True) is None
        assert await inbox.store([ReceivedUpdate(3, ADA, b"{}")]) == 1, "what is new is answered"
        assert await inbox.prune(1) == 0
        async with checkout(databases.app) as connection:
            kept = await connection.execute(
                "UPDATE telegram_inbox SET done_at = done_at - interval '25 hours' "
                "RETURNING update_id, user_id, raw"
            )
            rows = [(row["update_id"], row["user_id"], row["raw"]) for row in await kept.fetchall()]
        assert sorted(rows) == [(1, 0, b""), (2, 0, b""), (3, ADA, b"{}")]
        assert await inbox.prune(30) == 2


async def test_forgotten_use_is_found_with_the_key_alone(databases: Databases) -> None:
    """The limits of the day hold, and whoever reads the table cannot try all ids."""
    ours, others = UserTags("key of this installation"), UserTags("another key")
    ledger = PostgresUsageLedger(databases.app, ours)
    payer = Payer(ADA, "r1")
    made = await ledger.reserve(payer, Call("text", "m", tokens=9), 0, DailyLimits())
    await ledger.settle(payer, {made: Usage(calls=1, input_tokens=700)}, is_over=True)
    await PostgresUserData(databases, ours).forget(ADA)
    assert (await ledger.standing(ADA)).used.tokens == 700
    assert (await PostgresUsageLedger(databases.app, others).standing(ADA)).used.tokens == 0
    async with checkout(databases.app) as connection:
        found = await connection.execute(
            "SELECT encode(sha256(convert_to(day || ':' || %s, 'UTF8')), 'hex') = tag AS told "
            "FROM usage_forgotten",
            (str(ADA),),
        )
        assert [row["told"] for row in await found.fetchall()] == [False]


async def test_answers_stay_answers_when_their_words_are_erased(databases: Databases) -> None:
    """A sent answer loses its words in the outbox; no message is taken for an unkept promise."""
    outbox = PostgresOutbox(databases.app)
    async with PostgresInbox(databases.app) as inbox:
        await inbox.store([ReceivedUpdate(1, ADA, b"{}")])
        lane = await inbox.claim()
        assert lane is not None
        await outbox.begin(1, 0, Place(ADA))
        await outbox.note_sent(1, 0, 70)
        await outbox.note_final(1, 0, "You live in Oslo.")
        await inbox.finish(lane)
    traces = Traces.of(["Oslo"])
    await PostgresErasure(databases).erase(Erased(ADA, "tg:42", traces=traces))
    async with checkout(databases.app) as connection:
        await connection.execute("UPDATE telegram_inbox SET done_at = done_at - interval '1 h'")
    part = await outbox.find(1, 0)
    assert part is not None
    assert "Oslo" not in part.text
    assert await outbox.leftovers() == ()
