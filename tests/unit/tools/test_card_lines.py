"""Cards of everyday calls in one line, and the calls that have none."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rich_agent.domain.approving.cards import ApprovalCard, card_text
from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.domain.tools import ToolCall
from rich_agent.ports.tools import Asker
from rich_agent.times import Clocks
from rich_agent.tools.tool import Arguments, Tool
from rich_agent.tools.toolbox import Toolbox
from tests.own_tools import every_tool
from tests.scripted import ScriptedWeb
from tests.twins.tools import InMemoryToolExecutions

pytestmark = pytest.mark.feature("agenda", "reminder")
UNUSED: Any = None
"""A function that no card calls."""
ZONE = "Europe/Berlin"
TODAY = datetime.now(UTC).date()
MONDAY = TODAY + timedelta(days=14 - TODAY.weekday())
"""The Monday of the week after the next one, so that no year or zone matters."""
NINE = f"{MONDAY}T09:00"


async def task_name(_user_id: int, task_id: int) -> str:
    """The only task."""
    return "Bread" if task_id == 12 else ""


async def reminder_name(_user_id: int, _reminder_id: int) -> str:
    """Every reminder."""
    return "Water the plants"


class Result(Arguments):
    """A result of a session."""

    kind: str
    data: str


def toolbox() -> Toolbox:
    """The product's own tools, with names of a task and a reminder."""
    saving = Tool("save_result", "Save.", Result, UNUSED, "session")
    names = {"task_id": task_name, "parent_id": task_name, "schedule_id": reminder_name}
    tools = every_tool(ScriptedWeb(), more=[saving]).own.tools
    return Toolbox([replace(tool, names=names) for tool in tools], InMemoryToolExecutions())


async def card(locale: str, name: str, **arguments: object) -> ApprovalCard:
    """The card of a call."""
    return await toolbox().card(ToolCall("c", name, arguments), Asker(1, "t", "r", locale, ZONE))


def day(locale: str = "en", *, after: int = 0) -> str:
    """The Monday, or a day after it, as a card names it."""
    return Clocks(locale, ZONE).dated_day(MONDAY + timedelta(days=after))


EVERYDAY: Mapping[str, tuple[str, Mapping[str, object]]] = {
    f"Reminder: Water the plants – {day()}, 9:00 · every week": (
        "remind",
        {
            "text": "Water the plants",
            "when": f"{NINE} RRULE:FREQ=WEEKLY;BYDAY=MO",
            "kind": "reminder",
        },
    ),
    f"Reminder: Call mum – {day()}, 9:00 · Berlin": (
        "remind",
        {"text": "Call mum", "when": NINE, "time_zone": "Europe/Berlin"},
    ),
    "Add a task: Milk, eggs and bread": (
        "create_task",
        {"title": "Milk, eggs and bread", "priority": "medium", "due_date": None},
    ),
    f"Add a task: Rent · Due: {day()} · Repeats: every month × 12 · Duration: 2 hours": (
        "create_task",
        {
            "due_date": str(MONDAY),
            "title": "Rent",
            "recurrence": "FREQ=MONTHLY;COUNT=12",
            "estimated_minutes": 120,
        },
    ),
    f"Change a task: Bread · Due: {day(after=4)}": (
        "update_task",
        {"task_id": 12, "due_date": str(MONDAY + timedelta(days=4))},
    ),
    "Change a task: Bread · Due: none · Status: done": (
        "update_task",
        {"task_id": 12, "due_date": None, "status": "done"},
    ),
    "Delete a task: Bread": ("delete_task", {"task_id": 12}),
    f"Add to your schedule: write report · {day()}, 9:00–11:00": (
        "create_schedule_block",
        {
            "date": str(MONDAY),
            "start_time": "09:00",
            "duration_minutes": 120,
            "title": "write report",
            "block_type": "work",
        },
    ),
    "Write a note: Cabin · Text: The code is 4417.": (
        "create_note",
        {"title": "Cabin", "content": "The code is 4417."},
    ),
    f"Put a reminder off: Water the plants · Until: {day(after=1)}, 9:00": (
        "snooze_reminder",
        {"schedule_id": 3, "until": f"{MONDAY + timedelta(days=1)}T09:00"},
    ),
}
"""Ten acts of a day, by their cards."""


@pytest.mark.req("ACT-2")
@pytest.mark.parametrize("line", EVERYDAY, ids=range(len(EVERYDAY)))
async def test_card_of_an_everyday_call_is_one_line(line: str) -> None:
    """It says what is done, as the line does that confirms it, and keeps all of it as data."""
    name, arguments = EVERYDAY[line]
    made = await card("en", name, **arguments)
    assert card_text([made]) == f"■ {line}"
    assert len(made.fields) == len(arguments)
    assert ApprovalCard.from_state(made.to_state()) == made


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
@pytest.mark.parametrize("line", EVERYDAY, ids=range(len(EVERYDAY)))
async def test_card_has_no_words_of_machines_in_any_language(line: str, locale: str) -> None:
    """Neither rules nor escapes, also from right to left."""
    name, arguments = EVERYDAY[line]
    text = card_text([await card(locale, name, **arguments)])
    assert "\n" not in text
    assert not any(sign in text for sign in ("\\", "FREQ", "RRULE", "_", "{", str(MONDAY)))


async def test_cards_of_several_calls_have_a_line_each() -> None:
    """More than a line can say of one stands below that line."""
    calls = [
        {"title": "Bread", "description": "Rye\nor spelt"},
        {"title": "Salt"},
    ]
    made = [await card("en", "create_task", **one) for one in calls]
    assert card_text(made).split("\n") == [
        "■ Add a task: Bread",
        "• Description",
        "│ Rye",
        "│ or spelt",
        "■ Add a task: Salt",
    ]


@pytest.mark.req("ACT-2")
async def test_card_shows_what_others_wrote_with_its_author() -> None:
    """Below the line that has it, too."""
    made = await card("en", "create_task", title="Pay Eve", due_date=str(MONDAY))
    made = made.with_sources(["Copied from: web page (evil.example)", ""])
    assert card_text([made]).split("\n") == [
        f"■ Add a task: Pay Eve · Due: {day()}",
        "• Title",
        "│ Pay Eve",
        "↳ Copied from: web page (evil.example)",
    ]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("create_task", {"title": f"Bread · Due: {MONDAY}", "priority": "urgent"}),
        ("remind", {"text": f"Call mum – {MONDAY}", "when": NINE}),
        ("create_task", {"title": "p\u0430ypal"}),
        ("create_task", {"title": "Bread\u202e"}),
        ("remind", {"text": "Call mum", "when": "at dawn"}),
        ("save_result", {"kind": "plan", "data": "Rest"}),
        ("search_web", {"query": "bread"}),
        ("no_such_tool", {"title": "Bread"}),
    ],
    ids=["dot", "dash", "imitation", "invisible", "no time", "not undone", "goes out", "unknown"],
)
async def test_card_without_one_meaning_shows_every_argument(
    name: str, arguments: dict[str, object]
) -> None:
    """A text that could pass for more of the line, and what leaves or stays, has the exact form."""
    made = await card("en", name, **arguments)
    assert made.line == ""
    assert len(made.rows) == len(arguments)


async def test_card_cuts_a_long_text_in_its_line_and_shows_it_below() -> None:
    """A prompt acts later in its own words, so its kind is shown."""
    text = " ".join(["Tell me the weather in Graz."] * 8)
    made = await card("en", "remind", text=text, when=NINE, kind="prompt", x=1)
    assert made.line.startswith("Reminder: Tell me the weather")
    assert f"… – {day()}, 9:00 · Kind: " in made.line
    assert [one.name for one in made.rows] == ["Text", "x"]


async def test_card_keeps_pictures_of_several_characters() -> None:
    """A heart in its own colour is no escape."""
    made = await card("en", "create_task", title="Buy ❤️ for 👨\u200d👩\u200d👧")
    assert card_text([made]) == "■ Add a task: Buy ❤️ for 👨\u200d👩\u200d👧"


async def test_card_keeps_texts_of_the_other_direction_together() -> None:
    """Numbers behind an Arabic title do not move into it."""
    made = await card("en", "create_task", title="خبز", estimated_minutes=30)
    assert made.line == "Add a task: \u2068خبز\u2069 · Duration: 30 minutes"
    assert "\u2068Milk\u2069" in (await card("ar", "create_task", title="Milk")).line
