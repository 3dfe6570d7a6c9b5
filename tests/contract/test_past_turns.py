"""One suite for past turns in PostgreSQL and for their twin."""

import dataclasses
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from rich_agent.domain.answer.citation import Decision
from rich_agent.ports.turns import Decisions, Transcript, TurnMessages, TurnRecord
from rich_agent.repositories.database.pools import Databases, checkout, open_pools
from rich_agent.repositories.turns.past_turns import (
    PostgresDecisions,
    PostgresPastTurns,
    PostgresTranscript,
)
from tests.twins.conversations import InMemoryTranscript
from tests.twins.knowledge import InMemoryDecisions
from tests.twins.past_turns import InMemoryPastTurns


@dataclass(frozen=True, slots=True)
class Past:
    """The writers of turns, and the reader of them."""

    turns: PostgresPastTurns | InMemoryPastTurns
    transcript: Transcript
    decisions: Decisions

    async def add(self, request_id: str, user_id: int = 42, **request: Any) -> None:
        """A turn that came to its end."""
        await self.decisions.record(decision(request_id, user_id))
        question, answer = f"Question {request_id}?", f"Answer {request_id}."
        record = TurnRecord(user_id, f"tg:{user_id}", request_id, question, answer, {})
        await self.transcript.record(dataclasses.replace(record, request=request))

    async def before(self, request_id: str, limit: int = 10) -> list[str]:
        """The ids of the turns before one."""
        turn = await self.turns.find(request_id)
        assert turn is not None
        return [name for name, _ in await self.turns.before(turn, limit)]


def decision(request_id: str, user_id: int = 42) -> Decision:
    """A decision."""
    return Decision(f"tg:{user_id}", request_id, "general_question", "rag", "r", "q")


def on_postgres(databases: Databases) -> Past:
    """Of these databases."""
    return Past(
        PostgresPastTurns(databases),
        PostgresTranscript(databases.app),
        PostgresDecisions(databases.rag),
    )


@pytest.fixture(params=["postgres", "in_memory"])
async def past(request: pytest.FixtureRequest) -> AsyncIterator[Past]:
    """No turn yet."""
    if request.param == "in_memory":
        transcript, decisions = InMemoryTranscript(), InMemoryDecisions()
        yield Past(InMemoryPastTurns(transcript, decisions), transcript, decisions)
        return
    url = request.getfixturevalue("database_url")
    async with open_pools(url, url, max_size=4) as databases:
        yield on_postgres(databases)


@pytest.mark.req("TOOL-3", "OBS-1")
async def test_past_turn_has_its_decision_and_what_was_said(past: Past) -> None:
    """With the request as it came."""
    await past.add("tg:1", photos=[{"file_id": "f", "sha256": "a"}])
    found = await past.turns.find("tg:1")
    assert found is not None
    assert found.decision == decision("tg:1")
    request = {"photos": [{"file_id": "f", "sha256": "a"}]}
    assert found.said == TurnMessages("Question tg:1?", "Answer tg:1.", request)


async def test_past_turn_that_is_not_known_is_none(past: Past) -> None:
    """Also one of another thread."""
    await past.add("tg:1")
    assert await past.turns.find("tg:2") is None
    assert await past.turns.find("tg:1", "tg:43") is None
    assert await past.turns.find("tg:1", "tg:42") is not None


async def test_past_turn_that_broke_off_has_a_decision_only(past: Past) -> None:
    """It was planned, and nothing was said."""
    await past.decisions.record(decision("tg:1"))
    found = await past.turns.find("tg:1")
    assert found is not None
    assert found.said is None
    assert list(await past.turns.before(found, 10)) == []


async def test_past_turns_are_listed_newest_first(past: Past) -> None:
    """Of all threads, or of one; at most so many."""
    for request_id, user_id in (("tg:1", 42), ("tg:2", 43), ("tg:3", 42)):
        await past.add(request_id, user_id)
    assert [name.request_id for name in await past.turns.latest()] == ["tg:3", "tg:2", "tg:1"]
    assert [name.request_id for name in await past.turns.latest("tg:42")] == ["tg:3", "tg:1"]
    assert [name.request_id for name in await past.turns.latest(limit=1)] == ["tg:3"]


async def test_past_turn_was_preceded_by_its_own_conversation(past: Past) -> None:
    """By the newest turns of the same thread, oldest first, and by nothing that came later."""
    for number in range(1, 5):
        await past.add(f"tg:{number}")
        await past.add(f"tg:1{number}", user_id=420)
    assert await past.before("tg:3") == ["tg:1", "tg:2"]
    assert await past.before("tg:4", limit=2) == ["tg:2", "tg:3"]


async def test_past_turn_does_not_know_what_was_said_before_new(past: Past) -> None:
    """Turns under the same /new make up a conversation."""
    await past.add("tg:1")
    await past.add("tg:3", fresh_from=2)
    await past.add("tg:4", fresh_from=2)
    assert await past.before("tg:3") == []
    assert await past.before("tg:4") == ["tg:3"]


async def test_past_turn_does_not_know_what_was_asked_again(past: Past) -> None:
    """A turn that /retry did again has left the conversation."""
    await past.add("tg:1")
    await past.add("tg:2")
    await past.add("tg:3", replaces="tg:2")
    await past.add("tg:4")
    assert await past.before("tg:3") == ["tg:1"]
    assert await past.before("tg:4") == ["tg:1", "tg:3"]


async def test_past_turn_tells_how_its_update_was_delivered(databases: Databases) -> None:
    """Attempts and the last error, as long as the inbox has it; and the rating."""
    past = on_postgres(databases)
    await past.add("tg:7")
    async with checkout(databases.app) as connection:
        await connection.execute(
            "INSERT INTO telegram_inbox (update_id, user_id, urgent, raw, attempts, last_error) "
            "VALUES (7, 42, false, '', 2, 'boom')"
        )
    async with checkout(databases.rag) as connection:
        await connection.execute(
            "INSERT INTO answer_feedback (decision_id, rating) "
            "SELECT id, 'down' FROM retrieval_decisions"
        )
    found = await past.turns.find("tg:7")
    assert found is not None
    assert found.delivered is not None
    assert (found.delivered.attempts, found.delivered.last_error) == (2, "boom")
    assert found.rating == "down"


async def test_past_turns_that_were_rated_down_are_listed(databases: Databases) -> None:
    """The newest first, at most so many, of the last days; those rated 👍 are not."""
    past = on_postgres(databases)
    for number in range(1, 6):
        await past.add(f"tg:{number}")
    async with checkout(databases.rag) as connection:
        await connection.execute(
            "INSERT INTO answer_feedback (decision_id, rating, rated_at) "
            "SELECT id, CASE request_id WHEN 'tg:5' THEN 'up' ELSE 'down' END, "
            "clock_timestamp() - CASE request_id WHEN 'tg:1' THEN interval '8 days' "
            "ELSE interval '0' END FROM retrieval_decisions"
        )
    found = await past.turns.rated_down(7, 2)  # type: ignore[union-attr]
    assert [turn.decision.request_id for turn in found] == ["tg:4", "tg:3"]
    assert [turn.said and turn.said.question for turn in found] == [
        "Question tg:4?",
        "Question tg:3?",
    ]
    assert {turn.rating for turn in found} == {"down"}
