"""One suite for the transcript in PostgreSQL and for its twin."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import pytest

from rich_agent.ports.turns import Transcript, TurnRecord
from rich_agent.repositories.database.pools import Pool, checkout, open_pool
from rich_agent.repositories.turns.past_turns import PostgresTranscript
from tests.twins.conversations import InMemoryTranscript

_TURNS = """
SELECT asked.user_id, thread_id, asked.request_id, asked.content AS question,
    answered.content AS answer, answered.meta_json AS meta, answered.revision
FROM messages AS asked
JOIN messages AS answered USING (conversation_id, request_id)
JOIN conversations ON conversations.id = asked.conversation_id
WHERE asked.role = 'user' AND answered.role = 'assistant' AND asked.id < answered.id
ORDER BY asked.id
"""


@dataclass(frozen=True, slots=True)
class Book:
    """A transcript, and what is stored in it."""

    transcript: Transcript
    turns: Callable[[], Awaitable[list[TurnRecord]]]


def _on_postgres(pool: Pool) -> Book:
    async def read(query: str) -> list[TurnRecord]:
        async with checkout(pool) as connection:
            return [TurnRecord(**row) async for row in await connection.execute(query)]

    return Book(PostgresTranscript(pool), lambda: read(_TURNS))


def _in_memory() -> Book:
    transcript = InMemoryTranscript()

    async def turns() -> list[TurnRecord]:
        return list(transcript.turns.values())

    return Book(transcript, turns)


@pytest.fixture(params=["postgres", "in_memory"])
async def book(request: pytest.FixtureRequest) -> AsyncIterator[Book]:
    """An empty transcript."""
    if request.param == "in_memory":
        yield _in_memory()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield _on_postgres(pool)


def turn(request_id: str = "r1", user_id: int = 42, **changes: object) -> TurnRecord:
    """A finished turn."""
    made = TurnRecord(
        user_id,
        f"tg:{user_id}",
        request_id,
        "What is staking?",
        "It is so.",
        {"plan": "rag", "images": [], "citations": ["chk_1"]},
    )
    return dataclasses.replace(made, **changes)  # type: ignore[arg-type]  # fields of TurnRecord


@pytest.mark.req("DUR-2")
async def test_transcript_records_a_turn_once(book: Book) -> None:
    """The same turn again, also at the same time, changes nothing."""
    await book.transcript.record(turn())
    again = turn(answer="Another wording.")
    await asyncio.gather(*(book.transcript.record(again) for _ in range(4)))
    assert await book.turns() == [turn()]


@pytest.mark.req("DUR-2")
async def test_transcript_records_a_first_turn_that_races_with_itself(book: Book) -> None:
    """User, conversation and messages are made once, whoever comes first."""
    await asyncio.gather(*(book.transcript.record(turn()) for _ in range(4)))
    assert await book.turns() == [turn()]


async def test_transcript_replaces_a_turn_whose_question_was_edited(book: Book) -> None:
    """A higher revision replaces the pair; a late lower one does not."""
    await book.transcript.record(turn())
    await book.transcript.record(turn("r2"))
    edited = turn(question="What is slashing?", answer="A penalty.", revision=7)
    await book.transcript.record(edited)
    await book.transcript.record(turn())
    await book.transcript.record(turn(answer="Late.", revision=6))
    assert await book.turns() == [edited, turn("r2")]


async def test_transcript_keeps_the_order_of_turns(book: Book) -> None:
    """A question comes before its answer, and an earlier turn before a later one."""
    turns = [turn(f"r{number}", question=f"Question {number}?") for number in range(3)]
    for each in turns:
        await book.transcript.record(each)
    assert await book.turns() == turns


@pytest.mark.req("MEM-3")
async def test_transcript_keeps_similar_users_apart(book: Book) -> None:
    """The same request id in the threads of users 4, 42 and 420 is three turns."""
    turns = [turn(user_id=user_id) for user_id in (4, 42, 420)]
    for each in turns:
        await book.transcript.record(each)
    assert await book.turns() == turns


async def test_transcript_takes_text_that_postgres_refuses(book: Book) -> None:
    """NUL and lone surrogates are dropped at any depth, everything else is kept."""
    dirty = turn(question="a\x00b\ud800", answer="\udfff日本 🙂", meta={"k\x00": ["v\x00\udc00"]})
    clean = turn(question="ab", answer="日本 🙂", meta={"k": ["v"]})
    await book.transcript.record(dirty)
    assert await book.turns() == [clean]
