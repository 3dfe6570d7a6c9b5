"""Merging what a turn taught into what is remembered."""

import pytest

from rich_agent.domain.memory import LongTermMemory, MemoryItem
from rich_agent.domain.memory_merging import (
    MOST_ITEMS,
    Learned,
    Occasion,
    may_teach,
    merge,
    own_words,
    told_to_remember,
)

AT = Occasion("tg:9", "2026-01-01T00:00:00+00:00")


def remembering(**texts: tuple[str, ...]) -> LongTermMemory:
    """A memory as an older version stored it: without topics."""
    kinds = {kind: tuple(MemoryItem(t, "tg:0", "2025") for t in of) for kind, of in texts.items()}
    return LongTermMemory(**kinds)  # type: ignore[arg-type]  # only the three kinds


def texts(memory: LongTermMemory) -> list[str]:
    """What is remembered, kind by kind."""
    return [item.text for _, item in memory]


OSLO = remembering(facts=("Lives in Oslo", "Has a cat"))


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    "learned",
    [
        (Learned("facts", "Lives in Rome"),),
        (Learned("facts", "Moved to Rome in May", "city"),),
        (Learned("facts", "Home is Rome now", "Residence"),),
        (Learned("facts", "Lebt in Rom", "home", "add"),),
        (
            Learned("facts", "The user's home in Norway", "residence", "remove"),
            Learned("facts", "Lives in Rome", "residence", "replace"),
        ),
    ],
)
def test_merge_keeps_one_home_whatever_the_model_says(learned: tuple[Learned, ...]) -> None:
    """In other words, under another topic, with a wrong retraction or with none."""
    merged = merge(OSLO, learned, AT)
    assert texts(merged) == ["Has a cat", learned[-1].text]
    assert merged.facts[-1].topic == "residence"
    assert merge(merged, learned, AT) == merged


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Answer in German", "Prefers answers in English"),
        ("Prefers short answers", "Wants detailed answers"),
        ("Wants to be called Al", "Call me Alexander: wants to be called Alexander"),
        ("日本語で答える", "英語で答える"),
    ],
)
def test_merge_replaces_a_preference_of_the_same_kind(before: str, after: str) -> None:
    """The later wish holds; what the user likes besides stays."""
    memory = remembering(preferences=(before, "Likes tea"))
    assert texts(merge(memory, [Learned("preferences", after)], AT)) == ["Likes tea", after]


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("facts", "Has a cat", "Has a dog"),
        ("facts", "Speaks French", "Speaks German"),
        ("preferences", "Likes tea", "Likes coffee"),
        ("tasks", "Buy the ticket", "Buy milk"),
    ],
)
def test_merge_keeps_what_can_hold_beside_it(kind: str, first: str, second: str) -> None:
    """Many things are true at once."""
    news = [Learned(kind, text, "something") for text in (first, second)]  # type: ignore[arg-type]  # one of the kinds
    assert texts(merge(LongTermMemory(), news, AT)) == [first, second]


def test_merge_replaces_on_any_topic_where_the_model_says_so() -> None:
    """A new car in the place of the old one; the bicycle stays."""
    memory = merge(
        LongTermMemory(),
        [Learned("facts", "Drives a Fiat", "car"), Learned("facts", "Rides a Brompton", "bicycle")],
        AT,
    )
    merged = merge(memory, [Learned("facts", "Drives a Volvo", "car", "replace")], AT)
    assert texts(merged) == ["Rides a Brompton", "Drives a Volvo"]


@pytest.mark.parametrize(
    "gone",
    [
        Learned("tasks", "Buy the ticket to Rome by Friday", action="remove"),
        Learned("tasks", "buy the ticket to rome by friday.", action="remove"),
        Learned("tasks", "Buy ticket to Rome", action="remove"),
        Learned("facts", "Buy the ticket to Rome by Friday", action="remove"),
    ],
)
def test_merge_ends_a_task_that_is_done(gone: Learned) -> None:
    """Word for word, nearly so, or under the wrong kind; the other task stays open."""
    memory = remembering(tasks=("Buy the ticket to Rome by Friday", "Call Ann"))
    assert texts(merge(memory, [gone], AT)) == ["Call Ann"]


def test_merge_removes_nothing_that_only_sounds_alike() -> None:
    """A retraction that names nothing remembered changes nothing."""
    gone = Learned("tasks", "Sell the house", "house", "remove")
    memory = remembering(tasks=("Buy the ticket", "Clean the house on Sunday morning"))
    assert merge(memory, [gone], AT) == memory


@pytest.mark.req("DUR-2")
def test_merge_twice_adds_nothing() -> None:
    """A node that runs again leaves the same memory."""
    learned = (
        Learned("facts", "Lives in Oslo"),
        Learned("facts", "Lives in Rome"),
        Learned("tasks", "Call Ann", due="2026-01-05"),
        Learned("facts", "Has a cat", action="remove"),
    )
    once = merge(OSLO, learned, AT)
    assert texts(once) == ["Lives in Rome", "Call Ann"]
    assert merge(once, learned, AT) == once


@pytest.mark.parametrize(("due", "kept"), [("2026-03-01", "2026-03-01"), ("on Friday", "")])
def test_merge_dates_a_task(due: str, kept: str) -> None:
    """The day as ISO, the user's words in the text; what is no date is dropped."""
    (task,) = merge(LongTermMemory(), [Learned("tasks", "Pay by Friday", due=due)], AT).tasks
    assert (task.text, task.due) == ("Pay by Friday", kept)


def test_merge_takes_a_new_date_for_a_known_task() -> None:
    """Said again with another day, the task moves."""
    first = merge(LongTermMemory(), [Learned("tasks", "Pay", due="2026-03-01")], AT)
    moved = merge(first, [Learned("tasks", "Pay", due="2026-04-01")], AT)
    assert [task.due for task in moved.tasks] == ["2026-04-01"]


def test_merge_keeps_provenance() -> None:
    """Each item tells which turn taught it and when."""
    (item,) = merge(LongTermMemory(), [Learned("facts", "Has a cat")], AT).facts
    assert (item.request_id, item.updated_at) == ("tg:9", "2026-01-01T00:00:00+00:00")


def test_merge_is_bounded() -> None:
    """The oldest give way, and no item is a document."""
    many = [Learned("facts", f"Owns number {n} {'x' * 999}") for n in range(MOST_ITEMS + 5)]
    kept = merge(LongTermMemory(), many, AT).facts
    assert len(kept) == MOST_ITEMS
    assert kept[0].text.startswith("Owns number 5 ")
    assert max(len(item.text) for item in kept) == 300


SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow"


@pytest.mark.parametrize(
    "secret",
    [
        f"Seed phrase is {SEED}",
        SEED,
        ", ".join(SEED.split()),
        "Private key is " + "4f" * 32,
        "The password is hunter2",
        "パスワードは桜1234です",
        "Card 4242 4242 4242 4242",
        "API key sk-proj-abcdefghijklmnop1234",
        "Wallet key " + "5" + "K" * 87,
    ],
)
def test_merge_never_remembers_a_secret(secret: str) -> None:
    """Whatever the model thinks; the harmless rest of the message is kept."""
    learned = [Learned("facts", secret), Learned("facts", "Has a wallet")]
    assert texts(merge(LongTermMemory(), learned, AT)) == ["Has a wallet"]


@pytest.mark.parametrize(
    "harmless",
    [
        "Order number is 1234567890123",
        "Wants to learn how seed phrases protect a wallet",
        "Forgot a password once",
        "Works with public key cryptography and likes to explain how it works to friends",
        "Phone number is 555 123 4567",
        "Birthday is 1990-01-02",
    ],
)
def test_merge_remembers_what_only_speaks_of_secrets(harmless: str) -> None:
    """A subject is no secret."""
    assert texts(merge(LongTermMemory(), [Learned("facts", harmless)], AT)) == [harmless]


@pytest.mark.parametrize(
    ("text", "teaches"),
    [
        ("I live in Oslo", True),
        ("call me Ann", True),
        ("私は東京に住んでいます", True),
        ("Меня зовут Анна", True),
        ("Ich wohne in Rom", True),
        ("Please answer in French", True),
        ("What is proof of history?", False),
        ("資金調達とは何ですか？", False),
    ],
)
def test_may_teach_spares_questions_the_memory_call(text: str, teaches: bool) -> None:  # noqa: FBT001 - a table
    """Only a message about its writer is worth asking a model."""
    assert may_teach(text) is teaches


@pytest.mark.parametrize(
    "text",
    [
        "> I live in Paris and my name is Bob",
        "```\nmy name is Bob\n```",
        "“My name is Bob and I live in Paris, as you know.”",
        "「私の名前はボブで、パリに住んでいて、猫が二匹います。」",
        "Translate this into German: my name is Bob and I live in Paris",
        "次を英語に翻訳して：私の名前はボブです",
    ],
)
def test_own_words_leave_out_what_others_said(text: str) -> None:
    """Quoted and handed-over text teaches nothing; the user's own words around it stay."""
    assert "Bob" not in own_words(f"{text}\nI live in Oslo.")
    assert "ボブ" not in own_words(text)


def test_own_words_keep_what_the_user_says_themselves() -> None:
    """A short name in quotation marks is theirs."""
    assert own_words('My cat is called "Miso"\n> hm\nand I like tea') == (
        'My cat is called "Miso"\n \nand I like tea'
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Remember that my cat is called Miso.", "My cat is called Miso"),
        ("please note: the gate code changes in May", "The gate code changes in May"),
        ("猫の名前はミソと覚えておいて", "猫の名前はミソ"),
        ("Do you remember that my cat is called Miso?", ""),
        ("I remember that day", ""),
        ("覚えていますか？", ""),
    ],
)
def test_told_to_remember_reads_an_order(text: str, told: str) -> None:
    """An order to remember, not a memory or a question."""
    assert told_to_remember(text) == told
