"""The running state of silent conversations is put away, and what was said is still known."""

import dataclasses
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from rich_agent.domain.routing.plan import PastQuestion
from rich_agent.graph.build import build_graph
from rich_agent.repositories.database.pools import Databases, Pool, open_pool
from rich_agent.repositories.database.user_tables import AgedRows
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.turns.archive import PostgresArchive
from rich_agent.repositories.turns.checkpoints import make_checkpointer
from rich_agent.repositories.turns.idle_threads import PostgresIdleThreads
from rich_agent.repositories.turns.past_turns import PostgresTranscript
from rich_agent.turns.idle import IdleConversations
from rich_agent.turns.runner import GraphTurns
from tests import make
from tests.integration.catalogue import execute, read
from tests.integration.turns_on_postgres import cast_for, rows_of, run

DAYS = 90.0
TIMES = {"messages": "created_at", "conversations": "started_at", "users": "last_seen_at"}


@dataclass(frozen=True, slots=True)
class Bot:
    """Turns of scripted upstreams on the repositories of a database, and their housekeeping."""

    url: str
    cast: make.Fakes
    turns: GraphTurns
    archive: PostgresArchive
    pool: Pool
    idle: IdleConversations

    def pass_days(self, days: int) -> None:
        """Let everything that was said be so many days older."""
        moved = "UPDATE {0} SET {1} = {1} - interval '{2} days'"
        execute(self.url, *(moved.format(table, at, days) for table, at in TIMES.items()))

    async def summary(self) -> str:
        """The running summary of user 42."""
        memories = self.turns.services.memories
        return (await memories.load(42)).conversation_summary

    async def questions(self) -> list[str]:
        """The questions that user 42 asked, as far as they are archived."""
        return [turn.question for turn in await self.archive.search(42, PastQuestion(), 9)]


@pytest.fixture
async def bot(database_url: str) -> AsyncIterator[Bot]:
    """A user who talked twice."""
    cast = cast_for()
    async with open_pool(database_url, max_size=5) as pool:
        checkpointer, archive = make_checkpointer(pool), PostgresArchive(pool)
        services = dataclasses.replace(
            cast.services(),
            transcript=PostgresTranscript(pool),
            memories=PostgresMemories(pool),
            archive=archive,
        )
        turns = GraphTurns(build_graph(checkpointer), services, checkpointer)
        idle = IdleConversations(PostgresIdleThreads(pool), archive, checkpointer)
        made = Bot(database_url, cast, turns, archive, pool, idle)
        await run(turns, "How old is the moon?", request_id="r1")
        await run(turns, "And how old is the sun?", request_id="r2")
        yield made


@pytest.mark.req("MEM-1", "MEM-6")
async def test_silent_conversation_leaves_no_checkpoint_and_loses_nothing(bot: Bot) -> None:
    """Its turns are archived, shown to the next turn, and part of the summary after it."""
    bot.pass_days(91)
    assert await bot.idle.prune(DAYS) == 1
    assert set(rows_of(bot.url).values()) == {0}
    assert await bot.questions() == ["How old is the moon?", "And how old is the sun?"]
    await run(bot.turns, "And how old are the stars?", request_id="r3")
    assert "<asked>And how old is the sun?</asked>" in bot.cast.chat.prompts[-1].user
    assert await bot.summary() == "Summary 1."
    await run(bot.turns, "And how old are the planets?", request_id="r4")
    assert "<past_turn" not in bot.cast.chat.prompts[-1].user
    assert len(bot.cast.summarizer.prompts) == 1
    assert await bot.idle.prune(DAYS) == 0


@pytest.mark.parametrize("kind", ["asker", "guest"])
async def test_question_of_a_group_goes_without_being_archived(bot: Bot, kind: str) -> None:
    """Its state after a failed attempt is deleted, and does not come into the memory."""
    thread_id = f"tg:42:{kind}:7"
    await run(bot.turns, "Who sold the lantern?", request_id="tg:7", thread_id=thread_id)
    assert rows_of(bot.url, thread_id)["checkpoints"]
    (other,) = await bot.idle.threads.others(42, "tg:42")
    before = await bot.questions()
    await bot.idle.put_away(other)
    assert rows_of(bot.url, thread_id)["checkpoints"] == 0
    assert await bot.questions() == before


@pytest.mark.parametrize("table", TIMES)
async def test_conversation_that_is_not_silent_stays(bot: Bot, table: str) -> None:
    """Whatever shows it: a message, its beginning, or the user seen since."""
    bot.pass_days(91)
    execute(bot.url, f"UPDATE {table} SET {TIMES[table]} = now()")
    assert await bot.idle.prune(DAYS) == 0
    assert rows_of(bot.url)["checkpoints"] == 1


async def test_conversation_whose_lane_is_taken_stays(bot: Bot) -> None:
    """Its user is writing just now; afterwards the lane is theirs again."""
    bot.pass_days(91)
    lane = "INSERT INTO telegram_lanes (user_id, urgent, ready_at) VALUES (42, false, now())"
    execute(bot.url, lane)
    assert await bot.idle.prune(DAYS) == 0
    execute(bot.url, "DELETE FROM telegram_lanes")
    assert await bot.idle.prune(DAYS) == 1
    (free,) = read(bot.url, "SELECT ready_at <= clock_timestamp() FROM telegram_lanes")
    assert free == (True,)


@pytest.mark.req("MEM-6")
async def test_silent_conversation_heeds_its_new_only_once(bot: Bot) -> None:
    """Words before a /new enter no summary, and those after it are not left behind."""
    execute(bot.url, "UPDATE users SET fresh_from = 7")
    bot.pass_days(91)
    assert await bot.idle.prune(DAYS) == 1
    assert read(bot.url, "SELECT fresh_from FROM users") == {(0,)}
    await run(bot.turns, "And how old are the stars?", request_id="r3")
    assert bot.cast.summarizer.prompts == []
    assert "<past_turn" not in bot.cast.chat.prompts[-1].user


async def test_archive_forgets_what_is_older_than_it_may_be(bot: Bot) -> None:
    """Question and answer go from the archive and from the transcript; the newer stay."""
    bot.pass_days(91)
    await bot.idle.prune(DAYS)
    await run(bot.turns, "And how old are the stars?", request_id="r3")
    assert await AgedRows(Databases(bot.pool, bot.pool, bot.pool), 120).prune(1_000) == 0
    assert await AgedRows(Databases(bot.pool, bot.pool, bot.pool), 30).prune(1_000) >= 2 + 4
    assert await bot.questions() == []
    assert len(read(bot.url, "SELECT id FROM messages")) == 2
