"""When a worker takes a further turn."""

import asyncio
import time

from rich_agent.runtime.concurrency import alongside, happens_within
from rich_agent.telegram.serve.admission import AdmissionLimits, TurnAdmission

LIMITS = AdmissionLimits(lag_s=0.05, look_s=0.01, burst=2)


async def _admits(admission: TurnAdmission, times: int = 1) -> bool:
    done = asyncio.Event()

    async def admit() -> None:
        for _ in range(times):
            await admission.admit()
        done.set()

    async with alongside(admit()):
        return await happens_within(done, 0.3)


async def test_admission_takes_a_burst_and_then_measures() -> None:
    """Without a measurement there is one burst; with measurements it goes on."""
    admission = TurnAdmission(limits=LIMITS)
    assert await _admits(admission, LIMITS.burst)
    assert not await _admits(admission)
    async with alongside(admission.measure()):
        assert await _admits(admission, 3 * LIMITS.burst)


async def test_admission_closes_while_the_loop_lags_and_opens_again() -> None:
    """A loop that is held up admits nobody; a free one does."""
    admission = TurnAdmission(limits=LIMITS)
    async with alongside(admission.measure()):
        while admission.lag_s <= LIMITS.lag_s:
            await asyncio.sleep(0)
            time.sleep(0.2)  # noqa: ASYNC251 - the load itself
        admission.lag_s = 1e9
        assert not await _admits(admission)
        admission.lag_s = 2 * LIMITS.lag_s
        assert await _admits(admission)


async def test_admission_waits_for_what_is_strained() -> None:
    """A pool with a long queue keeps further turns out."""
    queues = [True]
    admission = TurnAdmission(lambda: queues[0], LIMITS)
    async with alongside(admission.measure()):
        assert not await _admits(admission)
        queues[0] = False
        assert await _admits(admission)
