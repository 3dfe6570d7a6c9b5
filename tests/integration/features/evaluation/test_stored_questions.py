"""Stored test questions and figures of evaluations, in PostgreSQL."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from rich_agent.composition.repositories import make_repositories
from rich_agent.composition.retention import prune, retention_rules
from rich_agent.domain.access import UserTags
from rich_agent.features.evaluation.files import WrittenQuestion
from rich_agent.features.evaluation.marks import AnswerEvaluation, AnswerMarks
from rich_agent.features.evaluation.runs import EvaluationRun, EvaluationRuns
from rich_agent.features.evaluation.stored import StoredQuestions
from rich_agent.ports.asked_questions import AskedQuestion
from rich_agent.repositories.database.pools import Databases, open_pools
from rich_agent.repositories.user_data import PostgresUserData
from rich_agent.settings.settings import Settings

USER = 7
NOW = datetime.now(UTC)
FEES = "What is the fee for late books?"


@pytest.fixture
async def databases(database_url: str) -> AsyncIterator[Databases]:
    """A database without questions."""
    async with open_pools(database_url, database_url, max_size=4) as databases:
        yield databases


def asked(ask: str, user: int = USER, days_ago: int = 0) -> AskedQuestion:
    """A question of a user."""
    return AskedQuestion(ask, f"tg:{user}", f"tg:{ask}", NOW - timedelta(days=days_ago))


async def wordings(questions: StoredQuestions) -> list[tuple[str, bool]]:
    """All stored questions, and whether each is in a user's words."""
    return [(one.written.ask, one.is_users) for one in await questions.all_of_them()]


async def test_question_is_its_users_until_it_is_written_in_other_words(
    databases: Databases,
) -> None:
    """Facts alone do not make it the operator's; what is forgotten takes them along."""
    questions = StoredQuestions(databases.app)
    for ask in (FEES, FEES, "Who is in charge?", "Where do I park?"):
        await questions.keep(asked(ask))
    await questions.keep(asked("Of somebody else?", user=8))
    fees, charge, *_ = [one.id for one in await questions.all_of_them()]
    assert await questions.change(fees, WrittenQuestion(ask=FEES, facts=["3 crowns"]))
    assert not await questions.change(charge, WrittenQuestion(ask=FEES, refuse=True))
    assert await questions.change(charge, WrittenQuestion(ask="Who leads?", facts=[["A", "B"]]))
    assert not await questions.add(WrittenQuestion(ask="Who leads?", refuse=True))
    assert await questions.add(WrittenQuestion(ask="My own?", refuse=True))
    data = PostgresUserData(databases, UserTags())
    exported = (await data.export(USER))["test_questions"]
    assert [one["ask"] for one in exported] == [FEES, "Where do I park?"]
    await data.forget(USER)
    left = [("Who leads?", False), ("Of somebody else?", True), ("My own?", False)]
    assert await wordings(questions) == left
    kept = await questions.find(charge)
    assert kept
    assert (kept.written.facts, kept.is_complete) == ([["A", "B"]], True)
    await questions.remove(charge)
    assert await questions.find(charge) is None


async def test_question_in_a_users_words_ages_as_conversations_do(databases: Databases) -> None:
    """That of the operator stays."""
    questions = StoredQuestions(databases.app)
    await questions.keep(asked(FEES, days_ago=31))
    await questions.keep(asked("Newer?", days_ago=29))
    await questions.keep(asked("Older?", days_ago=31))
    older = (await questions.newest(1))[0]
    await questions.change(older.id, WrittenQuestion(ask="Mine?", refuse=True))
    settings = Settings.load(conversation_days=30)
    await prune(retention_rules(make_repositories(settings, databases), settings))
    assert await wordings(questions) == [("Newer?", True), ("Mine?", False)]


async def test_evaluations_are_kept_as_figures(databases: Databases) -> None:
    """With their intervals and what they were made with; no words of questions or answers."""
    runs = EvaluationRuns(databases.app)
    answers = [AnswerMarks(FEES, "3 crowns", {"3 crowns": True}, tokens=50, seconds=1.5)]
    made = [
        EvaluationRun.of(AnswerEvaluation(label, NOW, answers), "1.0", "m", "questions.toml")
        for label in ("m", "RETRIEVAL_PASSAGES=1")
    ]
    await runs.add(made)
    other, own = await runs.newest(10)
    assert (own.changes, other.changes) == ("", "RETRIEVAL_PASSAGES=1")
    assert own.measures == made[0].measures
    assert (own.started_at, own.question_count) == (NOW, 1)
    assert [one.id for one in await runs.newest(10, other.id)] == [own.id]
    (row,) = await runs._rows(
        "SELECT r::text AS words FROM evaluation_runs r WHERE id = %s", (own.id,)
    )
    assert "crowns" not in row["words"]
    assert FEES not in row["words"]
