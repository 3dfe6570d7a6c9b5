"""Questions that were not answered well, and their subjects, in PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from rich_agent.domain.retrieval.local_models import Usual
from rich_agent.domain.retrieval.search_terms import term_counts
from rich_agent.features.operator_pages.quality.grouping import Terms
from rich_agent.features.operator_pages.quality.records import QuestionVector, WeakAnswer
from rich_agent.features.operator_pages.quality.repository import WeakQuestions
from rich_agent.repositories.database.pools import Pool, open_pool

USER = 7
USUAL = Usual(0.1, 0.1)
FEES = ("What is the fee for late books?", "Is there a fee for late library books?")
PARKING = "Where can visitors park their cars?"


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """Connections to a database without questions."""
    async with open_pool(database_url, max_size=4) as pool:
        yield pool


def terms_of(text: str) -> Terms:
    """The search terms of a question."""
    return frozenset(term_counts(text))


async def note(
    questions: WeakQuestions, query: str, request: str, user: int = USER, *vector: float
) -> int:
    """Note an unanswered question, perhaps with a vector; return its number."""
    meaning = QuestionVector("m:3", vector) if vector else None
    await questions.note(WeakAnswer(f"tg:{user}", request, query, meaning), is_unanswered=True)
    rows = await questions._rows(
        "SELECT id FROM quality_questions WHERE request_id = %s", (request,)
    )
    return int(rows[0]["id"])


async def grouped(questions: WeakQuestions, query: str, request: str, user: int = USER) -> int:
    """Note a question and find its subject by its words; return the subject."""
    subject = await questions.group(await note(questions, query, request, user), USUAL, terms_of)
    assert subject
    return subject


async def test_question_joins_the_subject_that_it_is_about(pool: Pool) -> None:
    """By its words; the subject keeps its number, and is named by one of its questions."""
    questions = WeakQuestions(pool)
    fees, parking = [await grouped(questions, one, one) for one in (FEES[0], PARKING)]
    assert fees != parking
    assert await grouped(questions, FEES[1], "again") == fees
    subjects = await questions.subjects("open", 10)
    assert [(one.id, one.question_count) for one in subjects] == [(fees, 2), (parking, 1)]
    assert subjects[0].name in FEES
    newest, first = await questions.questions(fees, 10)
    assert (newest.query, first.query) == (FEES[1], FEES[0])
    assert await questions.questions(fees, 10, newest.id) == [first]
    after = (subjects[0].asked_at, subjects[0].id)
    assert [one.id for one in await questions.subjects("open", 10, before=after)] == [parking]


async def test_questions_of_a_kind_make_one_subject_whoever_groups_them(pool: Pool) -> None:
    """Two processes at once."""
    questions = WeakQuestions(pool)
    numbers = [await note(questions, FEES[0], f"r{one}", one) for one in range(4)]
    found = await asyncio.gather(*(questions.group(one, USUAL, terms_of) for one in numbers))
    assert len({*found}) == 1


async def test_question_joins_by_meaning_where_it_has_a_vector(pool: Pool) -> None:
    """One in other words joins; one that is as far as any starts a subject."""
    questions = WeakQuestions(pool)

    async def by_vector(request: str, *vector: float) -> int | None:
        number = await note(questions, request, request, USER, *vector)
        return await questions.group(number, USUAL, terms_of)

    first = await by_vector("fees", 1.0, 0.1, 0.0)
    assert await by_vector("Gebühren", 1.0, 0.15, 0.0) == first
    assert await by_vector("parking", 0.0, 0.1, 1.0) != first


async def test_subject_that_was_done_is_open_again_when_it_is_asked_again(pool: Pool) -> None:
    """The assignee and the note stay."""
    questions = WeakQuestions(pool)
    fees = await grouped(questions, FEES[0], "a")
    assert await questions.assign(fees, 5, "in the handbook\x00")
    assert await questions.settle(fees, "done")
    assert await questions.subjects("open", 10) == []
    assert [one.id for one in await questions.subjects("done", 10, assignee_id=5)] == [fees]
    await grouped(questions, FEES[1], "b")
    (subject,) = await questions.subjects("open", 10)
    assert (subject.assignee_id, subject.note) == (5, "in the handbook")
    assert subject.reopened_at is not None
    assert not await questions.settle(0, "done")


async def test_rating_that_is_taken_back_takes_the_question_along(pool: Pool) -> None:
    """One that was not answered either stays; so does one that was edited and is answered now."""
    questions = WeakQuestions(pool)
    await questions.note(WeakAnswer("tg:7:2", "a", FEES[0]), is_rated_down=True)
    await questions.note(WeakAnswer("tg:7", "b", FEES[1]), is_rated_down=True)
    await questions.note(WeakAnswer("tg:7", "b", FEES[1]), is_unanswered=True)
    await questions.withdraw_rating("tg:7", "a")
    await questions.withdraw_rating("tg:7", "b")
    rows = await questions._rows(
        "SELECT request_id, is_unanswered, is_rated_down FROM quality_questions"
    )
    assert rows == [{"request_id": "b", "is_unanswered": True, "is_rated_down": False}]
    await questions.note_answered("tg:7", "b")
    assert await questions._rows("SELECT id FROM quality_questions") == []


async def test_edited_question_finds_its_subject_again(pool: Pool) -> None:
    """The subject that it leaves goes if nothing else is in it."""
    questions = WeakQuestions(pool)
    fees = await grouped(questions, FEES[0], "a")
    parking = await grouped(questions, PARKING, "a")
    assert [one.id for one in await questions.subjects("open", 10)] == [parking] != [fees]


async def test_what_a_user_forgets_leaves_subject_and_name(pool: Pool) -> None:
    """The work on it stays, under the words of others; without anybody's words it has no name."""
    questions = WeakQuestions(pool)
    fees = await grouped(questions, FEES[0], "a", USER)
    await grouped(questions, FEES[1], "b", 8)
    await questions.assign(fees, 5, "")
    for user, name, count in ((USER, FEES[1], 1), (8, "", 0)):
        async with pool.connection() as connection:
            await connection.execute(
                "DELETE FROM quality_questions WHERE thread_id = %s", (f"tg:{user}",)
            )
        subject = await questions.subject(fees)
        assert subject
        assert (subject.name, subject.question_count) == (name, count)


async def test_question_is_asked_again_and_its_answer_kept(pool: Pool) -> None:
    """The newest ones of a subject, as due work."""
    questions = WeakQuestions(pool)
    fees = await grouped(questions, FEES[0], "a")
    number = (await questions.questions(fees, 1))[0].id
    assert await questions.ask_again(fees) == 1
    rows = await questions._rows("SELECT key FROM due_work WHERE kind = 'operator_pages_ask_again'")
    assert rows == [{"key": str(number)}]
    await questions.note_again(number, "answered", "It is 5.", ["https://x · Fees"])
    question = await questions.question(number)
    assert question
    assert (question.again, question.again_answer) == ("answered", "It is 5.")


async def test_question_that_is_forgotten_meanwhile_names_no_subject(pool: Pool) -> None:
    """While another joins its subject, in a process that began before."""
    questions = WeakQuestions(pool)
    fees = await grouped(questions, FEES[0], "a", USER)
    await questions.assign(fees, 5, "")
    number = await note(questions, FEES[1], "b", 8)
    waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'"
    async with pool.connection() as connection, connection.transaction():
        await connection.execute("DELETE FROM quality_questions WHERE request_id = 'a'")
        joining = asyncio.create_task(questions.group(number, USUAL, terms_of))
        async with asyncio.timeout(10):
            while not await questions._rows(waiting):  # noqa: ASYNC110 - a state of the database
                await asyncio.sleep(0.01)
    assert await joining == fees
    rows = await questions._rows("SELECT name, question_count FROM quality_subjects")
    assert rows == [{"name": FEES[1], "question_count": 1}]
