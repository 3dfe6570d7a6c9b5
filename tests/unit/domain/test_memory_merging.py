"""Merging what a turn taught into what is remembered."""

import pytest

from rich_agent.domain.memory import LongTermMemory, MemoryItem, MemoryKind
from rich_agent.domain.memory_merging import (
    MOST_ITEMS,
    Action,
    Learned,
    Occasion,
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


F: MemoryKind = "facts"
P: MemoryKind = "preferences"
T: MemoryKind = "tasks"


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("kind", "before", "topic", "after"),
    [
        (F, "Lives in Oslo", "residence", "Will move to Rome in June"),
        (F, "Lives in Oslo", "residence", "Wants to move to Rome"),
        (F, "Lives in Oslo", "residence", "Used to live in Bergen"),
        (F, "Lives in Oslo", "residence", "Sister lives in Rome"),
        (F, "Birthday is 3 May", "birthday", "Wife's birthday is 7 June"),
        (F, "Wife's birthday is 7 June", "birthday", "Son's birthday is 1 July"),
        (F, "Name is Ann", "name", "Cat's name is Miso"),
        (F, "Name is Ann", "name", "Has a cat named Miso"),
        (F, "Is 34 years old", "age", "Son is 5 years old"),
        (F, "Phone number is 1", "phone", "Work phone number is 2"),
        (P, "Keep answers short", "length", "Likes long walks"),
        (P, "Answer in German", "language", "Keep answers short"),
        (P, "Answer in German", "language", "Answer in detail"),
        (P, "Use a formal tone", "style", "Do not use emoji"),
        (F, "オスロに住んでいる", "residence", "6月にローマに引っ越す予定"),
        (F, "オスロに住んでいる", "residence", "以前は東京に住んでいた"),
        (F, "オスロに住んでいる", "residence", "姉は東京に住んでいる"),
        (F, "名前はアン", "name", "猫の名前はミソ"),
        (F, "誕生日は5月3日", "birthday", "妻の誕生日は6月7日"),
        (F, "34歳", "age", "息子は5歳"),
        (P, "日本語で答える", "language", "英語で映画を見るのが好き"),
        (P, "日本語で答える", "language", "敬語で話す"),
        (P, "短く答える", "length", "長い散歩が好き"),
    ],
)
@pytest.mark.parametrize("action", ["add", "replace"])
def test_merge_keeps_what_another_thing_does_not_contradict(
    kind: MemoryKind, before: str, topic: str, after: str, action: Action
) -> None:
    """Of others, of the future or the past, or on another matter, whatever topic a model names."""
    first = merge(LongTermMemory(), [Learned(kind, before, topic)], AT)
    assert texts(merge(first, [Learned(kind, after, topic, action)], AT)) == [before, after]


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("kind", "before", "topic", "after"),
    [
        (F, "Lives in Oslo", "residence", "The user lives in Rome"),
        (F, "Name is Ann", "name", "User's name is Anna"),
        (F, "Works as a nurse", "job", "Is retired"),
        (F, "Is single", "marital_status", "Is married to Bob"),
        (P, "Answer in detail", "length", "Keep answers short"),
        (P, "Use emoji", "style", "Do not use emojis"),
        (P, "Use a formal tone", "tone", "Be casual"),
        (F, "オスロに住んでいる", "住所", "ローマに引っ越した"),
        (F, "看護師として働いている", "職業", "教師をしている"),
        (F, "ソニーに勤めている", "", "任天堂に勤めている"),
        (P, "敬語で答える", "", "敬語はやめる"),
        (P, "詳しく答える", "", "短く答える"),
        (P, "アンと呼ぶ", "", "アンナと呼ぶ"),
    ],
)
def test_merge_replaces_what_a_new_thing_contradicts(
    kind: MemoryKind, before: str, topic: str, after: str
) -> None:
    """In either language, also when the model only adds."""
    first = merge(LongTermMemory(), [Learned(kind, before, topic)], AT)
    assert texts(merge(first, [Learned(kind, after, topic)], AT)) == [after]


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("kind", "topic", "before", "after", "left"),
    [
        (F, "pet", ("Has a cat named Miso", "Has a dog"), "Has a cat named Mizo", 1),
        (F, "pet", ("Has a cat", "Has a dog"), "Has a parrot", 2),
        (F, "allergy", ("Is allergic to nuts",), "Is allergic to shellfish", 1),
        (F, "allergy", ("Is allergic to nuts",), "Is not allergic to nuts any more", 0),
        (P, "drink", ("Likes tea", "Likes coffee"), "Does not like coffee", 1),
        (T, "shopping", ("Buy milk",), "Buy eggs", 1),
        (T, "dentist", ("Call the dentist on Friday",), "Call the dentist on Monday", 0),
        (F, "アレルギー", ("ナッツアレルギーがある",), "卵アレルギーがある", 1),
        (F, "ペット", ("猫を飼っている", "犬を飼っている"), "猫はもう飼っていない", 1),
        (T, "買い物", ("牛乳を買う",), "卵を買う", 1),
        (T, "電話", ("アンに電話する",), "ボブに電話する", 1),
        (T, "会議", ("金曜に会議の準備をする",), "月曜に会議の準備をする", 0),
    ],
)
def test_merge_replaces_the_one_thing_that_is_meant(
    kind: MemoryKind, topic: str, before: tuple[str, ...], after: str, left: int
) -> None:
    """A model that replaces on a topic of many things loses none that still holds."""
    first = merge(LongTermMemory(), [Learned(kind, text, topic) for text in before], AT)
    merged = merge(first, [Learned(kind, after, topic, "replace")], AT)
    assert texts(merged) == [*texts(merged)[:left], after]


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
