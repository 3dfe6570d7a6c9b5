"""One suite for the latest questions in PostgreSQL and for their twin."""

import dataclasses
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from rich_agent.ports.inbox import EditableQuestion, Inbox, Questions, ReceivedUpdate, StoredUpdate
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.questions import PostgresQuestions
from tests.twins.inbox import InMemoryInbox
from tests.twins.questions import InMemoryQuestions

ASKED = EditableQuestion(42, 100, (5, 6), (b"five", b"\x00\xff"))


@dataclass(frozen=True, slots=True)
class UnderTest:
    """Questions, and the inbox in which their edits wait."""

    questions: Questions
    inbox: Inbox


@pytest.fixture(params=["postgres", "in_memory"])
async def under_test(request: pytest.FixtureRequest) -> AsyncIterator[UnderTest]:
    """Nothing was asked yet."""
    if request.param == "in_memory":
        twin = InMemoryInbox()
        yield UnderTest(InMemoryQuestions(twin), twin)
        return
    async with (
        open_pool(request.getfixturevalue("database_url"), max_size=4) as pool,
        PostgresInbox(pool) as inbox,
    ):
        yield UnderTest(PostgresQuestions(pool), inbox)


async def test_questions_know_nothing_of_who_never_asked(under_test: UnderTest) -> None:
    """And nothing of those whose ids look alike."""
    await under_test.questions.begin(ASKED)
    assert await under_test.questions.latest(4) is None
    assert await under_test.questions.latest(420) is None


async def test_questions_keep_the_latest(under_test: UnderTest) -> None:
    """Bytes come back as they were; a newer question takes the place of an older one."""
    await under_test.questions.begin(ASKED)
    assert await under_test.questions.latest(42) == ASKED
    newer = EditableQuestion(42, 101, (7,), (b"seven",))
    await under_test.questions.begin(newer)
    assert await under_test.questions.latest(42) == newer


@pytest.mark.req("DUR-2")
async def test_questions_take_nothing_back(under_test: UnderTest) -> None:
    """An answer that comes late, from a try before a crash, changes nothing."""
    edited = ASKED.with_edit(6, StoredUpdate(103, b"six", 1))
    await under_test.questions.begin(edited)
    await under_test.questions.begin(ASKED)
    await under_test.questions.begin(EditableQuestion(42, 99, (4,), (b"four",)))
    assert await under_test.questions.latest(42) == edited
    assert edited.updates == (b"five", b"six")


async def test_questions_note_which_form_was_answered(under_test: UnderTest) -> None:
    """Only the form that is kept; a new form is not answered yet, and knows the old one was."""
    await under_test.questions.begin(ASKED)
    await under_test.questions.finish(ASKED)
    assert await under_test.questions.latest(42) == dataclasses.replace(ASKED, answered=0)
    edited = ASKED.with_edit(5, StoredUpdate(103, b"FIVE", 1))
    await under_test.questions.begin(edited)
    await under_test.questions.finish(ASKED)
    assert await under_test.questions.latest(42) == dataclasses.replace(edited, answered=0)
    await under_test.questions.finish(edited)
    assert await under_test.questions.latest(42) == dataclasses.replace(edited, answered=103)
    newer = EditableQuestion(42, 104, (7,), (b"seven",))
    await under_test.questions.begin(newer)
    assert await under_test.questions.latest(42) == newer


async def test_questions_note_once_what_the_user_was_told(under_test: UnderTest) -> None:
    """The same message twice is one entry, which a new question does not end."""
    await under_test.questions.begin(ASKED)
    for message_id in (1, 2, 1):
        await under_test.questions.note_late_edit(42, message_id)
    await under_test.questions.note_late_edit(43, 1)
    await under_test.questions.begin(EditableQuestion(42, 101, (7,), (b"seven",)))
    latest = await under_test.questions.latest(42)
    assert latest is not None
    assert latest.told == (1, 2)


async def test_questions_find_what_waits_in_the_inbox(under_test: UnderTest) -> None:
    """In order, of this user, neither urgent nor done."""
    await under_test.inbox.store([ReceivedUpdate(100, 42, b"the question")])
    lane = await under_test.inbox.claim()
    assert lane is not None
    await under_test.inbox.store(
        [
            ReceivedUpdate(103, 42, b"second edit"),
            ReceivedUpdate(102, 42, b"first edit"),
            ReceivedUpdate(104, 42, b"press", urgent=True),
            ReceivedUpdate(105, 43, b"another user's"),
        ]
    )
    found = await under_test.questions.waiting(42, 100)
    assert [(update.update_id, update.raw) for update in found] == [
        (102, b"first edit"),
        (103, b"second edit"),
    ]
    assert await under_test.questions.waiting(42, 103) == ()
    await under_test.inbox.finish(lane)
    assert len(await under_test.questions.waiting(42, 0)) == 2


async def test_questions_prune_by_age(under_test: UnderTest) -> None:
    """Old questions are deleted; a question in progress stays."""
    await under_test.inbox.store([ReceivedUpdate(100, 42, b"the question")])
    lane = await under_test.inbox.claim()
    assert lane is not None
    await under_test.questions.begin(ASKED)
    assert await under_test.questions.prune(days=-1) == 0
    await under_test.inbox.finish(lane)
    assert await under_test.questions.prune(days=1) == 0
    assert await under_test.questions.prune(days=-1) == 1
    assert await under_test.questions.latest(42) is None
