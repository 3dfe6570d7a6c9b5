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
class Desk:
    """Questions, and the inbox in which their edits wait."""

    questions: Questions
    inbox: Inbox


@pytest.fixture(params=["postgres", "in_memory"])
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    """Nothing was asked yet."""
    if request.param == "in_memory":
        twin = InMemoryInbox()
        yield Desk(InMemoryQuestions(twin), twin)
        return
    async with (
        open_pool(request.getfixturevalue("database_url"), max_size=4) as pool,
        PostgresInbox(pool) as inbox,
    ):
        yield Desk(PostgresQuestions(pool), inbox)


async def test_questions_know_nothing_of_who_never_asked(desk: Desk) -> None:
    """And nothing of those whose ids look alike."""
    await desk.questions.begin(ASKED)
    assert await desk.questions.latest(4) is None
    assert await desk.questions.latest(420) is None


async def test_questions_keep_the_latest(desk: Desk) -> None:
    """Bytes come back as they were; a newer question takes the place of an older one."""
    await desk.questions.begin(ASKED)
    assert await desk.questions.latest(42) == ASKED
    newer = EditableQuestion(42, 101, (7,), (b"seven",))
    await desk.questions.begin(newer)
    assert await desk.questions.latest(42) == newer


@pytest.mark.req("DUR-2")
async def test_questions_take_nothing_back(desk: Desk) -> None:
    """An answer that comes late, from a try before a crash, changes nothing."""
    edited = ASKED.edited(6, StoredUpdate(103, b"six", 1))
    await desk.questions.begin(edited)
    await desk.questions.begin(ASKED)
    await desk.questions.begin(EditableQuestion(42, 99, (4,), (b"four",)))
    assert await desk.questions.latest(42) == edited
    assert edited.updates == (b"five", b"six")


async def test_questions_note_which_form_was_answered(desk: Desk) -> None:
    """Only the form that is kept; a new form is not answered yet, and knows the old one was."""
    await desk.questions.begin(ASKED)
    await desk.questions.finish(ASKED)
    assert await desk.questions.latest(42) == dataclasses.replace(ASKED, answered=0)
    edited = ASKED.edited(5, StoredUpdate(103, b"FIVE", 1))
    await desk.questions.begin(edited)
    await desk.questions.finish(ASKED)
    assert await desk.questions.latest(42) == dataclasses.replace(edited, answered=0)
    await desk.questions.finish(edited)
    assert await desk.questions.latest(42) == dataclasses.replace(edited, answered=103)
    newer = EditableQuestion(42, 104, (7,), (b"seven",))
    await desk.questions.begin(newer)
    assert await desk.questions.latest(42) == newer


async def test_questions_note_once_what_the_user_was_told(desk: Desk) -> None:
    """The same message twice is one entry, which a new question does not end."""
    await desk.questions.begin(ASKED)
    for message_id in (1, 2, 1):
        await desk.questions.note_told(42, message_id)
    await desk.questions.note_told(43, 1)
    await desk.questions.begin(EditableQuestion(42, 101, (7,), (b"seven",)))
    latest = await desk.questions.latest(42)
    assert latest is not None
    assert latest.told == (1, 2)


async def test_questions_find_what_waits_in_the_inbox(desk: Desk) -> None:
    """In order, of this user, neither urgent nor done."""
    await desk.inbox.store([ReceivedUpdate(100, 42, b"the question")])
    lane = await desk.inbox.claim()
    assert lane is not None
    await desk.inbox.store(
        [
            ReceivedUpdate(103, 42, b"second edit"),
            ReceivedUpdate(102, 42, b"first edit"),
            ReceivedUpdate(104, 42, b"press", urgent=True),
            ReceivedUpdate(105, 43, b"another user's"),
        ]
    )
    found = await desk.questions.waiting(42, 100)
    assert [(update.update_id, update.raw) for update in found] == [
        (102, b"first edit"),
        (103, b"second edit"),
    ]
    assert await desk.questions.waiting(42, 103) == ()
    await desk.inbox.finish(lane)
    assert len(await desk.questions.waiting(42, 0)) == 2


async def test_questions_prune_by_age(desk: Desk) -> None:
    """Old questions are deleted; a question in progress stays."""
    await desk.inbox.store([ReceivedUpdate(100, 42, b"the question")])
    lane = await desk.inbox.claim()
    assert lane is not None
    await desk.questions.begin(ASKED)
    assert await desk.questions.prune(days=-1) == 0
    await desk.inbox.finish(lane)
    assert await desk.questions.prune(days=1) == 0
    assert await desk.questions.prune(days=-1) == 1
    assert await desk.questions.latest(42) is None
