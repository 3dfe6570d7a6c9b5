"""Sixty messages as two people write them after a question about documents, in four languages."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from rich_agent.phrases import say
from tests.acceptance.parameters import some_of
from tests.acceptance.pictures import picture
from tests.acceptance.test_commands import labels, shown
from tests.acceptance.test_memory import texts
from tests.acceptance.world import (
    ROOT,
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.integration.sandbox_openai.serving import served
from tests.literal_model import LiteralModel, Meaning, NumberOf

pytestmark = pytest.mark.feature("agenda", "reminder")
Calls = Sequence[tuple[str, dict[str, Any]]]
MONDAY, TUESDAY, FRIDAY = "2099-01-05T09:00", "2099-01-06", "2099-01-09"
WEEKLY = f"{MONDAY} RRULE:FREQ=WEEKLY;BYDAY=MO"
SHEET: Mapping[str, str] = {
    "document_base64": base64.b64encode(b"item,price\nbread,2.50\n").decode("ascii"),
    "file_name": "prices.csv",
}
PRICE: Calls = [("query_tables", {"sql": "SELECT sum(price) FROM table1", "in_words": "price"})]
UNDO: Calls = [("undo_last_change", {})]
_USERS = count(9_620_001)


@dataclass(frozen=True, slots=True)
class Message:
    """A message of one of the two, what it means, and what it changes on their lists.

    An entry that is gone is None. `is_asked` is whether the act needs a card, `ends_card` whether
    the message passes one over. `says` is a part of the answer.
    """

    person: str
    text: str
    calls: Calls = ()
    after: Mapping[str, str | None] = field(default_factory=dict)
    says: str = ""
    fact: str = ""
    file: str = ""
    reply: str = "other"
    is_asked: bool = False
    ends_card: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


def remind(text: str, when: str) -> Calls:
    """A reminder."""
    return [("remind", {"text": text, "when": when})]


def add(*titles: str) -> Calls:
    """Tasks."""
    return [("create_task", {"title": title}) for title in titles]


def change(title: str, /, **fields: str) -> Calls:
    """A change of a task, whose number has to be looked up."""
    return [("get_tasks", {}), ("update_task", {"task_id": NumberOf(title), **fields})]


def delete(*titles: str) -> Calls:
    """The end of tasks."""
    return [
        ("get_tasks", {}),
        *(("delete_task", {"task_id": NumberOf(title)}) for title in titles),
    ]


def note(text: str) -> Calls:
    """A note."""
    return [("create_note", {"title": text, "content": text})]


def reminder(tool: str, title: str, /, **fields: str) -> Calls:
    """A change of a reminder."""
    return [("list_reminders", {}), (tool, {"schedule_id": NumberOf(title), **fields})]


PHOTO = {"photo": picture("red", "blue")}
TALKS: Mapping[str, tuple[str, Sequence[Message]]] = {
    "en": ("What is proof of history?", [
        Message("Ana", "remind me every monday at 9 to water the plants",
                remind("water the plants", WEEKLY), {"water the plants": "weekly"}),
        Message("Bo", "What is this?", more=PHOTO),
        Message("Ana", "add milk", add("milk"), {"milk": "todo"}),
        Message("Bo", "thanks!"),
        Message("Ana", "no, I meant oat milk", change("milk", title="oat milk"),
                {"milk": None, "oat milk": "todo"}),
        Message("Bo", "what does bread cost?", PRICE, says="2.5", file="prices.csv", more=SHEET),
        Message("Ana", "move it to Friday", change("oat milk", due_date=FRIDAY),
                {"oat milk": f"todo {FRIDAY}"}),
        Message("Bo", "put bread on my list then", add("bread"), {"bread": "todo"}),
        Message("Ana", "undo", UNDO, {"oat milk": "todo"}),
        Message("Bo", "delete the bread", delete("bread"), is_asked=True),
        Message("Ana", "got the oat milk", change("oat milk", status="done"), {"oat milk": "done"}),
        Message("Bo", "thank you", ends_card=True),
        Message("Ana", "note that the cabin code is 4417", note("the cabin code is 4417"),
                {"the cabin code is 4417": "note"}),
        Message("Bo", "yes"),
        Message("Ana", "I am allergic to peanuts", fact="I am allergic to peanuts",
                after={"I am allergic to peanuts": "fact"}),
    ]),
    "de": ("Was ist Staking?", [
        Message("Ana", "erinnere mich am Montag um 9 an Mama anrufen",
                remind("Mama anrufen", MONDAY), {"Mama anrufen": MONDAY}),
        Message("Bo", "Brot und Salz auf die Liste bitte", add("Brot", "Salz"),
                {"Brot": "todo", "Salz": "todo"}),
        Message("Ana", "lieber erst um 10",
                reminder("snooze_reminder", "Mama anrufen", until="2099-01-05T10:00"),
                {"Mama anrufen": "2099-01-05T10:00"}),
        Message("Bo", "Brot hab ich", change("Brot", status="done"), {"Brot": "done"}),
        Message("Ana", "danke dir!!"),
        Message("Bo", "mach das wieder rückgängig", UNDO, {"Brot": "todo"}),
        Message("Ana", "Was siehst du da?", more=PHOTO),
        Message("Bo", "nee, Sonnenblumenbrot", change("Brot", title="Sonnenblumenbrot"),
                {"Brot": None, "Sonnenblumenbrot": "todo"}),
        Message("Ana", "Ich wohne jetzt in Wien", fact="Ich wohne jetzt in Wien",
                after={"Ich wohne jetzt in Wien": "fact"}),
        Message("Bo", "lösch beides", delete("Sonnenblumenbrot", "Salz"), is_asked=True),
        Message("Ana", "ja"),
        Message("Bo", "Ja, mach das", after={"Sonnenblumenbrot": None, "Salz": None},
                reply="approves"),
        Message("Ana", "Was kostet Brot?", PRICE, says="2.5", file="prices.csv", more=SHEET),
        Message("Bo", "ok"),
        Message("Ana", "Mama anrufen kannst du streichen",
                reminder("cancel_reminder", "Mama anrufen"), {"Mama anrufen": None}),
    ]),
    "ja": ("プルーフ・オブ・ヒストリーとは何ですか？", [
        Message("Ana", "毎週月曜の9時に植物に水をやるのをリマインドして",
                remind("植物に水をやる", WEEKLY), {"植物に水をやる": "weekly"}),
        Message("Bo", "これは何？", more=PHOTO),
        Message("Ana", "牛乳をリストに追加して", add("牛乳"), {"牛乳": "todo"}),
        Message("Bo", "ありがとう"),
        Message("Ana", "いや、豆乳だった", change("牛乳", title="豆乳"),
                {"牛乳": None, "豆乳": "todo"}),
        Message("Bo", "パンはいくら？", PRICE, says="2.5", file="prices.csv", more=SHEET),
        Message("Ana", "金曜日に変更して", change("豆乳", due_date=FRIDAY),
                {"豆乳": f"todo {FRIDAY}"}),
        Message("Bo", "じゃあパンも買うとメモして", note("パンも買う"), {"パンも買う": "note"}),
        Message("Ana", "元に戻して", UNDO, {"豆乳": "todo"}),
        Message("Bo", "歯医者に電話、を追加", add("歯医者に電話"), {"歯医者に電話": "todo"}),
        Message("Ana", "豆乳買ったよ", change("豆乳", status="done"), {"豆乳": "done"}),
        Message("Bo", "それ消して", delete("歯医者に電話"), is_asked=True),
        Message("Ana", "はい"),
        Message("Bo", "ありがとうね", ends_card=True),
        Message("Ana", "ピーナッツアレルギーです", fact="ピーナッツアレルギーです",
                after={"ピーナッツアレルギーです": "fact"}),
    ]),
    "ar": ("ما هو التخزين في سولانا؟", [
        Message("Ana", "ذكرني يوم الاثنين الساعة 9 أن أتصل بأمي",
                remind("أتصل بأمي", MONDAY), {"أتصل بأمي": MONDAY}),
        Message("Bo", "أضف خبز وملح إلى القائمة", add("خبز", "ملح"),
                {"خبز": "todo", "ملح": "todo"}),
        Message("Ana", "لا، يوم الثلاثاء أفضل",
                reminder("snooze_reminder", "أتصل بأمي", until=f"{TUESDAY}T09:00"),
                {"أتصل بأمي": f"{TUESDAY}T09:00"}),
        Message("Bo", "اشتريت الخبز", change("خبز", status="done"), {"خبز": "done"}),
        Message("Ana", "شكرا جزيلا"),
        Message("Bo", "تراجع عن ذلك", UNDO, {"خبز": "todo"}),
        Message("Ana", "ما هذا؟", more=PHOTO),
        Message("Bo", "لا، خبز أسمر", change("خبز", title="خبز أسمر"),
                {"خبز": None, "خبز أسمر": "todo"}),
        Message("Ana", "أنا أسكن في عمان الآن", fact="أنا أسكن في عمان الآن",
                after={"أنا أسكن في عمان الآن": "fact"}),
        Message("Bo", "احذف الملح", delete("ملح"), is_asked=True),
        Message("Ana", "كم سعر الخبز؟", PRICE, says="2.5", file="prices.csv", more=SHEET),
        Message("Bo", "نعم", after={"ملح": None}, reply="approves"),
        Message("Ana", "طيب"),
        Message("Bo", "انقل الخبز إلى الجمعة", change("خبز أسمر", due_date=FRIDAY),
                {"خبز أسمر": f"todo {FRIDAY}"}),
        Message("Ana", "ألغ التذكير", reminder("cancel_reminder", "أتصل بأمي"),
                {"أتصل بأمي": None}),
    ]),
}  # fmt: skip


def _meanings() -> Mapping[str, Meaning]:
    made = {}
    for language, (question, messages) in TALKS.items():
        made[question] = Meaning(language, documents=question)
        for one in messages:
            made[one.text] = Meaning(
                language, one.calls, fact=one.fact, file=one.file, reply=one.reply
            )
    return made


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """A running bot with the sample documents, and a model that does what its prompt says.

    It has stand-ins of its own: another bot of these tests asks theirs for updates.
    """
    with (
        running_sandbox(ROOT / "sample" / "solana", ROOT / "docs") as sandbox,
        database_server.database(with_samples) as url,
        served(LiteralModel(_meanings()).app()) as model,
    ):
        settings = environment(
            sandbox.url,
            url,
            OPENAI_BASE_URL=f"{model}/v1",
            EMBEDDING_BASE_URL=f"{sandbox.url}/v1",
            EMBEDDING_API_KEY="sandbox",
            CHAT_MODEL="literal",
            VISION_MODEL="literal",
        )
        with running_bot(settings):
            yield World(sandbox, settings, url)


def lists(world: World, user: int) -> dict[str, str]:
    """Everything that the user keeps: a task's status and date, a reminder's time, and the rest."""
    tasks = world.rows(
        "SELECT title, concat_ws(' ', status, due_date) AS state FROM tasks"
        " WHERE user_id = %s AND deleted_at IS NULL",
        user,
    )
    reminders = world.rows(
        "SELECT text AS title, CASE WHEN rrule <> '' THEN 'weekly' ELSE to_char("
        "next_at AT TIME ZONE tz, 'YYYY-MM-DD\"T\"HH24:MI') END AS state FROM schedules"
        " WHERE user_id = %s AND status = 'active'",
        user,
    )
    notes = world.rows(
        "SELECT content AS title, 'note' AS state FROM notes"
        " WHERE user_id = %s AND deleted_at IS NULL",
        user,
    )
    kept = {row["title"]: row["state"] for row in (*tasks, *reminders, *notes)}
    return kept | dict.fromkeys(texts(world, user), "fact")


def test_everyday_messages_are_sixty() -> None:
    """Fifteen in each language, of both people, with photos and files."""
    assert [len(messages) for _, messages in TALKS.values()] == [15] * 4
    for _, messages in TALKS.values():
        assert {one.person for one in messages} == {"Ana", "Bo"}
        assert any("photo" in one.more for one in messages)
        assert any(one.file for one in messages)


@pytest.mark.costs("it is a talk of dozens of messages")
@pytest.mark.req("ACT-1", "ACT-2")
@pytest.mark.parametrize("language", some_of(TALKS, "en", "ja"))
def test_everyday_message_has_its_answer_or_its_act(world: World, language: str) -> None:
    """Nothing is asked that a person would not expect; the lists of both hold what was said."""
    question, messages = TALKS[language]
    people = {name: next(_USERS) for name in ("Ana", "Bo")}
    expected: dict[str, dict[str, str | None]] = {name: {} for name in people}
    for user in people.values():
        world.ask(user, "/timezone Berlin", language_code=language)
        assert "[1]" in world.ask(user, question, language_code=language)["text"]
    open_cards: dict[str, int] = {}
    for one in messages:
        user = people[one.person]
        reply = world.ask(user, one.text, language_code=language, **one.more)
        about = (one.text, reply["text"])
        assert (say(language, "approve-yes") in labels(reply)) is one.is_asked, about
        assert one.says in reply["text"], about
        assert ("✓" in reply["text"]) is bool(one.after and not one.fact), about
        if one.ends_card:
            card = shown(world.sandbox.chat(user), open_cards[one.person])
            assert card["text"].endswith(say(language, "card-not-done")), card["text"]
        if one.is_asked:
            open_cards[one.person] = reply["message_id"]
        expected[one.person] |= one.after
        for name, kept in expected.items():
            left = {title: state for title, state in kept.items() if state}
            kept_by = people[name]
            wait_until(
                lambda: lists(world, kept_by) == left or None,  # noqa: B023 - waited for at once
                f"after {about}: {left} of {name}, not {lists(world, kept_by)}",
                20,
            )
