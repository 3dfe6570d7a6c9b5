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
class UnderTest:
    """The same questions twice: for a day, and with a time that is over at once."""

    clarifications: Clarifications
    impatient: Clarifications


@pytest.fixture(params=["postgres", "in_memory"])
async def under_test(request: pytest.FixtureRequest) -> AsyncIterator[UnderTest]:
    """Nothing was asked yet."""
    if request.param == "in_memory":
        twin = InMemoryClarifications()
        yield UnderTest(twin, InMemoryClarifications(open_s=0.0, _by_thread=twin._by_thread))
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=4) as pool:
        yield UnderTest(PostgresClarifications(pool, 86_400.0), PostgresClarifications(pool, 0.0))


@pytest.mark.req("INT-1")
async def test_question_is_taken_by_the_first_that_asks(under_test: UnderTest) -> None:
    """The same request may ask again, after a crash perhaps; another is refused."""
    await under_test.clarifications.open(ASKED)
    assert await under_test.clarifications.take(ASKED, "tg:101")
    assert await under_test.clarifications.take(ASKED, "tg:101")
    assert not await under_test.clarifications.take(ASKED, "tg:102")


async def test_question_that_nobody_asked_is_not_taken(under_test: UnderTest) -> None:
    """Neither another thread's, nor another turn's, nor another form of it."""
    await under_test.clarifications.open(ASKED)
    for other in (
        AskedBack("tg:43", "tg:100"),
        AskedBack("tg:42", "tg:99"),
        AskedBack("tg:42", "tg:100", revision=7),
    ):
        assert not await under_test.clarifications.take(other, "tg:101")


@pytest.mark.req("DUR-2")
async def test_question_opened_again_is_the_same(under_test: UnderTest) -> None:
    """A node that runs twice does not open what was answered; a new form of the question does."""
    await under_test.clarifications.open(ASKED)
    await under_test.clarifications.take(ASKED, "tg:101")
    await under_test.clarifications.open(ASKED)
    assert not await under_test.clarifications.take(ASKED, "tg:102")
    edited = AskedBack("tg:42", "tg:100", revision=7)
    await under_test.clarifications.open(edited)
    assert await under_test.clarifications.take(edited, "tg:102")


async def test_cancelled_question_is_open_no_more(under_test: UnderTest) -> None:
    """It is named once, so that its buttons can go."""
    assert await under_test.clarifications.cancel("tg:42") is None
    await under_test.clarifications.open(ASKED)
    assert await under_test.clarifications.cancel("tg:43") is None
    assert await under_test.clarifications.cancel("tg:42") == "tg:100"
    assert await under_test.clarifications.cancel("tg:42") is None
    assert not await under_test.clarifications.take(ASKED, "tg:101")


async def test_expired_question_is_neither_taken_nor_cancelled(under_test: UnderTest) -> None:
    """Its time is over; who had taken it before keeps it."""
    await under_test.clarifications.open(ASKED)
    assert not await under_test.impatient.take(ASKED, "tg:101")
    assert await under_test.impatient.cancel("tg:42") is None
    assert await under_test.clarifications.take(ASKED, "tg:101")
    assert await under_test.impatient.take(ASKED, "tg:101")
