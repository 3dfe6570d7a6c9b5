"""The measured speed of a model, and what follows from it, as doctor reports them."""

import math
from dataclasses import replace

import pytest

from rich_agent.commands.diagnosis.model_trials import tell_speed
from rich_agent.domain.model_speed import CallPolicy, ModelSpeed, OptionalCalls
from rich_agent.settings.settings import Settings
from tests import make

LAPTOP, HOSTED = ModelSpeed(100.0, 10.0), ModelSpeed(2_000.0, math.inf)
LEFT_OUT = (
    "the planner's model reads 100 tokens a second and writes 10; a further search takes 38 s. "
    "Left out: further searches, checks of answers, lessons before the next message"
)


@pytest.mark.parametrize(
    ("policy", "speed", "level", "detail"),
    [
        ("auto", LAPTOP, "warn", LEFT_OUT),
        ("always", LAPTOP, "ok", LEFT_OUT.split(";", maxsplit=1)[0]),
        ("auto", HOSTED, "ok", "the planner's model reads 2,000 tokens a second"),
    ],
)
def test_doctor_tells_the_speed_and_what_is_left_out(
    policy: CallPolicy, speed: ModelSpeed, level: str, detail: str
) -> None:
    """2,800 tokens at 100 a second and 100 at 10 are 38 s; a fast server leaves out nothing."""
    calls = OptionalCalls(policy, lambda: speed, lambda: speed)
    services = replace(make.Fakes().services(), optional_calls=calls)
    (result,) = tell_speed(Settings.load(openai_api_key="none"), services)
    assert (result.level, result.detail) == (level, detail)
    assert ("OPTIONAL_CALLS=always" in (result.hint or "")) is (level == "warn")


def test_doctor_tells_no_speed_that_was_not_measured() -> None:
    """Nothing is said about a model that answered too short a prompt."""
    assert tell_speed(Settings.load(openai_api_key="none"), make.Fakes().services()) == []
