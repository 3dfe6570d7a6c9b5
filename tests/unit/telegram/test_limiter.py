import pytest
from typing_extensions import override

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.telegram.deliver.limiter import REFUSED_S, UNTOLD_S, Limiter
from tests.twins.sending import InMemorySendingRate


class Clock:
    """Time that passes only when someone sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    """A clock at rest."""
    return Clock()


@pytest.fixture
def limiter(clock: Clock) -> Limiter:
    """A limiter with the rates of production."""
    return Limiter(InMemorySendingRate(clock=clock), clock=clock, sleep=clock.sleep)


async def test_limiter_lets_four_messages_go_at_once(limiter: Limiter, clock: Clock) -> None:
    """A short burst, then one a second."""
    assert [await limiter.try_take(1) for _ in range(5)] == [True, True, True, True, False]
    clock.now += 1
    assert [await limiter.try_take(1) for _ in range(2)] == [True, False]


async def test_limiter_keeps_room_for_what_matters_more(limiter: Limiter, clock: Clock) -> None:
    """A message that leaves two to spare stops when two are left; an answer's end goes at once."""
    assert [await limiter.try_take(1, spare=2) for _ in range(3)] == [True, True, False]
    assert await limiter.try_take(1)
    clock.now += 2
    assert await limiter.try_take(1, spare=2)


async def test_limiter_makes_a_final_message_wait(limiter: Limiter, clock: Clock) -> None:
    """The tenth message goes six seconds after the first."""
    for _ in range(10):
        await limiter.take(1)
    assert clock.now == pytest.approx(106, abs=0.01)


async def test_limiter_holds_thirty_a_second_over_all_chats(limiter: Limiter, clock: Clock) -> None:
    """Many chats share one allowance."""
    assert sum([await limiter.try_take(chat) for chat in range(100)]) == 30
    clock.now += 1
    assert sum([await limiter.try_take(chat) for chat in range(100, 200)]) == 30


async def test_limiter_keeps_room_for_beginnings_and_ends_in_a_crowd(limiter: Limiter) -> None:
    """A growing text leaves six of all thirty, a status three, and a first text none."""
    growing = sum([await limiter.try_take(chat, spare=2) for chat in range(100)])
    statuses = sum([await limiter.try_take(chat, spare=1) for chat in range(100, 200)])
    first_texts = sum([await limiter.try_take(chat) for chat in range(200, 300)])
    assert (growing, statuses, first_texts) == (24, 3, 3)


class Asked(InMemorySendingRate):
    """Counts how often it is asked."""

    asked = 0

    @override
    async def try_take(self, spare: int = 0) -> bool:
        self.asked += 1
        return await super().try_take(spare)


async def test_limiter_asks_for_all_chats_again_only_after_a_while(clock: Clock) -> None:
    """A refusal holds for every chat: many answers grow at once, and each tries all the time."""
    total = Asked(clock=clock)
    limiter = Limiter(total, clock=clock, sleep=clock.sleep)
    taken = sum([await limiter.try_take(chat, spare=2) for chat in range(100)])
    assert total.asked == taken + 1
    clock.now += REFUSED_S
    assert await limiter.try_take(1, spare=2)


@pytest.mark.parametrize("retry_after_s", [1, 30, 300])
async def test_limiter_closes_only_the_chat_of_a_429(
    limiter: Limiter, clock: Clock, retry_after_s: float
) -> None:
    """The others do not even notice, neither a new one nor one that was written to before."""
    assert await limiter.try_take(2)
    limiter.penalize(1, retry_after_s)
    assert not await limiter.try_take(1)
    assert await limiter.try_take(2)
    assert await limiter.try_take(3)
    await limiter.take(1)
    assert clock.now == pytest.approx(100 + retry_after_s)


async def test_limiter_forgets_idle_chats(clock: Clock) -> None:
    """The limiter's memory is bounded for a bot with many users."""
    limiter = Limiter(InMemorySendingRate(1e9), clock=clock, sleep=clock.sleep)
    for chat in range(10_000):
        await limiter.try_take(chat)
    clock.now += 60
    await limiter.try_take(10_001)
    assert len(limiter._chats) == 1


async def test_limiters_of_two_processes_send_no_more_than_one(clock: Clock) -> None:
    """For a minute, both with more to send than they may; neither waits for the other's sake."""
    total = InMemorySendingRate(clock=clock)
    both = [Limiter(total, clock=clock, sleep=clock.sleep) for _ in range(2)]
    sent = [0, 0]
    for chat in range(30 + 60 * 30):
        await both[chat % 2].take(chat)
        sent[chat % 2] += 1
    assert clock.now == pytest.approx(160, abs=0.1)
    assert sent[0] == sent[1]


async def test_limiter_lets_what_waits_go_first(limiter: Limiter) -> None:
    """While a message has the next moment, an edit that could wait does not take it."""
    for chat in range(30):
        assert await limiter.try_take(chat)
    await limiter._queue.acquire()
    assert not await limiter.try_take(31)
    limiter._queue.release()


async def test_limiter_goes_on_slowly_without_the_database(clock: Clock) -> None:
    """A message may go each second, whatever the other processes do; edits wait."""

    class Away(InMemorySendingRate):
        @override
        async def reserve(self) -> float:
            raise DatabaseUnavailableError("away")

    limiter = Limiter(Away(clock=clock), clock=clock, sleep=clock.sleep)
    for chat in range(5):
        await limiter.take(chat)
    assert clock.now == 100 + 5 * UNTOLD_S
    with pytest.raises(DatabaseUnavailableError):
        await limiter.try_take(1)
