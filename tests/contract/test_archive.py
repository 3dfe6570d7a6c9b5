"""One suite for the archive in PostgreSQL and for its twin."""

import dataclasses
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem
from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.retrieval.search_terms import term_counts
from rich_agent.domain.routing.plan import PastQuestion
from rich_agent.ports.memories import Memories
from rich_agent.ports.turns import Archive, Fold, Meaning, TurnRecord
from rich_agent.repositories.database.pools import Pool, checkout, open_pool
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.turns.archive import PostgresArchive
from rich_agent.repositories.turns.past_turns import PostgresTranscript
from tests import make
from tests.twins.archive import InMemoryArchive
from tests.twins.memories import InMemoryMemories

TODAY = datetime(2026, 6, 15, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Shelf:
    """An archive, the memories beside it, and a way to say when a turn was."""

    archive: Archive
    memories: Memories
    date_back: Callable[[str, datetime], Awaitable[None]]

    async def keep(self, *turns: TurnRecord, days_apart: float = 1) -> None:
        """Archive turns, the last of them today."""
        for number, each in enumerate(reversed(turns)):
            await self.archive.keep([each])
            await self.date_back(each.request_id, TODAY - timedelta(days=days_apart * number))

    async def found(self, user_id: int = 42, limit: int = 3, **wanted: object) -> list[str]:
        """The questions that are found."""
        asked = PastQuestion(**wanted)  # type: ignore[arg-type]  # fields of PastQuestion
        return [turn.question for turn in await self.archive.search(user_id, asked, limit)]

    async def summary(self) -> str:
        """The text of the user's summary."""
        return (await self.memories.load(42)).conversation_summary


def _on_postgres(pool: Pool) -> Shelf:
    async def date_back(request_id: str, at: datetime) -> None:
        async with checkout(pool) as connection:
            await connection.execute(
                "UPDATE turn_archive SET asked_at = %s WHERE request_id = %s", (at, request_id)
            )

    return Shelf(PostgresArchive(pool), PostgresMemories(pool), date_back)


def _in_memory() -> Shelf:
    memories = InMemoryMemories()
    archive = InMemoryArchive(memories)

    async def date_back(request_id: str, at: datetime) -> None:
        for (_, known), row in archive.kept.items():
            row.asked_at = at if known == request_id else row.asked_at
        archive.kept = dict(sorted(archive.kept.items(), key=lambda item: item[1].asked_at))

    return Shelf(archive, memories, date_back)


@pytest.fixture(params=["postgres", "in_memory"])
async def shelf(request: pytest.FixtureRequest) -> AsyncIterator[Shelf]:
    """An empty archive."""
    if request.param == "in_memory":
        yield _in_memory()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield _on_postgres(pool)


def turn(request_id: str = "r1", question: str = "Why?", **changes: object) -> TurnRecord:
    """A turn that left the window."""
    made = TurnRecord(42, "tg:42", request_id, question, "It is so.", {})
    return dataclasses.replace(made, **changes)  # type: ignore[arg-type]  # fields of TurnRecord


def fold(*turns: TurnRecord, before: str = "", after: str = "They talked.") -> Fold:
    """Turns folded into a summary."""
    return Fold(turns, before, after)


@pytest.mark.req("MEM-6", "DUR-2")
async def test_archive_keeps_a_turn_once(shelf: Shelf) -> None:
    """Turns that leave the window twice are kept once, with new ones beside them."""
    await shelf.archive.keep([turn("r1", "One?"), turn("r2", "Two?")])
    await shelf.archive.keep([turn("r2", "Another two?"), turn("r3", "Three?")])
    await shelf.archive.keep([])
    assert await shelf.found(limit=9) == ["One?", "Two?", "Three?"]


@pytest.mark.req("MEM-6")
async def test_archive_says_what_the_summary_lacks(shelf: Shelf) -> None:
    """Turns that await the fold come first, then those that leave now and are not archived yet."""
    await shelf.archive.keep([turn("r1")], awaits_fold=True)
    await shelf.archive.keep([turn("r2")])
    leaving = [turn("r1"), turn("r2"), turn("r3")]
    assert [each.request_id for each in await shelf.archive.to_fold(42, leaving)] == ["r1", "r3"]
    assert await shelf.archive.to_fold(43, []) == []
    (awaiting,) = await shelf.archive.awaiting(42, 5)
    assert awaiting.question == "Why?"


@pytest.mark.req("MEM-6", "DUR-2")
async def test_archive_folds_turns_once(shelf: Shelf) -> None:
    """Summary and turns are stored together; afterwards nothing is left to fold."""
    fact = MemoryItem("Lives in Rome", "r0", "2026-01-01T00:00:00+00:00")
    await make.store_memory(shelf.memories, 42, LongTermMemory(facts=(fact,)))
    await shelf.archive.keep([turn("r1")], awaits_fold=True)
    leaving = [turn("r1"), turn("r2")]
    assert await shelf.archive.fold(42, fold(*leaving))
    assert await shelf.archive.to_fold(42, leaving) == []
    await shelf.archive.keep([turn("r1")], awaits_fold=True)
    assert await shelf.archive.to_fold(42, leaving) == []
    memory = await shelf.memories.load(42)
    assert (memory.conversation_summary, memory.facts) == ("They talked.", (fact,))
    assert memory.summary_updated_at


@pytest.mark.req("MEM-6")
async def test_archive_refuses_a_fold_into_a_summary_that_changed(shelf: Shelf) -> None:
    """A summary that was emptied meanwhile does not come back, and the turns still await it."""
    await shelf.archive.keep([turn("r1")], awaits_fold=True)
    assert not await shelf.archive.fold(42, fold(turn("r1"), turn("r2"), before="Old."))
    assert await shelf.summary() == ""
    assert [each.request_id for each in await shelf.archive.to_fold(42, [])] == ["r1"]
    assert await shelf.found(limit=9) == ["Why?"]


@pytest.mark.req("MEM-6")
async def test_archive_begins_anew_without_summary(shelf: Shelf) -> None:
    """The old turns are kept, and none of them enters the next summary."""
    await shelf.archive.fold(42, fold(turn("r1")))
    await shelf.archive.keep([turn("r2")], awaits_fold=True)
    await shelf.archive.begin_anew(42, [turn("r3")])
    assert await shelf.summary() == ""
    assert (await shelf.memories.load(42)).summary_updated_at is None
    assert await shelf.archive.to_fold(42, [turn("r3")]) == []
    assert len(await shelf.found(limit=9)) == 3


@pytest.mark.req("MEM-6")
async def test_archive_finds_the_first_and_the_last_turns(shelf: Shelf) -> None:
    """In the order in which they were."""
    await shelf.keep(*(turn(f"r{number}", f"Question {number}?") for number in range(6)))
    assert await shelf.found(order="oldest", limit=2) == ["Question 0?", "Question 1?"]
    assert await shelf.found(order="newest", limit=2) == ["Question 4?", "Question 5?"]


@pytest.mark.req("MEM-6")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("umbrellas", "Where is my umbrella?"),
        ("傘はどこ", "傘を忘れました。"),
        ("emergency fund", "How large should an emergency fund be?"),
        ("Anträge", "Wo ist der Antrag für die Behörde?"),
        ("العراق", "ما هي عاصمة العراق؟"),
    ],
)
async def test_archive_finds_turns_by_their_words(shelf: Shelf, query: str, found: str) -> None:
    """Stemmed by language, text without spaces, the rarest word first; nothing for other words."""
    others = ["Where is it?", "How large is it?", "犬が好きです。", "Is a fund safe?"]
    german, arabic = "Wo ist der Antrag für die Behörde?", "ما هي عاصمة العراق؟"
    turns = ["Where is my umbrella?", "傘を忘れました。", "How large should an emergency fund be?"]
    turns += [german, arabic, *others]
    await shelf.keep(*(turn(f"r{n}", text, answer="") for n, text in enumerate(turns)))
    assert await shelf.found(query=query, limit=1) == [found]
    assert await shelf.found(query="zebra") == []
    assert await shelf.found(query="umbrella", order="oldest") == ["Where is my umbrella?"]


@pytest.mark.req("MEM-6")
async def test_archive_finds_turns_of_a_span_of_days(shelf: Shelf) -> None:
    """Both days included; of many turns some from all over the span, the first among them."""
    await shelf.keep(*(turn(f"r{number}", f"Question {number}?") for number in range(10)))
    day = (TODAY - timedelta(days=9)).date()
    assert await shelf.found(since=day, until=day) == ["Question 0?"]
    assert await shelf.found(until=day + timedelta(days=1)) == ["Question 0?", "Question 1?"]
    spread = await shelf.found(since=day, limit=3)
    assert (len(spread), spread[0]) == (3, "Question 0?")
    assert await shelf.found(since=date(2027, 1, 1)) == []


@pytest.mark.req("MEM-3", "MEM-6")
async def test_archive_finds_only_the_users_own_turns(shelf: Shelf) -> None:
    """Users 4, 42 and 420 may have asked the same."""
    for user_id in (4, 42, 420):
        theirs = turn(
            question=f"Umbrella of {user_id}?", user_id=user_id, thread_id=f"tg:{user_id}"
        )
        await shelf.archive.keep([theirs], awaits_fold=True)
    assert await shelf.found(query="umbrella of 420") == ["Umbrella of 42?"]
    for order in ("oldest", "newest", "nearest"):
        assert await shelf.found(order=order) == ["Umbrella of 42?"]
    assert len(await shelf.archive.to_fold(42, [])) == 1


async def test_archive_takes_text_that_postgres_refuses(shelf: Shelf) -> None:
    """NUL and lone surrogates are dropped, everything else is kept."""
    await shelf.archive.keep([turn(question="a\x00b\ud800", answer="\udfff日本 🙂")])
    assert await shelf.archive.fold(42, fold(turn("r2"), after="s\x00\udc00"))
    (kept, _) = await shelf.archive.search(42, PastQuestion(), 9)
    assert (kept.question, kept.answer) == ("ab", "日本 🙂")
    assert await shelf.summary() == "s"


SPACE = VectorSpace("m", 3)
KNOWN = LanguageTrust("english", "LATIN", 60, 60, 60, 60, 1.0)
SAID = {
    "Where do I buy a kettle?": [1.0, 0.0, 0.0],
    "Is the harbour open today?": [0.0, 1.0, 0.0],
    "Can a parrot read?": [0.0, 0.0, 1.0],
}


async def _with_vectors(shelf: Shelf) -> None:
    """Three turns, an hour and more apart, with vectors in one space."""
    await shelf.keep(*(turn(f"r{n}", text, answer="") for n, text in enumerate(SAID)))
    missing = await shelf.archive.without_vector(42, SPACE, 9)
    assert set(missing.values()) == set(SAID)
    vectors = {number: SAID[text] for number, text in missing.items()}
    await shelf.archive.add_vectors(42, SPACE, vectors)
    assert await shelf.archive.without_vector(42, SPACE, 9) == {}


async def _near(shelf: Shelf, vector: list[float], query: str = "zebra") -> list[str]:
    wanted, meaning = PastQuestion(query), Meaning(vector, SPACE)
    return [one.question for one in await shelf.archive.search(42, wanted, 3, meaning)]


@pytest.mark.req("MEM-6")
async def test_archive_finds_turns_by_meaning(shelf: Shelf) -> None:
    """Without a word in common; nothing for what is far from all that was said."""
    await _with_vectors(shelf)
    await shelf.archive.note_trusts(SPACE, [KNOWN])
    assert await _near(shelf, [0.0, 1.0, 0.0]) == ["Is the harbour open today?"]
    assert await _near(shelf, [-1.0, 0.0, 0.0]) == []
    assert await _near(shelf, [0.0, 1.0, 0.0], "the kettle") != []


@pytest.mark.req("MEM-6")
@pytest.mark.parametrize("learned", [(), (dataclasses.replace(KNOWN, share=0.0),)])
async def test_words_decide_where_the_model_does_not_know_the_language(
    shelf: Shelf, learned: tuple[LanguageTrust, ...]
) -> None:
    """It was not judged in any, or judged badly: its vectors outweigh no word."""
    await _with_vectors(shelf)
    if learned:
        await shelf.archive.note_trusts(SPACE, learned)
    found = await _near(shelf, [0.0, 0.0, 1.0], "Where is a kettle?")
    assert "Where do I buy a kettle?" in found
    assert not learned or (await shelf.archive.trusts(SPACE))[0].is_unknown


@pytest.mark.req("MEM-6")
async def test_archive_drops_vectors_of_another_space(shelf: Shelf) -> None:
    """A turn has one vector; with a new model all await one again."""
    await _with_vectors(shelf)
    other = VectorSpace("n", 2)
    missing = await shelf.archive.without_vector(42, other, 2)
    assert len(missing) == 2
    await shelf.archive.add_vectors(42, other, {key: [1.0, 0.0] for key in missing})
    assert len(await shelf.archive.with_vector(42, other, 9)) == 2
    assert len(await shelf.archive.with_vector(42, SPACE, 9)) == 1


async def test_archive_gives_turns_by_their_requests(shelf: Shelf) -> None:
    """No turn of another user; the oldest first."""
    theirs = turn("r9", "Not mine?", user_id=43, thread_id="tg:43")
    await shelf.archive.keep([turn("r1", "One?"), turn("r2", "Two?"), theirs])
    found = await shelf.archive.turns(42, ["r2", "r1", "r9", "r7"])
    assert [one.question for one in found] == ["One?", "Two?"]


LONG = " ".join(f"{number:064d}" for number in range(20_000))[:1_000_000]
"""Long words, because what they cost grows with their number."""


@pytest.mark.parametrize("way", ["record", "keep", "fold", "begin_anew"])
async def test_turn_of_a_million_characters_is_prepared_in_a_thread(
    database_url: str, way: str
) -> None:
    """Of the work on its words the loop does none, and no lane or memory is held meanwhile."""
    turn = dataclasses.replace(make.turn_record(way), answer=LONG)
    async with open_pool(database_url, max_size=4) as pool:
        archive = PostgresArchive(pool)
        writings: dict[str, Callable[[], Awaitable[object]]] = {
            "record": lambda: PostgresTranscript(pool).record(turn),
            "keep": lambda: archive.keep([turn]),
            "fold": lambda: archive.fold(42, Fold([turn], "", "They count.")),
            "begin_anew": lambda: archive.begin_anew(42, [turn]),
        }
        term_counts("What takes long to load is loaded.")
        began, all_began = time.thread_time(), time.process_time()
        await writings[way]()
        of_loop, of_all = time.thread_time() - began, time.process_time() - all_began
    assert of_loop < of_all / 2
