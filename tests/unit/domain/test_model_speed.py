"""The speed of a model, and the calls that it allows."""

import pytest

from rich_agent.domain.model_speed import (
    PATIENCE_S,
    CallPolicy,
    ModelSpeed,
    OptionalCalls,
    SpeedRecord,
    TimedCall,
    unknown_speed,
)

READ, WRITTEN = 200.0, 50.0
LAPTOP, HOSTED = ModelSpeed(READ, WRITTEN), ModelSpeed(2_000.0, 80.0)
LOOK_TOKENS = 1_800


def timed(read: int, written: int, *, is_whole: bool = False) -> TimedCall:
    """A call of the laptop's model."""
    writing_s = written / WRITTEN
    seconds = read / READ + writing_s
    return TimedCall(read, written, seconds, None if is_whole else writing_s)


def record_of(*calls: TimedCall) -> SpeedRecord:
    """The record after these calls."""
    record = SpeedRecord()
    for call in calls:
        record.add(call)
    return record


def test_speed_is_read_from_streams_and_from_whole_answers() -> None:
    """A stream shows both speeds; with them the parts of a whole answer's time are known."""
    for call in (timed(1_500, 100), timed(600, 40, is_whole=True)):
        speed = record_of(timed(1_500, 100), call).speed()
        assert speed is not None
        assert (speed.read, speed.written) == pytest.approx((READ, WRITTEN))


def test_first_whole_answer_predicts_one_like_it() -> None:
    """Before any stream, all of its time counts as reading."""
    plan = timed(1_500, 100, is_whole=True)
    speed = record_of(plan).speed()
    assert speed is not None
    assert speed.seconds(1_500, 100) == pytest.approx(plan.seconds)


@pytest.mark.parametrize("calls", [[], [timed(40, 100)], [TimedCall(1_500, 0, 0.0)]])
def test_speed_is_unknown_before_a_long_prompt(calls: list[TimedCall]) -> None:
    """With a short prompt, the way to the server takes longer than the reading."""
    assert record_of(*calls).speed() is None


def test_one_slow_call_among_many_changes_little() -> None:
    """A server that loads its model once is not slow for long."""
    calls = [timed(1_500, 100) for _ in range(5)]
    loading = TimedCall(1_500, 100, 60.0, 2.0)
    speed = record_of(*calls, loading).speed()
    assert speed is not None
    assert speed.read == pytest.approx(READ)


def test_record_follows_a_server_that_became_fast() -> None:
    """Only the last calls count."""
    fast = TimedCall(1_500, 100, 1_500 / 2_000 + 100 / 80, 100 / 80)
    speed = record_of(*[timed(1_500, 100)] * 9, *[fast] * 8).speed()
    assert speed is not None
    assert (speed.read, speed.written) == pytest.approx((2_000, 80))


@pytest.mark.parametrize(
    ("speed", "waited_s", "fits"),
    [
        (LAPTOP, 0.0, False),
        (HOSTED, 2.0, True),
        (HOSTED, PATIENCE_S, False),
        (None, 60.0, True),
    ],
)
def test_further_search_has_to_leave_time_for_the_first_word(
    speed: ModelSpeed | None, waited_s: float, *, fits: bool
) -> None:
    """1,800 tokens at 200 a second are 9 s, and the answer's model reads as many."""
    calls = OptionalCalls("auto", lambda: speed, lambda: speed)
    assert calls.fit_before_answer(LOOK_TOKENS, 60, waited_s) is fits


@pytest.mark.parametrize(("within_s", "fits"), [(15.0, True), (11.0, False)])
def test_call_after_the_answer_has_a_deadline_of_its_own(within_s: float, *, fits: bool) -> None:
    """2,000 tokens at 200 a second and 120 at 50 are 12.4 s."""
    assert OptionalCalls("auto", lambda: LAPTOP).fit(2_000, 120, within_s) is fits


@pytest.mark.parametrize(("policy", "fits"), [("always", True), ("never", False)])
def test_operator_decides_before_the_speed_does(policy: CallPolicy, *, fits: bool) -> None:
    """Whatever was measured, or if nothing was."""
    for speed in (unknown_speed, lambda: LAPTOP, lambda: HOSTED):
        calls = OptionalCalls(policy, speed, speed)
        assert calls.fit_before_answer(LOOK_TOKENS, 60, 0.0) is fits
        assert calls.fit(2_000, 120, 15.0) is fits
