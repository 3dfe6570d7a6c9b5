"""One suite for the questions that the bot asked back, in PostgreSQL and for their twin."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from rich_agent.ports.turns import AskedBack, Clarifications
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.turns.clarifications import PostgresClarifications
from tests.twins.clarifications import InMemoryClarifications

ASKED = AskedBack("tg:42", "tg:100")


@dataclass(frozen=True, slots=True)
class Desk:
    """The same questions twice: for a day, and with a time that is over at once."""

    clarifications: Clarifications
    impatient: Clarifications


@pytest.fixture(params=["postgres", "in_memory"])
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    """Nothing was asked yet."""
    if request.param == "in_memory":
        twin = InMemoryClarifications()
        yield Desk(twin, InMemoryClarifications(open_s=0.0, _by_thread=twin._by_thread))
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield Desk(PostgresClarifications(pool, 86_400.0), PostgresClarifications(pool, 0.0))


@pytest.mark.req("INT-1")
async def test_question_is_taken_by_the_first_that_asks(desk: Desk) -> None:
    """The same request may ask again, after a crash perhaps; another is refused."""
    await desk.clarifications.open(ASKED)
    assert await desk.clarifications.take(ASKED, "tg:101")
    assert await desk.clarifications.take(ASKED, "tg:101")
    assert not await desk.clarifications.take(ASKED, "tg:102")


async def test_question_that_nobody_asked_is_not_taken(desk: Desk) -> None:
    """Neither another thread's, nor another turn's, nor another form of it."""
    await desk.clarifications.open(ASKED)
    for other in (
        AskedBack("tg:43", "tg:100"),
        AskedBack("tg:42", "tg:99"),
        AskedBack("tg:42", "tg:100", revision=7),
    ):
        assert not await desk.clarifications.take(other, "tg:101")


@pytest.mark.req("DUR-2")
async def test_question_opened_again_is_the_same(desk: Desk) -> None:
    """A node that runs twice does not open what was answered; a new form of the question does."""
    await desk.clarifications.open(ASKED)
    await desk.clarifications.take(ASKED, "tg:101")
    await desk.clarifications.open(ASKED)
    assert not await desk.clarifications.take(ASKED, "tg:102")
    edited = AskedBack("tg:42", "tg:100", revision=7)
    await desk.clarifications.open(edited)
    assert await desk.clarifications.take(edited, "tg:102")


async def test_cancelled_question_is_open_no_more(desk: Desk) -> None:
    """It is named once, so that its buttons can go."""
    assert await desk.clarifications.cancel("tg:42") is None
    await desk.clarifications.open(ASKED)
    assert await desk.clarifications.cancel("tg:43") is None
    assert await desk.clarifications.cancel("tg:42") == "tg:100"
    assert await desk.clarifications.cancel("tg:42") is None
    assert not await desk.clarifications.take(ASKED, "tg:101")


async def test_expired_question_is_neither_taken_nor_cancelled(desk: Desk) -> None:
    """Its time is over; who had taken it before keeps it."""
    await desk.clarifications.open(ASKED)
    assert not await desk.impatient.take(ASKED, "tg:101")
    assert await desk.impatient.cancel("tg:42") is None
    assert await desk.clarifications.take(ASKED, "tg:101")
    assert await desk.impatient.take(ASKED, "tg:101")
