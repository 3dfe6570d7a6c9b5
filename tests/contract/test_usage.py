"""One suite for the record of use in PostgreSQL and for its twin."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from rich_agent.domain.usage_limits import Call, DailyLimits, DailyUsage, Payer, Usage
from rich_agent.errors import DailyLimitError, TurnDrainedError
from rich_agent.ports.usage import HOLD_S, UsageLedger
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.usage import PostgresUsageLedger
from rich_agent.runtime.concurrency import run_all
from rich_agent.runtime.metering import Billing
from tests.twins.usage import InMemoryUsageLedger

ADA, BOB = 42, 43
TURN = 1_000
LOCKS = 0x75736167
PLAN = Call("text", "small", tokens=300)
LOOK = Call("vision", "eyes", tokens=900, images=1)
SEARCH = Call("search", "tavily", searches=1)


def turn(number: int = 1, user_id: int = ADA) -> Payer:
    """A turn of a user."""
    return Payer(user_id, f"tg:{number}")


@dataclass(frozen=True, slots=True)
class Book:
    """A ledger, and a way to make all that it holds older."""

    ledger: UsageLedger
    age: Callable[[timedelta], Awaitable[None]]

    async def use(self, payer: Payer, call: Call, usage: Usage) -> None:
        """A turn of one call, without a limit."""
        made = await self.ledger.reserve(payer, call, TURN, DailyLimits())
        await self.ledger.settle(payer, {made: usage}, is_over=True)

    async def standing(self, user_id: int = ADA) -> DailyUsage:
        """The user's day."""
        return await self.ledger.standing(user_id)


@pytest.fixture(params=["postgres", "in_memory"])
async def book(request: pytest.FixtureRequest) -> AsyncIterator[Book]:
    """Nothing used."""
    if request.param == "in_memory":
        late = timedelta()
        ledger = InMemoryUsageLedger(lambda: datetime.now(UTC) + late)

        async def wait(by: timedelta) -> None:
            nonlocal late
            late += by

        yield Book(ledger, wait)
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=8) as pool:

        async def age(by: timedelta) -> None:
            async with pool.connection() as connection:
                await connection.execute(
                    "UPDATE usage_days SET day = day - %s::int", (by // timedelta(days=1),)
                )
                await connection.execute(
                    "UPDATE usage_reservations SET reserved_at = reserved_at - %s", (by,)
                )

        yield Book(PostgresUsageLedger(pool), age)


async def test_usage_counts_what_the_server_told(book: Book) -> None:
    """By user, day, kind and model; the estimate is gone with the reservation."""
    told = Usage(1, 0, 250, 100, 40, cache_write_tokens=30)
    await book.use(turn(1), PLAN, told)
    await book.use(turn(2), PLAN, told)
    await book.use(turn(3), SEARCH, SEARCH.estimate)
    await book.use(turn(4, BOB), PLAN, told)
    standing = await book.standing()
    assert standing.used == Usage(3, 0, 500, 200, 80, searches=1, cache_write_tokens=60)
    assert standing.used.tokens == 580
    assert (standing.held.tokens, standing.held.searches) == (0, 0)
    assert timedelta() < standing.resets_at - standing.now <= timedelta(days=1)
    lines = await book.ledger.lines(days=1)
    assert [(line.user_id, line.kind, line.model, line.usage.calls) for line in lines] == [
        (ADA, "search", "tavily", 1),
        (ADA, "text", "small", 2),
        (BOB, "text", "small", 1),
    ]


async def test_usage_of_a_refused_call_is_nothing(book: Book) -> None:
    """Not even a call is counted."""
    await book.use(turn(), PLAN, Usage())
    assert (await book.standing()).used == Usage()
    assert await book.ledger.lines(days=1) == []


async def test_usage_is_settled_once(book: Book) -> None:
    """A number that is settled already changes nothing."""
    made = await book.ledger.reserve(turn(), PLAN, TURN, DailyLimits())
    for _ in range(2):
        await book.ledger.settle(turn(1), {made: Usage(1, 0, 10)}, is_over=False)
    assert (await book.standing()).used == Usage(1, 0, 10)


async def test_usage_reserves_a_whole_turn_at_its_first_call(book: Book) -> None:
    """The calls of the turn draw on it; what begins is finished, also over the limit."""
    limits = DailyLimits(tokens=1_200)
    made = await book.ledger.reserve(turn(1), PLAN, TURN, limits)
    assert (await book.standing()).held.tokens == TURN
    with pytest.raises(DailyLimitError) as refused:
        await book.ledger.reserve(turn(2), PLAN, TURN, limits)
    assert (refused.value.resource, refused.value.limit) == ("tokens", 1_200)
    assert 0 < refused.value.left_s <= 86_400
    await book.ledger.settle(turn(1), {made: Usage(1, 0, 1_150)}, is_over=False)
    await book.ledger.reserve(turn(1), PLAN, TURN, limits)
    await book.ledger.settle(turn(1), {}, is_over=True)
    assert (await book.standing()).held.tokens == 0


async def test_usage_gives_back_what_a_turn_did_not_use(book: Book) -> None:
    """The next turn has room again."""
    limits = DailyLimits(tokens=1_200)
    made = await book.ledger.reserve(turn(1), PLAN, TURN, limits)
    await book.ledger.settle(turn(1), {made: Usage(1, 0, 100)}, is_over=True)
    await book.ledger.reserve(turn(2), PLAN, TURN, limits)


async def test_usage_lets_a_turn_larger_than_the_limit_have_a_whole_day(book: Book) -> None:
    """A small limit is not a ban: one turn fits as long as nothing else was used."""
    limits = DailyLimits(tokens=50)
    made = await book.ledger.reserve(turn(1), PLAN, TURN, limits)
    await book.ledger.settle(turn(1), {made: Usage(1, 0, 1)}, is_over=True)
    with pytest.raises(DailyLimitError):
        await book.ledger.reserve(turn(2), PLAN, TURN, limits)


@pytest.mark.req("COST-1")
@pytest.mark.parametrize(
    ("call", "limits", "fitting"),
    [
        (PLAN, DailyLimits(tokens=7_500), 7),
        (LOOK, DailyLimits(images=5), 5),
        (SEARCH, DailyLimits(searches=3), 3),
        (Call("tool", "office", tool_calls=1), DailyLimits(tool_calls=4), 4),
    ],
)
async def test_usage_limits_hold_for_fifty_turns_at_once(
    book: Book, call: Call, limits: DailyLimits, fitting: int
) -> None:
    """As many are let through as fit, and another user has a day of their own."""

    async def attempt(number: int) -> bool:
        try:
            await book.ledger.reserve(turn(number), call, TURN, limits)
        except DailyLimitError:
            return False
        return True

    let_through = await run_all(attempt(number) for number in range(50))
    assert sum(let_through) == fitting
    await book.ledger.reserve(turn(1, BOB), call, TURN, limits)


@pytest.mark.req("COST-1")
async def test_usage_of_a_call_that_a_crash_cut_off_is_paid_for_with_its_turn(
    book: Book,
) -> None:
    """The retry goes on with what was reserved; in the end both calls are paid for, once."""
    limits = DailyLimits(tokens=1_000)
    await book.ledger.reserve(turn(), PLAN, TURN, limits)
    again = await book.ledger.reserve(turn(), PLAN, TURN, limits)
    assert (await book.standing()).held.tokens == TURN
    await book.ledger.settle(turn(1), {again: Usage(1, 0, 250)}, is_over=False)
    for _ in range(2):
        await book.ledger.settle(turn(), {}, is_over=True)
    assert (await book.standing()).used == Usage(2, 1, 250 + 300)


@pytest.mark.parametrize("ending", [TurnDrainedError(), asyncio.CancelledError()])
async def test_usage_of_a_turn_that_goes_on_elsewhere_is_charged_so_far(
    book: Book, ending: BaseException
) -> None:
    """By what its calls used, with the rest of its reservation and its open call still held."""

    async def begin() -> None:
        async with Billing(book.ledger, turn_tokens=TURN).of_turn(turn(), "") as meter:
            used = await meter.open(PLAN, "N4")
            used.report(read=100, output=20)
            await meter.settle(used)
            assert (await book.standing()).used == Usage()
            await meter.open(PLAN, "N6")
            raise ending

    with pytest.raises(type(ending)):
        await begin()
    standing = await book.standing()
    assert (standing.used.tokens, standing.held.tokens) == (120, TURN - 300)


async def test_usage_of_a_turn_that_nobody_takes_up_again_is_settled_in_the_end(
    book: Book,
) -> None:
    """The reserve that it held is free after an hour; the next pruning charges its open call."""
    limits = DailyLimits(tokens=1_300, images=1)
    await book.ledger.reserve(turn(1), LOOK, TURN, limits)
    with pytest.raises(DailyLimitError):
        await book.ledger.reserve(turn(2), PLAN, TURN, limits)
    await book.age(timedelta(seconds=HOLD_S + 1))
    await book.ledger.prune(days=1_000)
    assert (await book.standing()).used == Usage(1, 1, 900, images=1)
    assert (await book.standing()).held.tokens == 0


async def test_usage_begins_anew_with_the_day(book: Book) -> None:
    """Yesterday's use does not count today, but is still listed."""
    limits = DailyLimits(searches=1)
    await book.use(turn(1), SEARCH, SEARCH.estimate)
    with pytest.raises(DailyLimitError):
        await book.ledger.reserve(turn(2), SEARCH, TURN, limits)
    await book.age(timedelta(days=1))
    await book.ledger.reserve(turn(2), SEARCH, TURN, limits)
    assert await book.ledger.lines(days=1) == []
    assert len(await book.ledger.lines(days=2)) == 1


async def test_usage_is_pruned_by_age(book: Book) -> None:
    """Whole days; today stays."""
    await book.use(turn(1), PLAN, Usage(1, 0, 10))
    await book.age(timedelta(days=3))
    await book.use(turn(2), PLAN, Usage(1, 0, 10))
    assert await book.ledger.prune(days=3) == 0
    assert await book.ledger.prune(days=2) == 1
    assert [line.usage.calls for line in await book.ledger.lines(days=10)] == [1]


async def test_usage_of_a_turn_that_goes_on_waits_for_nobody(database_url: str) -> None:
    """Its first call was admitted under the lock of its user; a later one needs no lock."""
    async with open_pool(database_url, max_size=2) as pool:
        ledger, limits = PostgresUsageLedger(pool), DailyLimits(tokens=TURN)
        await ledger.reserve(turn(), PLAN, TURN, limits)
        with psycopg.connect(database_url) as other:
            other.execute("SELECT pg_advisory_xact_lock(%s, hashint8(%s))", (LOCKS, ADA))
            async with asyncio.timeout(10):
                await ledger.reserve(turn(), PLAN, 0, limits)
        assert (await ledger.standing(ADA)).held.input_tokens == TURN
