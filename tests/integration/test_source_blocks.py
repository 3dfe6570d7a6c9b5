"""The block of an answer's sources: whose passages it has, and when that is decided."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rich_agent.chat_commands.feedback import OpenedPassages
from rich_agent.chat_commands.replies import PressReply, PressRequest
from rich_agent.documents.registry.spaces import PostgresSpaceRegistry
from rich_agent.domain.answer.citation import Citation, Decision
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.domain.message import User
from rich_agent.phrases import say
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from tests.contract.test_passages import Shelf, vector
from tests.twins.knowledge import InMemoryDecisions

USER, UPDATE = 7, 12
SPACES = ("Red", "Blue", "")
LONG = "The lamp of this house is red. " * 30


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    """A database without documents."""
    async with open_pool(database_url, max_size=2) as opened:
        yield opened


class House:
    """Three documents, two of them in spaces, and an answer of the user that cites them."""

    def __init__(self, pool: Pool) -> None:
        self.pool, self.registry = pool, PostgresSpaceRegistry(pool)
        self.decisions, self.ids = InMemoryDecisions(), list[str]()
        self.opened = OpenedPassages(self.decisions, PostgresSourceCatalogue(pool), lambda: True)

    async def fill(self, *texts: str) -> None:
        """Store the documents, and the answer."""
        shelf, request = Shelf(self.pool), f"tg:{UPDATE}"
        for number, (space, text) in enumerate(zip(SPACES, texts, strict=True)):
            if space:
                await self.registry.add(space, [f"user:{USER}"])
            source = await shelf.add_source(f"s{number}", space=space)
            words = f"# Title {number}\n\n## Part\n\n{text}"
            self.ids += await shelf.put(source, f"s{number}", words, [vector(1, number / 9)])
        cited = [
            Citation(number, one, "document", "", "", f"Title {number - 1}", "Part")
            for number, one in enumerate(self.ids, start=1)
        ]
        web = "https://a.example/page"
        cited.append(Citation(4, "web:1", "web", web, web, "A page", ""))
        self.decisions.cited[USER, request] = cited
        retrieved = [{"id": one.id, "cited": True} for one in cited]
        decision = Decision(f"tg:{USER}", request, "question", "rag", "", retrieved=retrieved)
        await self.decisions.record(decision)

    async def press(
        self, number: int, user: int = USER, block: LivingBlock | None = None
    ) -> PressReply:
        """Press the button of a document."""
        data = f"passage1:{UPDATE}:{self.ids[number]}"
        return await self.opened.press(
            PressRequest(data, User(user), 1, (), UPDATE + 1, locale="en", block=block)
        )


@pytest.fixture
async def house(pool: Pool) -> House:
    """The three documents."""
    made = House(pool)
    await made.fill(LONG, "Blue is the door.", "The roof is open to everybody.")
    return made


async def block(house: House, number: int) -> LivingBlock:
    """The block that a press sends."""
    below = (await house.press(number)).below
    assert below is not None
    assert below.living is not None
    return below.living


async def test_press_shows_all_sources_with_their_passages(house: House) -> None:
    """The one that was asked for is open; what was cut can be read; today's message is as ever."""
    shown = await block(house, 1)
    assert [row.text for row in shown.rows] == [
        *("[1] Title 0 › Part", "[2] Title 1 › Part", "[3] Title 2 › Part"),
        f"[4] {say('en', 'source-web', label='A page')}",
    ]
    assert [row.mark for row in shown.rows] == ["", "current", "", ""]
    assert shown.rows[1].body == "Blue is the door."
    assert shown.rows[3].body == ""
    assert shown.rows[3].details == "a.example"
    (whole,) = shown.rows[0].actions
    assert whole.data == f"passage1:{UPDATE}:{house.ids[0]}"
    assert [row.actions for row in shown.rows[1:]] == [(), (), ()]
    assert len(shown.rows[0].body) < len(LONG)
    plain = OpenedPassages(house.decisions, house.opened.catalogue)
    reply = await plain.press(
        PressRequest(f"passage1:{UPDATE}:{house.ids[1]}", User(USER), 1, (), 13, locale="en")
    )
    sent = (await house.press(1)).below
    assert sent is not None
    assert reply.below == replace(sent, living=None)


async def test_passages_that_the_reader_lost_are_not_in_a_later_block(house: House) -> None:
    """Nor is the name of their document, and a press on them says that they are gone."""
    shown = await block(house, 1)
    await house.registry.add("Red", (), [f"user:{USER}"])
    later = await block(house, 1)
    assert [row.key for row in later.rows] == [*house.ids[1:], "web:1"]
    gone = PressReply(say("en", "passage-gone"))
    assert await house.press(0) == gone
    assert await house.press(0, block=shown) == gone


async def test_press_in_the_block_sends_the_whole_passage(house: House) -> None:
    """As the message of the button below an answer, without a second block."""
    shown = await block(house, 1)
    below = (await house.press(0, block=shown)).below
    assert below is not None
    assert below.living is None
    assert LONG.strip() in below.text


async def test_press_of_somebody_else_shows_nothing(house: House) -> None:
    """The answer is not theirs, although everybody may read the document."""
    assert await house.press(2, user=8) == PressReply(say("en", "passage-gone"))


async def test_one_passage_is_no_block(house: House) -> None:
    """It is the message itself."""
    for space in ("Red", "Blue"):
        await house.registry.add(space, (), [f"user:{USER}"])
    below = (await house.press(2)).below
    assert below is not None
    assert below.living is None
    assert "open to everybody" in below.text
