"""Cards that wait for approval as a message of Telegram: verbatim, within its limits, and whole."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings

from rich_agent.domain.text import utf16_length
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.deliver.asking_back import card_file, question_message
from rich_agent.telegram.deliver.messenger import ReplyTarget
from rich_agent.turns.events import QuestionAsked
from tests.shown_cards import NAME, TITLE, VALUE, shown_in
from tests.unit.domain.test_approval_cards import CALLS, cards, same

TARGET = ReplyTarget(1, 2, "en")
ASKED = say("en", "approve-calls")


def asked(calls: list[tuple[str, dict[str, Any]]]) -> QuestionAsked:
    """A question for the approval of calls."""
    return QuestionAsked("tg:1", ASKED, ("Approve", "Cancel"), "0" * 16, cards=cards(calls))


def kinds_of_lines(message: RenderedMessage) -> list[tuple[str, set[str]]]:
    """Each line, with the entities over all of it."""
    found, at = [], 0
    for line in message.text.split("\n"):
        end = at + utf16_length(line)
        over = {e.type for e in message.entities if e.offset <= at and end <= e.offset + e.length}
        found.append((line, over))
        at = end + 1
    return found


LONG = "Alice, for the flat " * 85


@pytest.mark.costs("it tries many examples")
@settings(max_examples=120, deadline=None)
@example([("bank: Pay", {"to": LONG, "amount": 99_999})])
@example([("@A00", {})])
@example([("https://evil.example", {"@mallory": "/start #tag www.evil.example"})])
@example([("pay", {f"{'n' * 200}{n}": "x\n" * 50 for n in range(300)})] * 10)
@example([("pay", {"a": "\U0001f600" * 3_000, "b": "\U000e0041" * 900})])
@given(CALLS)
def test_telegram_shows_all_of_a_call_or_sends_it_as_a_file(
    calls: list[tuple[str, dict[str, Any]]],
) -> None:
    """Within 4,000 units and 100 entities; names and values are code, nothing is a link."""
    question = asked(calls)
    message, file = question_message(question, TARGET), card_file(question, TARGET)
    assert utf16_length(message.text) <= 4_000
    assert len(message.entities) <= 100
    assert [button.text for button in message.buttons[0]] == ["Approve", "Adjust", "Cancel"]
    assert {entity.type for entity in message.entities} <= {"bold", "code", "pre"}
    for line, over in kinds_of_lines(message):
        assert line[:2] != NAME or "code" in over
        assert line[:2] != VALUE or "pre" in over
        is_parted = any(sign in line for sign in ("://", ".", "@"))  # so that it is no link
        assert line[:2] != TITLE or over & {"bold", "code"} or is_parted
    whole = [(title or "pay", arguments) for title, arguments in calls]
    assert same(shown_in(file.content if file else message.text), whole)


def test_telegram_shows_what_is_short_beside_what_is_long() -> None:
    """An amount behind 1,700 characters is seen, and how much of them is not, and where that is."""
    shown = question_message(asked([("Pay", {"to": LONG * 3, "amount": 99_999})]), TARGET).text
    assert "• amount\n│ 99999" in shown
    assert "More characters: " in shown
    assert say("en", "card-in-file") in shown


@pytest.mark.parametrize(
    ("question", "calls"),
    [
        ("\U0001f600" * 3_000, [("Pay", {"to": "Alice"})]),
        (" ".join(f"http://{n}.example" for n in range(150)), [("Pay", {"to": "Alice"})]),
        (ASKED, [(f"{n} " + "\U0001f600" * 200, {"to": "Alice"}) for n in range(20)]),
        (ASKED, [(f"https://{n}.example/" * 6, {"to": LONG}) for n in range(20)]),
        (LONG * 3, [("\U0001f600" * 200, {"n" * 200: "x\n" * 50})] * 20),
    ],
    ids=["long question", "links", "long titles", "titles that are links", "all of it"],
)
def test_telegram_has_room_for_any_question_and_any_number_of_cards(
    question: str, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    """The rest is in the file, below what was heard and with the decision behind it."""
    heard = " ".join(f"{n}.example" for n in range(60))
    target, wanted = replace(TARGET, media_text=heard), replace(asked(calls), question=question)
    message, file = question_message(wanted, target), card_file(wanted, target)
    assert utf16_length(message.text) <= 4_000
    assert len(message.entities) <= 100
    assert say("en", "card-in-file") in message.text
    shown = len(shown_in(message.text))
    assert shown == len(calls) or f"… (+{len(calls) - shown})" in message.text
    assert file
    assert file.content.startswith(f"{question}\n")
    assert same(shown_in(file.content), [(title, arguments) for title, arguments in calls])
