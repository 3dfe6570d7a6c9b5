"""One suite for what a worker writes that was stopped past its lease, on PostgreSQL and twins."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import pytest

from rich_agent.domain.answer.citation import Decision
from rich_agent.domain.memory.items import LongTermMemory, MemoryItem
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.usage_limits import NOTHING, UNLIMITED, Call, Payer
from rich_agent.domain.user_files import NewUserFile
from rich_agent.domain.vision import ImageSummary
from rich_agent.errors import LaneLostError
from rich_agent.ports.approvals import ApprovalRequest, Approvals
from rich_agent.ports.images import AskedImage, ImageAnswers, ImageSummaries, SeenImage
from rich_agent.ports.inbox import (
    EditableQuestion,
    Inbox,
    InboxRules,
    Lane,
    Questions,
    ReceivedUpdate,
)
from rich_agent.ports.memories import Memories
from rich_agent.ports.outbox import Outbox, Place
from rich_agent.ports.turns import (
    Archive,
    AskedBack,
    Clarifications,
    Decisions,
    Fold,
    Transcript,
    TurnRecord,
)
from rich_agent.ports.usage import UsageLedger
from rich_agent.ports.user_files import UserFiles
from rich_agent.repositories.approvals import PostgresApprovals
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.images import PostgresImageAnswers, PostgresImageSummaries
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.knowledge.user_files import PostgresUserFiles
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.outbox import PostgresOutbox
from rich_agent.repositories.questions import PostgresQuestions
from rich_agent.repositories.turns.archive import PostgresArchive
from rich_agent.repositories.turns.clarifications import PostgresClarifications
from rich_agent.repositories.turns.past_turns import PostgresDecisions, PostgresTranscript
from rich_agent.repositories.usage import PostgresUsageLedger
from rich_agent.runtime.fencing import current_fence, work_under
from tests import make
from tests.twins.approvals import InMemoryApprovals
from tests.twins.archive import InMemoryArchive
from tests.twins.clarifications import InMemoryClarifications
from tests.twins.conversations import InMemoryTranscript
from tests.twins.fences import Fences
from tests.twins.inbox import InMemoryInbox
from tests.twins.knowledge import (
    InMemoryDecisions,
    InMemoryImageAnswers,
    InMemoryImageSummaries,
)
from tests.twins.memories import InMemoryMemories
from tests.twins.outbox import InMemoryOutbox
from tests.twins.questions import InMemoryQuestions
from tests.twins.usage import InMemoryUsageLedger
from tests.twins.user_files import InMemoryUserFiles

RULES = InboxRules(lease_s=0.1)
TURN = TurnRecord(42, "tg:42", "r1", "a question", "an answer", {})
SPACE = VectorSpace("m", 2)
ITEM = MemoryItem("lives in Rome", "r1", "2026-01-01T00:00:00+00:00")
SEEN = SeenImage("photo", "a" * 64, "image/png", 9)
ASKED = AskedBack("tg:42", "r1")
DRAFT = ApprovalRequest(42, "tg:42", "r1", 0, "en", "general_question", "a question", "an answer")
SENT = NewUserFile(42, "tg:42", "a.txt", "text/plain", 1, "a" * 64, "f", ())
PAYER = Payer(42, "r1")
QUESTION = EditableQuestion(42, 1, (7,), (b"{}",))


@dataclass(frozen=True, slots=True)
class Store:
    """The stores that a worker writes to."""

    inbox: Inbox
    outbox: Outbox
    memories: Memories
    transcript: Transcript
    archive: Archive
    decisions: Decisions
    images: ImageSummaries
    image_answers: ImageAnswers
    clarifications: Clarifications
    approvals: Approvals
    usage: UsageLedger
    questions: Questions
    user_files: UserFiles


Write = Callable[[Store], Awaitable[object]]
WRITES: dict[str, Write] = {
    "outbox.begin": lambda store: store.outbox.begin(1, 1, Place(42)),
    "outbox.note_sent": lambda store: store.outbox.note_sent(1, 0, 77),
    "outbox.note_final": lambda store: store.outbox.note_final(1, 0, "late"),
    "outbox.note_failure": lambda store: store.outbox.note_failure(1, 0, "late"),
    "outbox.renew": lambda store: store.outbox.renew(1, 0),
    "outbox.withdraw": lambda store: store.outbox.withdraw(1, 0),
    "outbox.reopen": lambda store: store.outbox.reopen(1),
    "outbox.discard": lambda store: store.outbox.discard(1, 0),
    "memories.change": lambda store: make.store_memory(
        store.memories, 42, LongTermMemory(facts=(ITEM,))
    ),
    "memories.add_vectors": lambda store: store.memories.add_vectors(42, SPACE, {}),
    "transcript.record": lambda store: store.transcript.record(TURN),
    "archive.keep": lambda store: store.archive.keep([TURN]),
    "archive.fold": lambda store: store.archive.fold(42, Fold([TURN], "", "after")),
    "archive.begin_anew": lambda store: store.archive.begin_anew(42, [TURN]),
    "decisions.record": lambda store: store.decisions.record(
        Decision("tg:42", "r1", "general_question", "rag", "r", "q")
    ),
    "images.note_sender": lambda store: store.images.note_sender(SEEN.sha256, "tg:42"),
    "images.store": lambda store: store.images.store(SEEN, "m", ImageSummary("A photo.")),
    "image_answers.store": lambda store: store.image_answers.store(
        AskedImage("tg:42", SEEN.sha256, "m", "how many"), "Three."
    ),
    "clarifications.open": lambda store: store.clarifications.open(ASKED),
    "clarifications.take": lambda store: store.clarifications.take(ASKED, "r2"),
    "clarifications.cancel": lambda store: store.clarifications.cancel("tg:42"),
    "approvals.request": lambda store: store.approvals.request(DRAFT),
    "approvals.decide": lambda store: store.approvals.decide(1, "approved", 7),
    "approvals.ask_for_words": lambda store: store.approvals.ask_for_words(1, 7, "reason"),
    "usage.reserve": lambda store: store.usage.reserve(PAYER, Call("text", "m"), 9, UNLIMITED),
    "usage.settle": lambda store: store.usage.settle(PAYER, {1: NOTHING}, is_over=True),
    "questions.begin": lambda store: store.questions.begin(QUESTION),
    "questions.finish": lambda store: store.questions.finish(QUESTION),
    "questions.note_late_edit": lambda store: store.questions.note_late_edit(42, 7),
    "user_files.store": lambda store: store.user_files.store(SENT),
    "user_files.keep": lambda store: store.user_files.keep(42, [1], kept=True),
    "user_files.forget": lambda store: store.user_files.forget(42, [1]),
    "user_files.leave": lambda store: store.user_files.leave(42),
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
            InMemoryImageSummaries(fences=fences),
            InMemoryImageAnswers(fences=fences),
            InMemoryClarifications(fences=fences),
            InMemoryApprovals(fences=fences),
            InMemoryUsageLedger(fences=fences),
            InMemoryQuestions(inbox, fences=fences),
            InMemoryUserFiles(fences=fences),
        )
        await made.outbox.begin(1, 0, Place(42))
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
            PostgresImageSummaries(pool, pool),
            PostgresImageAnswers(pool, pool),
            PostgresClarifications(pool, 60.0),
            PostgresApprovals(pool),
            PostgresUsageLedger(pool),
            PostgresQuestions(pool),
            PostgresUserFiles(pool, pool),
        )
        await made.outbox.begin(1, 0, Place(42))
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
    """A worker that lost the lane writes nothing; its new holder does, and one that needs none."""
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
