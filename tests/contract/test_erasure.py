"""One suite for the erasure in PostgreSQL and for its twin."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from rich_agent.domain.answer.citation import Decision
from rich_agent.domain.memory.merging import Traces
from rich_agent.domain.routing.plan import PastQuestion
from rich_agent.ports.images import AskedImage, ImageAnswers
from rich_agent.ports.memories import Erased, Erasure
from rich_agent.ports.turns import Archive, Decisions, Transcript, TurnRecord
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.images import PostgresImageAnswers
from rich_agent.repositories.turns.archive import PostgresArchive
from rich_agent.repositories.turns.past_turns import PostgresDecisions, PostgresTranscript
from tests import make


@dataclass(frozen=True, slots=True)
class Kept:
    """The stores of what is kept, and what deletes of it."""

    transcript: Transcript
    archive: Archive
    decisions: Decisions
    image_answers: ImageAnswers
    erasure: Erasure

    async def texts(self, user_id: int = 42) -> list[str]:
        """All that is kept of a user's turns."""
        return [turn.text for turn in await self.erasure.turns(user_id)]


@pytest.fixture(params=["postgres", "twin"])
async def kept(request: pytest.FixtureRequest) -> AsyncIterator[Kept]:
    """An empty one, of each kind."""
    if request.param == "twin":
        cast = make.Fakes()
        yield Kept(cast.transcript, cast.archive, cast.decisions, cast.image_answers, cast.erasure)
        return
    url = request.getfixturevalue("database_url")
    async with open_pools(url, url, max_size=5) as databases:
        yield Kept(
            PostgresTranscript(databases.app),
            PostgresArchive(databases.app),
            PostgresDecisions(databases.rag),
            PostgresImageAnswers(databases.rag),
            PostgresErasure(databases),
        )


def turn(request_id: str, question: str, user_id: int = 42, reply: str = "") -> TurnRecord:
    """A finished turn; it may reply to something."""
    request = {"reply": {"text": reply, "quote": "", "photos": []}} if reply else {}
    return TurnRecord(
        user_id, f"tg:{user_id}", request_id, question, "It is so.", {}, request=request
    )


def decision(request_id: str, query: str) -> Decision:
    """A decision of user 42 that searched for something."""
    return Decision("tg:42", request_id, "general_question", "rag", f"about {query}", query)


@pytest.mark.req("MEM-6")
async def test_erasure_knows_every_turn_once(kept: Kept) -> None:
    """From the transcript and the archive, with what was replied to; of this user alone."""
    await kept.transcript.record(turn("r1", "I live here", reply="In Oslo?"))
    await kept.archive.keep([turn("r1", "I live here"), turn("r0", "Archived")])
    await kept.transcript.record(turn("r1", "Theirs", user_id=43))
    texts = await kept.texts()
    assert len(texts) == 2
    assert "In Oslo?" in "".join(texts)
    assert "Theirs" not in "".join(texts)


@pytest.mark.req("MEM-4", "MEM-6")
async def test_erasure_deletes_turns_wherever_they_are(kept: Kept) -> None:
    """From transcript, archive and decisions; twice is once, and other users keep theirs."""
    for record in (turn("r1", "I live in Oslo"), turn("r2", "Why?")):
        await kept.transcript.record(record)
        await kept.archive.keep([record])
        await kept.decisions.record(decision(record.request_id, record.question))
    await kept.transcript.record(turn("r1", "In Oslo too", user_id=43))
    for _ in range(2):
        await kept.erasure.erase(Erased(42, "tg:42", frozenset({"r1"})))
    assert [text.splitlines()[0] for text in await kept.texts()] == ["Why?"]
    found = await kept.archive.search(42, PastQuestion(order="oldest"), 9)
    assert [one.question for one in found] == ["Why?"]
    emptied, other = [await kept.decisions.find("tg:42", one) for one in ("r1", "r2")]
    assert emptied is not None
    assert (emptied.query, emptied.reason, emptied.plan) == ("", "", "rag")
    assert other is not None
    assert other.query == "Why?"
    assert len(await kept.texts(43)) == 1


@pytest.mark.req("MEM-4")
async def test_erasure_deletes_what_belongs_to_no_turn_by_its_words(kept: Kept) -> None:
    """Answers on images, and decisions on turns that never came to their end."""
    await kept.decisions.record(decision("r1", "diabetes in children"))
    await kept.transcript.record(turn("r2", "What is diabetes?"))
    await kept.decisions.record(decision("r2", "diabetes"))
    asked = [AskedImage("tg:42", str(n), "m", "q") for n in range(2)]
    await kept.image_answers.store(asked[0], "A letter on diabetes.")
    await kept.image_answers.store(asked[1], "A cat.")
    await kept.erasure.erase(Erased(42, "tg:42", traces=Traces.of(["diabetes"])))
    queries = [await kept.decisions.find("tg:42", one) for one in ("r1", "r2")]
    assert [one.query for one in queries if one] == ["", "diabetes"]
    assert [await kept.image_answers.find(one) for one in asked] == [None, "A cat."]


@pytest.mark.req("MEM-4")
async def test_erasure_of_everything_leaves_no_word(kept: Kept) -> None:
    """Nothing that was said; that there were turns is still known."""
    await kept.transcript.record(turn("r1", "I live in Oslo"))
    await kept.archive.keep([turn("r0", "Long ago")])
    await kept.decisions.record(decision("r1", "Oslo"))
    await kept.erasure.erase(Erased(42, "tg:42", everything=True))
    assert await kept.texts() == []
    left = await kept.decisions.find("tg:42", "r1")
    assert left is not None
    assert "Oslo" not in str(left)
