"""A guided session of the stand-in: it comes to its end."""

import datetime as dt

import pytest

from rich_agent_sandbox.model.answering.small_talk import say
from rich_agent_sandbox.model.prompt import Act, Prompt, Turn
from rich_agent_sandbox.model.request import FunctionSpec
from rich_agent_sandbox.model.session import is_led, next_step
from rich_agent_sandbox.model.turns import Intended

END, SAVE, BLOCK = "complete_ceremony", "save_ceremony_output", "create_schedule_block"
PLANNING = [FunctionSpec(name=name) for name in ("get_tasks", BLOCK, SAVE, END)]
LISTENING = [FunctionSpec(name=name) for name in ("get_tasks", SAVE, END)]
ASKED = Turn("assistant", say("session_plan", "en"))
PROPOSED = Turn("assistant", "Like this?\n\n- 09:00–11:00 report\n- 11:00–12:00 gym")


def step(text: str, *turns: Turn, acts: tuple[Act, ...] = ()) -> list[Intended] | str:
    """The next step of a planning session, on a known day."""
    told = "Today is Sunday, 2026-11-22."
    return next_step(Prompt(text, told, turns=turns, acts=acts), PLANNING)


def test_session_is_known_by_its_tools() -> None:
    """Outside of one nothing ends it."""
    assert is_led(PLANNING)
    assert not is_led([FunctionSpec(name="get_tasks")])


def test_planning_looks_at_the_tasks_and_asks() -> None:
    """The tasks stand above the question."""
    assert step("Plan my day") == [Intended("get_tasks", {})]
    seen = Act("get_tasks", '[{"title": "Buy milk"}]')
    said = step("Plan my day", acts=(seen,))
    assert "Buy milk" in said
    assert str(said).endswith(say("session_plan", "en"))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("report 2 hours, gym 1 hour", ["09:00–11:00 report", "11:00–12:00 gym"]),
        ("Bericht 2 Std, Sport 30 Minuten", ["09:00–11:00 Bericht", "11:00–11:30 Sport"]),
        ("レポート2時間、ジム1時間", ["09:00–11:00 レポート", "11:00–12:00 ジム"]),
        ("report, gym, call the bank", ["09:00–10:00 report", "10:00–11:00 gym"]),
    ],
)
def test_planning_proposes_what_was_listed(text: str, lines: list[str]) -> None:
    """One after the other from nine, an hour where no length is told."""
    assert all(line in step(text, ASKED) for line in lines)


def test_planning_writes_what_was_agreed_on_and_ends() -> None:
    """The blocks first, which have to be approved, then the end, then a word."""
    written = step("yes", ASKED, PROPOSED)
    assert isinstance(written, list)
    assert [call.name for call in written] == [BLOCK, BLOCK]
    day = dt.date(2026, 11, 22).isoformat()
    times = {"start_time": "09:00", "duration_minutes": 120}
    assert written[0].arguments == {"date": day, **times, "title": "report"}
    kept = step("yes", ASKED, PROPOSED, acts=(Act(BLOCK, "{}"),))
    assert isinstance(kept, list)
    assert [call.name for call in kept] == [SAVE, END]
    over = step("yes", ASKED, PROPOSED, acts=(Act(BLOCK, "{}"), Act(END, "{}", 1)))
    assert over == say("session_done", "en")


def test_planning_moves_to_other_hours() -> None:
    """The same blocks, from the first of two hours."""
    assert "10:00–12:00 report" in step("10 to 17", ASKED, PROPOSED)


def test_other_sessions_listen_until_done() -> None:
    """Each thought is noted; what was said is kept."""
    first = next_step(Prompt("Look back with me", acts=(Act("get_tasks", "[]"),)), LISTENING)
    assert first == say("session_listen", "en")
    asked = (Turn("user", "Look back with me"), Turn("assistant", first))
    noted = next_step(Prompt("I slept well", turns=asked), LISTENING)
    assert "I slept well" in noted
    turns = (*asked, Turn("user", "I slept well"), Turn("assistant", str(noted)))
    kept = next_step(Prompt("done", turns=turns), LISTENING)
    assert isinstance(kept, list)
    assert [call.name for call in kept] == [SAVE, END]
    assert kept[0].arguments["data"] == ["I slept well"]
