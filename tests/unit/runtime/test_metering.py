"""The meter of a turn: calls one after the other, side by side, and after the first word."""

from dataclasses import dataclass, field

import pytest

from rich_agent.domain.usage_limits import Call, Usage
from rich_agent.runtime.metering import LateObserver, Meter

CHAT, VECTORS = Call("text", "m", tokens=10), Call("embedding", "v", tokens=10)


@dataclass(slots=True)
class _Turns:
    observed: list[tuple[int, int]] = field(default_factory=list)

    def observe(self, call: Call, usage: Usage) -> None:
        """Ignore a single call."""

    def observe_refusal(self, resource: str) -> None:
        """Ignore a limit."""

    def observe_turn(self, calls: int, calls_before_answer: int) -> None:
        """Keep the calls of a turn."""
        self.observed.append((calls, calls_before_answer))


async def _call(meter: Meter, call: Call = CHAT, *, is_refused: bool = False) -> None:
    receipt = await meter.open(call, "a node")
    if is_refused:
        receipt.refuse()
    await meter.settle(receipt)


@pytest.mark.req("OBS-1")
async def test_meter_counts_calls_in_a_row_up_to_the_first_word() -> None:
    """A plan, the answer, and after its first word a check: three calls, two waited for."""
    turns = _Turns()
    meter = Meter(observer=LateObserver(turns))
    await _call(meter)
    answer = await meter.open(CHAT, "a node")
    meter.begin_answer()
    await meter.settle(answer)
    meter.begin_answer()
    await _call(meter)
    assert meter.calls_before_answer == 2
    await meter.close()
    assert turns.observed == [(3, 2)]


async def test_meter_counts_calls_side_by_side_once() -> None:
    """A speculative answer runs while its turn is planned, and no user waits for both in turn."""
    meter = Meter()
    plan, answer = await meter.open(CHAT, "plan"), await meter.open(CHAT, "answer")
    await meter.settle(plan)
    meter.begin_answer()
    assert meter.calls_before_answer == 1
    await meter.settle(answer)


async def test_meter_leaves_out_refused_calls_and_embeddings() -> None:
    """A server that refuses a form reads no prompt, and an embedding is no prompt."""
    meter = Meter()
    await _call(meter, is_refused=True)
    await _call(meter, VECTORS)
    await _call(meter)
    meter.begin_answer()
    assert meter.calls_before_answer == 1


async def test_meter_of_a_turn_without_an_answer_observes_no_calls() -> None:
    """A lesson that is learnt later, or a turn that another process goes on with."""
    turns = _Turns()
    lesson, handed_over = Meter(observer=turns), Meter(observer=turns)
    await _call(lesson)
    await lesson.close()
    await _call(handed_over)
    handed_over.begin_answer()
    await handed_over.close(is_over=False)
    assert turns.observed == []


async def test_meter_of_a_fixed_answer_observes_no_call() -> None:
    """A greeting is answered without a model."""
    turns = _Turns()
    meter = Meter(observer=turns)
    meter.begin_answer()
    await meter.close()
    assert turns.observed == [(0, 0)]
