"""Wishes as people say them after others' words were read: no card, and no card ends silently."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from rich_agent.phrases import say
from tests.acceptance.pictures import picture
from tests.acceptance.scripting import calling
from tests.acceptance.test_acting import asked, settled, titles, two_tasks
from tests.acceptance.test_commands import labels, press, shown
from tests.acceptance.world import World

Call = tuple[str, dict[str, Any]]
WEEKLY = "2026-11-30T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO"
TALKS: Mapping[str, list[tuple[str, Call | None]]] = {
    "en": [
        ("remind me every monday at 9 to water the plants",
         ("remind", {"text": "Water the plants", "when": WEEKLY})),
        ("add milk", ("create_task", {"title": "Milk"})),
        ("thanks", None),
        ("move it to Friday", ("update_task", {"task_id": 0, "due_date": "2026-12-04"})),
        ("milk is done", ("update_task", {"task_id": 0, "status": "done"})),
        ("undo", ("undo_last_change", {})),
    ],
    "de": [
        ("erinnere mich jeden Montag um 9 daran, die Pflanzen zu gießen",
         ("remind", {"text": "Pflanzen gießen", "when": WEEKLY})),
        ("setz Milch auf die Liste", ("create_task", {"title": "Milch"})),
        ("danke", None),
        ("verschieb es auf Freitag", ("update_task", {"task_id": 0, "due_date": "2026-12-04"})),
        ("mach das rückgängig", ("undo_last_change", {})),
    ],
    "ja": [
        ("毎週月曜の9時に植物に水をやるのをリマインドして",
         ("remind", {"text": "植物に水をやる", "when": WEEKLY})),
        ("牛乳をリストに追加して", ("create_task", {"title": "牛乳"})),
        ("金曜日に変更して", ("update_task", {"task_id": 0, "due_date": "2026-12-04"})),
        ("元に戻して", ("undo_last_change", {})),
    ],
    "ar": [
        ("ذكرني كل يوم اثنين الساعة 9 بأن أسقي النباتات",
         ("remind", {"text": "سقي النباتات", "when": WEEKLY})),
        ("أضف حليب إلى القائمة", ("create_task", {"title": "حليب"})),
        ("انقلها إلى يوم الجمعة", ("update_task", {"task_id": 0, "due_date": "2026-12-04"})),
        ("تراجع عن ذلك", ("undo_last_change", {})),
    ],
}  # fmt: skip


def script(world: World, text: str, call: Call | None, task: int) -> None:
    """Have the model plan an act by the message alone, make the call, and say that it is done."""
    if call is None:
        return
    name, arguments = call
    given = {**arguments, **({"task_id": task} if "task_id" in arguments else {})}
    said = json.dumps(f">{text}<", ensure_ascii=False)[1:-1]
    plan = {"intent": "general_question", "plan": "direct", "web": "never", "action": True}
    steps = {"steps": [{"tool": name, "given": [], "written": []}]}
    for form, told in (("new_request", plan), ("steps", steps)):
        parts = [said, f'"{form}"']
        fault = {"method": "chat.completions", "containing": parts, "text": json.dumps(told)}
        world.sandbox.fail("openai", "scripted", **fault)
    world.sandbox.script(text, calling(name, **given), "OK.")


@pytest.mark.req("ACT-1")
@pytest.mark.parametrize("language", TALKS)
def test_everyday_wishes_need_no_card_after_a_question_and_a_photo(
    world: World, user: int, language: str
) -> None:
    """An answer quoted others, and an own photo was seen; each wish is done and told in a line."""
    world.ask(user, "/timezone Berlin")
    assert "[1]" in world.ask(user, "What is proof of history?")["text"]
    world.ask(user, "What is it?", photo=picture("red", "blue", seed=user))
    approve, task = say(language, "approve-yes"), 0
    for text, call in TALKS[language]:
        script(world, text, call, task)
        reply = world.ask(user, text, language_code=language)
        assert approve not in labels(reply), (text, reply["text"])
        assert call is None or "✓" in reply["text"], (text, reply["text"])
        world.sandbox.recover()
        rows = world.rows("SELECT id FROM tasks WHERE user_id = %s ORDER BY id DESC", user)
        task = rows[0]["id"] if rows else 0


@pytest.mark.req("ACT-2")
@pytest.mark.parametrize("words", ["yes", "Approve", "はい"])
def test_card_is_approved_in_words(world: World, user: int, words: str) -> None:
    """As by its button; the card says so and has none any more."""
    card = asked(world, user, two_tasks(), "Both are on your list.")
    world.ask(user, words)
    assert titles(world, user) == ["Bread", "Salt"]
    decided = shown(world.sandbox.chat(user), card["message_id"])
    assert decided["text"].endswith("✓ Approve")
    assert labels(decided) == []


@pytest.mark.req("ACT-2")
@pytest.mark.parametrize("words", ["thanks", "/today"])
def test_card_that_is_passed_over_says_that_it_was_not_done(
    world: World, user: int, words: str
) -> None:
    """By another message, or by a command: nothing dies silently."""
    card = asked(world, user, two_tasks(), "As you like.")
    world.ask(user, words)
    settled(world, user)
    assert titles(world, user) == []
    ended = shown(world.sandbox.chat(user), card["message_id"])
    assert ended["text"].endswith("✗ Not done.")
    assert labels(ended) == []
    assert "■" in ended["text"]


def test_open_session_is_left_by_the_button_below_the_refusal(world: World, user: int) -> None:
    """A second /plan says that one is open, and has the button that each of its steps has."""
    world.ask(user, "/plan")
    refusal = world.ask(user, "/plan")
    assert labels(refusal) == [say("en", "tool-complete_ceremony")]
    press(world, user, refusal, labels(refusal)[0])
    assert "is cancelled" in settled(world, user)["text"]
