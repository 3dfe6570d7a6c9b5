"""Wishes to be reminded, as the stand-in reads them: in English, and in the languages of tests."""

from datetime import datetime

import pytest

from rich_agent_sandbox.model.prompt import Act, Prompt
from rich_agent_sandbox.model.reminding import call_for, is_wish, planned_reminders, read_wish
from rich_agent_sandbox.model.request import FunctionSpec

NOW = datetime(2026, 11, 26, 8, 20)  # noqa: DTZ001 - local
EIGHT = "2026-11-27T08:00"
OFFERED = [FunctionSpec(name="remind"), FunctionSpec(name="request_more_information")]
AT_EIGHT = "It is now Thursday, 2026-11-26 08:20 in Europe/Berlin."


@pytest.mark.parametrize(
    ("said", "text", "when"),
    [
        ("remind me tomorrow at eight", "Reminder", EIGHT),
        ("remind me tomorrow at eight to call mum", "Call mum", EIGHT),
        ("Remind me in a minute to stretch", "Stretch", "PT1M"),
        ("in two hours remind me that the cake is done", "The cake is done", "PT2H"),
        ("remind me to call the dentist at nine", "Call the dentist", "2026-11-26T09:00"),
        ("remind me on friday at 3pm to call", "Call", "2026-11-27T15:00"),
        ("morgen um acht an den Arzt erinnern", "Arzt", EIGHT),
        ("Kannst du mich morgen um acht an den Arzt erinnern?", "Arzt", EIGHT),
        ("Erinnere mich in 5 Minuten ans Dehnen", "Dehnen", "PT5M"),
        ("Erinner mich in einer Minute", "Erinnerung", "PT1M"),
        ("herinner me over een minuut aan de oven", "Oven", "PT1M"),
        ("przypomnij mi jutro o 8 rano o lekach", "Lekach", EIGHT),
        ("напомни завтра в 8 утра про врача", "Врача", EIGHT),
        ("bir dakika sonra fırını kapatmamı hatırlat", "Fırını kapatmamı", "PT1M"),
        ("recuérdame mañana a las ocho ir al médico", "Ir al médico", EIGHT),
        ("Recuérdame en un minuto beber agua", "Beber agua", "PT1M"),
        ("rappelle-moi demain à huit heures d’aller au bureau", "Aller au bureau", EIGHT),
        ("Rappelle-moi dans une minute de boire", "Boire", "PT1M"),
        ("Ricordami domani alle otto di comprare il pane", "Comprare il pane", EIGHT),
        ("lembre-me amanhã às oito de pagar a conta", "Pagar a conta", EIGHT),
        ("明日8時に病院とリマインドして", "病院", EIGHT),
        ("5分後にストレッチをリマインドして", "ストレッチ", "PT5M"),
        ("1分後にストレッチを知らせて", "ストレッチ", "PT1M"),
        ("明日8時に病院を通知してください", "病院", EIGHT),
        ("明天八点提醒我看医生", "看医生", EIGHT),
        ("一分钟后提醒我喝水", "喝水", "PT1M"),
        ("मुझे कल आठ बजे डॉक्टर की याद दिलाना", "डॉक्टर", EIGHT),
        ("एक मिनट में मुझे पानी पीने की याद दिलाओ", "पानी पीने", "PT1M"),
        ("ذكّرني غدًا الساعة الثامنة بالطبيب", "الطبيب", EIGHT),
        ("ذكرني بعد 5 دقائق بالتمدد", "التمدد", "PT5M"),
        (
            "remind me every Monday at 9 to take out the bins",
            "Take out the bins",
            "2026-11-30T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO",
        ),
        (
            "毎週月曜日9時にゴミとリマインドして",
            "ゴミ",
            "2026-11-30T09:00 RRULE:FREQ=WEEKLY;BYDAY=MO",
        ),
        ("remind me to buy milk", "Buy milk", ""),
        ("remind me at 25:70", "Reminder", ""),
    ],
)
def test_wish_has_its_text_and_its_time(said: str, text: str, when: str) -> None:
    """Neither loses words to the other, and a time of day is that which was said."""
    wish = read_wish(said, NOW)
    assert wish is not None
    assert (wish.text, wish.when) == (text, when)


@pytest.mark.parametrize(
    "said", ["What did you remind me of?", "叫我小明", "水を飲む", "tomorrow at eight", ""]
)
def test_other_words_are_no_wish(said: str) -> None:
    """A question about a reminder, a name, and a time alone."""
    assert not is_wish(said)


def test_place_that_answers_a_question_goes_along() -> None:
    """The wish is read as it was, and the place of a sentence is handed to the tool."""
    prompt = Prompt(
        "remind me tomorrow at 8\nI'm in Berlin, Germany",
        AT_EIGHT,
        asked_back="In which city are you?",
        answer_to_it="I'm in Berlin, Germany",
    )
    wanted = {"text": "Reminder", "when": EIGHT, "time_zone": "Berlin, Germany"}
    assert call_for(prompt, OFFERED) == ("remind", wanted)


def test_wish_is_read_again_by_the_day_that_a_result_tells() -> None:
    """Once: then the reminder is set, or it failed."""
    refused = '{"error": "Not set yet.", "now": "2026-11-27T02:02", "time_zone": "Asia/Tokyo"}'
    again = Prompt("remind me tomorrow at 8", AT_EIGHT, acts=(Act("remind", refused),))
    assert call_for(again, OFFERED) == ("remind", {"text": "Reminder", "when": "2026-11-28T08:00"})
    done = Prompt("remind me tomorrow at 8", AT_EIGHT, acts=(Act("remind", '{"text": "x"}'),))
    assert call_for(done, OFFERED) is None


def test_wish_without_a_time_asks_for_it_once() -> None:
    """In the user's language; what they answer is the time."""
    prompt = Prompt("erinnere mich an den Arzt", AT_EIGHT)
    asked = call_for(prompt, OFFERED)
    assert asked == ("request_more_information", {"question": "Wann soll ich dich erinnern?"})
    answered = Act("request_more_information", "The user was asked, and says:\nmorgen um acht")
    prompt = Prompt("erinnere mich an den Arzt", AT_EIGHT, acts=(answered,))
    assert call_for(prompt, OFFERED) == ("remind", {"text": "Arzt", "when": EIGHT})


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ("remind me every monday at 9 to water the plants", [True]),
        ("remind me tomorrow at 8 to call mum", [False]),
        ("What is staking?", []),
    ],
)
def test_planned_reminder_says_whether_it_repeats(said: str, steps: list[bool]) -> None:
    """One call, of what the message asks for by itself."""
    planned = planned_reminders(said)
    assert [(one["tool"], one["repeats"]) for one in planned] == [("remind", on) for on in steps]


@pytest.mark.parametrize(
    "said",
    [
        "remind me every second tuesday at 18:30 to take the bins out",
        "remind me next monday at noon about the meeting",
    ],
)
def test_wish_with_words_that_no_form_explains_is_none(said: str) -> None:
    """Rather none than one with a wrong time or title."""
    assert read_wish(said, NOW) is None
    assert not is_wish(said)
