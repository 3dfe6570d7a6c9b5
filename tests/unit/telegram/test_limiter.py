import pytest

from rich_agent.telegram.deliver.limiter import Limiter, Rates


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
    return Limiter(clock=clock, sleep=clock.sleep)


def test_limiter_lets_four_messages_go_at_once(limiter: Limiter, clock: Clock) -> None:
    """A short burst, then one a second."""
    assert [limiter.try_take(1) for _ in range(5)] == [True, True, True, True, False]
    clock.now += 1
    assert [limiter.try_take(1) for _ in range(2)] == [True, False]


def test_limiter_keeps_room_for_what_matters_more(limiter: Limiter, clock: Clock) -> None:
    """What leaves two to spare stops when two are left; the end of an answer goes at once."""
    assert [limiter.try_take(1, spare=2) for _ in range(3)] == [True, True, False]
    assert limiter.try_take(1)
    clock.now += 2
    assert limiter.try_take(1, spare=2)


async def test_limiter_makes_a_final_message_wait(limiter: Limiter, clock: Clock) -> None:
    """The tenth message goes six seconds after the first."""
    for _ in range(10):
        await limiter.take(1)
    assert clock.now == pytest.approx(106, abs=0.01)


def test_limiter_holds_thirty_a_second_over_all_chats(limiter: Limiter, clock: Clock) -> None:
    """Many chats share one allowance."""
    assert sum(limiter.try_take(chat) for chat in range(100)) == 30
    clock.now += 1
    assert sum(limiter.try_take(chat) for chat in range(100, 200)) == 30


@pytest.mark.parametrize("retry_after_s", [1, 30, 300])
async def test_limiter_closes_only_the_chat_of_a_429(
    limiter: Limiter, clock: Clock, retry_after_s: float
) -> None:
    """The others do not even notice, neither a new one nor one that was written to before."""
    assert limiter.try_take(2)
    limiter.penalize(1, retry_after_s)
    assert not limiter.try_take(1)
    assert limiter.try_take(2)
    assert limiter.try_take(3)
    await limiter.take(1)
    assert clock.now == pytest.approx(100 + retry_after_s)


def test_limiter_forgets_idle_chats(clock: Clock) -> None:
    """The limiter's memory is bounded for a bot with many users."""
    limiter = Limiter(Rates(total_per_s=1e9, total_burst=1e9), clock=clock, sleep=clock.sleep)
    for chat in range(10_000):
        limiter.try_take(chat)
    clock.now += 60
    limiter.try_take(10_001)
    assert len(limiter._chats) == 1


def test_limiter_keeps_to_the_share_of_its_process(limiter: Limiter, clock: Clock) -> None:
    """From the moment at which it is told; what has come in is not more than the share either."""
    limiter.allot(3)
    assert sum(limiter.try_take(chat) for chat in range(100)) == 3
    clock.now += 1
    assert sum(limiter.try_take(chat) for chat in range(100)) == 3
    limiter.allot(30)
    clock.now += 1
    assert sum(limiter.try_take(chat) for chat in range(200, 300)) == 30


def test_limiter_with_the_least_share_still_sends(limiter: Limiter, clock: Clock) -> None:
    """One of a hundred processes: slowly, and not never."""
    limiter.allot(0.3)
    assert limiter.try_take(1)
    clock.now += 1
    assert not limiter.try_take(2)
    clock.now += 2.4
    assert limiter.try_take(2)


def test_limiter_tells_what_it_would_send_without_a_share(limiter: Limiter, clock: Clock) -> None:
    """What was sent, and each chat that waited for the others; not what its own chat's limit holds.

    Asked again it begins anew.
    """
    limiter.allot(2)
    for _ in range(3):
        for chat in range(5):
            limiter.try_take(chat)
    clock.now += 2
    assert limiter.wanted_per_s() == pytest.approx((2 + 5) / 2)
    assert limiter.wanted_per_s() == 0
    limiter.allot(30)
    clock.now += 2
    for _ in range(10):
        limiter.try_take(7)
    assert limiter.wanted_per_s() == pytest.approx(4 / 2)
