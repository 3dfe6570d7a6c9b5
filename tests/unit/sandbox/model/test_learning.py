import pytest

from rich_agent_sandbox.model.language.days import today_in
from rich_agent_sandbox.model.memory.learning import teaches, tells_about_user, update_memory


@pytest.mark.parametrize(
    ("message", "kind", "text"),
    [
        ("Hi, my name is Ana Maria.", "facts", "Name is Ana Maria"),
        ("I live in Oslo", "facts", "Lives in Oslo"),
        ("I work as a nurse", "facts", "Works as a nurse"),
        ("I'm from Peru", "facts", "Comes from Peru"),
        ("I’m a vegetarian", "facts", "Is a vegetarian"),
        ("Please remember that my cat is called Miso", "facts", "Has a cat called Miso"),
        ("remember that I live in Oslo", "facts", "Lives in Oslo"),
        ("I really like green tea", "preferences", "Likes green tea"),
        ("Please answer in Japanese", "preferences", "Answer in Japanese"),
        ("please keep your answers short", "preferences", "Prefers short answers"),
        ("call me Al", "preferences", "Wants to be called Al"),
        ("Can you remind me to buy milk?", "tasks", "Buy milk"),
        ("I need to renew my passport by May", "tasks", "Renew my passport by May"),
        ("私の名前は太郎です。", "facts", "Name is 太郎"),
        ("東京に住んでいます", "facts", "Lives in 東京"),
        ("Remind me on Friday to call Bo", "tasks", "Call Bo on Friday"),
        ("Remind me about the rent", "tasks", "The rent"),
        ("いつも短く答えて", "preferences", "短く答える"),
    ],
)
def test_update_memory_reads_what_is_told(message: str, kind: str, text: str) -> None:
    """Each form of telling becomes one item of its kind."""
    remembered = update_memory(message, ()).remembered
    assert [(item.kind, item.text) for item in remembered] == [(kind, text)]


@pytest.mark.parametrize(
    "message",
    [
        "Do I live in Rome?",
        "I am a bit tired",
        "I would like to know the price",
        "What is my name?",
        "今どこに住んでいますか？",
    ],
)
def test_update_memory_keeps_nothing_of_questions(message: str) -> None:
    """A question or a mood is nothing to keep."""
    assert update_memory(message, ()).remembered == ()


def test_update_memory_reads_every_clause() -> None:
    """One message may tell several things."""
    update = update_memory("I moved to Rome last month and my name is Bo. Remind me to call!", ())
    assert [item.text for item in update.remembered] == ["Lives in Rome", "Name is Bo", "Call"]


def test_update_memory_retracts_what_no_longer_holds() -> None:
    """A new home replaces the old line, verbatim; other lines stay."""
    update = update_memory("I moved to Rome", ["[fact] Lives in Oslo", "Likes tea"])
    assert [item.text for item in update.remembered] == ["Lives in Rome"]
    assert update.retracted == ("[fact] Lives in Oslo",)


def test_update_memory_adds_nothing_twice() -> None:
    """Facts that the memory holds are neither added nor retracted."""
    update = update_memory("I live in Oslo", ["Lives in Oslo"])
    assert (update.remembered, update.retracted) == ((), ())


def test_update_memory_keeps_the_last_of_contrary_facts() -> None:
    """Two homes in one message leave the later one."""
    update = update_memory("I live in Oslo. I moved to Rome.", ())
    assert [item.text for item in update.remembered] == ["Lives in Rome"]


def test_tells_about_user_is_false_for_a_question() -> None:
    """A message that asks is not only telling."""
    assert tells_about_user("My name is Ana")
    assert not tells_about_user("My name is Ana, and who are you?")


@pytest.mark.parametrize(
    ("message", "tells"),
    [
        ("I live in Oslo. What can I see there?", True),
        ("I've bought the ticket.", True),
        ("Don't remember.", False),
        ("What is staking?", False),
    ],
)
def test_teaches_is_true_for_what_is_to_be_kept(message: str, tells: bool) -> None:  # noqa: FBT001 - a table
    """Also beside a question."""
    assert teaches(message) is tells


@pytest.mark.parametrize(
    ("message", "topic", "text", "about", "holds"),
    [
        ("Ich wohne in Bonn, kennst du ein Café?", "residence", "Lives in Bonn", "", "now"),
        ("Ich bin nach Rom gezogen.", "residence", "Lives in Rom", "", "now"),
        ("Ahora vivo en Roma", "residence", "Lives in Roma", "", "now"),
        ("J'ai déménagé à Rome.", "residence", "Lives in Rome", "", "now"),
        ("我住在柏林，有什么好餐厅吗？", "residence", "Lives in 柏林", "", "now"),
        ("我搬到罗马了。", "residence", "Lives in 罗马", "", "now"),
        ("저는 서울에 살아요. 좋은 식당 아세요?", "residence", "Lives in 서울", "", "now"),
        ("ローマに引っ越しました", "residence", "Lives in ローマ", "", "now"),
        ("Seine Frau wohnt in Rom.", "residence", "Frau lives in Rom", "Frau", "now"),
        ("Mi mujer vive en Roma", "residence", "Mujer lives in Roma", "mujer", "now"),
        ("我妻子住在罗马", "residence", "妻子 lives in 罗马", "妻子", "now"),
        ("I will move to Rome in June", "residence", "Will move to Rome in June", "", "planned"),
        ("Früher lebte ich in Bonn", "residence", "Used to live in Bonn", "", "past"),
        ("My password is hunter2", "secret", "My password is hunter2", "", "now"),
        ("短く答えて", "length", "短く答える", "", "now"),
        ("切符を買うのをリマインドして", "other", "切符を買う", "", "now"),
    ],
)  # fmt: skip
def test_update_memory_reads_whom_and_when_in_any_language(
    message: str, topic: str, text: str, about: str, holds: str
) -> None:
    """As a small model would, by the user's words."""
    (item,) = update_memory(message, ()).remembered
    assert (item.topic, item.text, item.about, item.holds) == (topic, text, about, holds)


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("From now on, answer in French", "fr"),
        ("Antworte mir ab jetzt auf Französisch", "fr"),
        ("Por favor responde en francés", "fr"),
        ("以后请用法语回答", "fr"),
        ("日本語で答えてください", "ja"),
    ],
)
def test_update_memory_reads_the_language_wished_for(message: str, language: str) -> None:
    """With its code."""
    (item,) = update_memory(message, ()).remembered
    assert (item.topic, item.language) == ("language", language)


@pytest.mark.parametrize(
    "message",
    [
        "Translate this into German: my name is Bob",
        "“My name is Bob and I live in Paris, as you know.”",
        "Don't remember.",
        "Vergiss es",
        "我住在哪里？",
        "Wo wohne ich?",
    ],
)
def test_update_memory_keeps_nothing_of_what_is_not_told(message: str) -> None:
    """Handed over, quoted, dropped or asked."""
    assert update_memory(message, ["Lives in Oslo"]) == update_memory("", ())


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("Remind me to pay tomorrow", "2026-01-02"),
        ("Remind me to pay by Monday", "2026-01-05"),
        ("Remind me to pay on 2026-03-01", "2026-03-01"),
        ("Remind me to pay", ""),
    ],
)
def test_update_memory_dates_a_task(message: str, due: str) -> None:
    """As seen from the Thursday that the prompt calls today."""
    today = today_in("Today is Thursday, 2026-01-01. Say what changes.")
    (item,) = update_memory(message, (), today).remembered
    assert item.due == due


@pytest.mark.parametrize(
    ("message", "done"),
    [
        ("I've bought the ticket.", ["[tasks/task] Buy the ticket by Friday"]),
        ("切符を買いました", ["[tasks/task] 切符を買う"]),
        ("I bought a house", []),
        ("Have I bought the ticket?", []),
    ],
)
def test_update_memory_retracts_a_task_that_is_done(message: str, done: list[str]) -> None:
    """The line itself; a fact with the same words is none."""
    memory = ["[tasks/task] Buy the ticket by Friday", "[tasks/task] 切符を買う", "Has the ticket"]
    assert list(update_memory(message, memory).retracted) == done


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        ("Merk dir bitte, dass meine Katze Minka heißt.", ["Meine Katze Minka heißt"]),
        (
            "Recuerda que vivo en Sevilla y soy alérgico a los cacahuetes.",
            ["Lives in Sevilla", "Is allergic to los cacahuetes"],
        ),
        ("请记住我住在上海", ["Lives in 上海"]),
    ],
)
def test_update_memory_keeps_what_is_to_be_remembered_in_any_language(
    message: str, texts: list[str]
) -> None:
    """A wish to remember is kept, whether or not a rule knows its subject."""
    assert [item.text for item in update_memory(message, ()).remembered] == texts
