"""Merging what a turn taught into what is remembered: arithmetic and order, no words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mnemonic import Mnemonic

from rich_agent.domain.memory.items import SINGULAR, Holds, LongTermMemory, MemoryItem, marks_of
from rich_agent.domain.memory.kinds import MEMORY_KINDS, MemoryKind
from rich_agent.domain.memory.merging import (
    MOST_ITEMS,
    Action,
    Learned,
    Provenance,
    merge,
    own_words,
    with_marks,
)

AT = Provenance("tg:9", "2026-01-01T00:00:00+00:00")


def remembering(*items: tuple[MemoryKind, str, str]) -> LongTermMemory:
    """A memory of items as (kind, text, topic)."""
    kinds = {
        kind: tuple(
            MemoryItem(text, "tg:0", "2025", topic) for of, text, topic in items if of == kind
        )
        for kind in MEMORY_KINDS
    }
    return LongTermMemory(**kinds)  # type: ignore[arg-type]  # only the three kinds


def texts(memory: LongTermMemory) -> list[str]:
    """The texts that are remembered, kind by kind."""
    return [item.text for _, item in memory]


def merged(memory: LongTermMemory, *learned: Learned) -> list[str]:
    """The memories that are left when a model that saw everything in order has said this."""
    return texts(merge(memory, with_marks(learned, marks_of(memory)), AT))


OSLO = remembering(("facts", "Lives in Oslo", "residence"), ("facts", "Has a cat", "pet"))
F: MemoryKind = "facts"
P: MemoryKind = "preferences"
T: MemoryKind = "tasks"


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    "learned",
    [
        (Learned(F, "住在罗马", "residence"),),
        (Learned(F, "Lebt in Rom", "residence", "replace", number=1),),
        (Learned(F, "Lives in Rome", "residence", "replace", number=2),),
        (Learned(F, "Lives in Rome", "residence", "replace", number=99),),
        (
            Learned(F, "Lives in Rome", "residence"),
            Learned(F, "", "residence", "remove", number=1),
        ),
        (
            Learned(F, "Lives in Bergen", "residence"),
            Learned(F, "Lives in Rome", "residence", "add"),
        ),
    ],
)
def test_merge_keeps_one_home(learned: tuple[Learned, ...]) -> None:
    """In any words, with a wrong number, with none, or said twice; the newest holds."""
    rome = next(one.text for one in reversed(learned) if one.text)
    assert merged(OSLO, *learned) == ["Has a cat", rome]


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("about", "holds"), [("Frau", "now"), ("", "planned"), ("", "past"), ("wife", "planned")]
)
@pytest.mark.parametrize("action", ["add", "replace"])
def test_merge_keeps_the_home_whatever_holds_of_others_or_at_another_time(
    about: str, holds: Holds, action: Action
) -> None:
    """A wife's home, a plan, a memory of the past: told next to it."""
    told = Learned(F, "Rom", "residence", action, about=about, holds=holds)
    assert merged(OSLO, told) == ["Lives in Oslo", "Has a cat", "Rom"]


@pytest.mark.parametrize(
    ("about", "holds", "left"),
    [
        ("wife", "now", ["Lives in Oslo", "Has a cat", "Rome"]),
        ("", "planned", ["Lives in Oslo", "Has a cat", "Rome"]),
        ("", "past", ["Has a cat", "Rome"]),
    ],
)
def test_merge_heeds_a_number_only_where_one_can_take_the_others_place(
    about: str, holds: Holds, left: list[str]
) -> None:
    """A plan does not end what holds now; that something is over does."""
    told = Learned(F, "Rome", "residence", "replace", about=about, holds=holds, number=1)
    assert merged(OSLO, told) == left


def test_merge_makes_a_plan_come_true() -> None:
    """The same words, now of the present, end the old home and the plan."""
    planned = merge(OSLO, [Learned(F, "Lives in Rome", "residence", holds="planned")], AT)
    assert merged(planned, Learned(F, "Lives in Rome", "residence")) == [
        "Has a cat",
        "Lives in Rome",
    ]


def test_merge_replaces_what_the_number_means_on_any_topic() -> None:
    """A new car in the place of the old one; the bicycle stays."""
    memory = remembering((F, "Rides a Brompton", ""), (F, "Drives a Fiat", ""))
    told = Learned(F, "Drives a Volvo", "", "replace", number=2)
    assert merged(memory, told) == ["Rides a Brompton", "Drives a Volvo"]


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    "told",
    [
        Learned(F, "", "other", "remove", number=1, said="Thanks for the recipe"),
        Learned(F, "", "", "remove", number=1, said="Danke für das Rezept"),
        Learned(F, "Cooks soup", "other", "replace", number=1, said="I cook soup"),
    ],
)
def test_merge_changes_by_number_only_what_has_something_in_common(told: Learned) -> None:
    """A thank-you does not end a home, whatever number the model names."""
    memory = remembering((F, "Lives in Turku", "other"))
    assert "Lives in Turku" in merged(memory, told)


@pytest.mark.req("MEM-4")
@pytest.mark.parametrize(
    ("known", "text"),
    [
        (("Is allergic to nuts", "allergy"), "Is not allergic to nuts any more"),
        (("Is vegan", "diet"), "Is no longer vegan"),
        (("Ist gegen Nüsse allergisch", "allergy"), "Ist nicht mehr gegen Nüsse allergisch"),
        (("ナッツアレルギー", "allergy"), "もうナッツアレルギーではない"),
        (("Has a dog", "pet"), "Has a dog named Rex"),
    ],
)
def test_merge_replaces_what_is_told_again_with_more_words(
    known: tuple[str, str], text: str
) -> None:
    """A denied item, or one told more exactly, does not stand next to what it was."""
    memory = remembering((F, *known))
    assert merged(memory, Learned(F, text, known[1])) == [text]


def test_merge_keeps_what_only_shares_words_with_what_is_new() -> None:
    """A word on another topic, another person, another time, another task."""
    memory = remembering((F, "Has a cat", "pet"), (F, "Works in Oslo", "job"), (T, "Call Ann", ""))
    news = (
        Learned(F, "Hates cat videos", "hobby"),
        Learned(F, "Works in Oslo too", "job", about="wife"),
        Learned(F, "Works in Oslo as a student", "job", holds="past"),
        Learned(T, "Call Ann's mother"),
    )
    assert len(merged(memory, *news)) == len(memory.facts) + len(memory.tasks) + len(news)


@pytest.mark.parametrize("number", [0, -1, 1, 3, 4, 99])
def test_merge_deletes_nothing_by_a_number_that_cannot_be_meant(number: int) -> None:
    """No entry, one of another kind, or one about something else; what is told is kept."""
    memory = remembering((T, "Buy milk", ""), (F, "Name is Ann", "name"), (T, "Buy eggs", ""))
    told = Learned(F, "Has a dog", "pet", "replace", number=number)
    assert merged(memory, told) == ["Name is Ann", "Has a dog", "Buy milk", "Buy eggs"]


@pytest.mark.parametrize(
    "gone",
    [
        Learned(T, "", "", "remove", number=2),
        Learned(T, "billete", "other", "remove", number=2),
        Learned(T, "buy the ticket.", "", "remove"),
        Learned(F, "Buy the ticket", "", "remove", number=1),
    ],
)
def test_merge_ends_a_task_that_is_done(gone: Learned) -> None:
    """By its number, or word for word, under the wrong kind too; the other task stays."""
    memory = remembering((T, "Call Ann", ""), (T, "Buy the ticket", ""))
    assert merged(memory, gone) == ["Call Ann"]


def test_merge_removes_the_one_of_two_that_the_number_means() -> None:
    """In the same words, of the user and of somebody else."""
    told = [Learned(F, "Lives in Rome", "residence", about=who) for who in ("", "wife")]
    both = merge(LongTermMemory(), told, AT)
    gone = Learned(F, "Lives in Rome", "residence", "remove", number=2)
    (left,) = merge(both, with_marks([gone], marks_of(both)), AT).facts
    assert left.about == ""


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        (Learned(F, "Left Oslo", "residence", "remove"), ["Has a cat"]),
        (Learned(F, "Has no pets", "pet", "remove"), ["Lives in Oslo", "Has a cat"]),
        (Learned(F, "", "", "remove"), ["Lives in Oslo", "Has a cat"]),
        (Learned(F, "Rome", "residence", "remove", about="wife"), ["Lives in Oslo", "Has a cat"]),
    ],
)
def test_merge_removes_by_topic_only_what_can_be_but_one(gone: Learned, left: list[str]) -> None:
    """Nothing is guessed where much may be true."""
    assert merged(OSLO, gone) == left


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


@pytest.mark.costs("it tries many examples")
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
        "Das Passwort lautet hunter2",
        "我的密码是 hunter2",
        "1. ábaco 2. abdomen 3. abeja 4. abierto 5. abogado 6. abono " * 2,
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


@pytest.mark.parametrize("language", Mnemonic.list_languages())
def test_merge_never_remembers_a_seed_phrase(language: str) -> None:
    """In any language for which there are words."""
    phrase = Mnemonic(language).to_mnemonic(bytes(range(16)))
    assert texts(merge(LongTermMemory(), [Learned("facts", f"It is {phrase}")], AT)) == []


def test_merge_never_remembers_what_the_model_calls_a_secret() -> None:
    """However it looks."""
    learned = [Learned("facts", "Das Wort für die Tür ist Sesam", "secret")]
    assert merge(LongTermMemory(), learned, AT) == LongTermMemory()


@pytest.mark.parametrize(
    "text", ["> I live in Paris and my name is Bob", "```\nmy name is Bob\n```", "＞ Bob"]
)
def test_own_words_leave_out_what_others_said(text: str) -> None:
    """By its form: quoted lines and code teach nothing; the user's own words around them stay."""
    assert own_words(f"{text}\nI live in Oslo.") == "I live in Oslo."


def test_own_words_keep_what_the_user_says_themselves() -> None:
    """A short name in quotation marks is theirs."""
    assert own_words('My cat is called "Miso"\n> hm\nand I like tea') == (
        'My cat is called "Miso"\n \nand I like tea'
    )


_told = st.builds(
    Learned,
    kind=st.sampled_from(MEMORY_KINDS),
    text=st.sampled_from(["", "a", "b", "c", "d"]),
    topic=st.sampled_from(["", "residence", "language", "pet"]),
    action=st.sampled_from(["add", "replace", "remove"]),
    about=st.sampled_from(["", "wife"]),
    holds=st.sampled_from(["now", "past", "planned"]),
    number=st.integers(-1, 6),
)


@pytest.mark.parametrize(
    "told",
    [
        [Learned("facts", "b"), Learned("facts", "b", holds="past"), Learned("facts", "a")],
        [
            Learned("facts", "a", "residence"),
            Learned("facts", "b", "residence"),
            Learned("facts", "c"),
        ],
        [Learned("facts", "known"), Learned("facts", "b", action="replace", number=1)],
    ],
    ids=["now and past", "two homes", "said and replaced"],
)
def test_merge_of_what_contradicts_itself_changes_nothing_the_second_time(
    told: list[Learned],
) -> None:
    """Neither the items nor their order, by which the oldest give way."""
    memory = merge(LongTermMemory(), [Learned("facts", "known", holds="past")], AT)
    learned = with_marks(told, marks_of(memory))
    after = merge(memory, learned, AT)
    assert merge(after, learned, AT) == after


@pytest.mark.req("MEM-4", "DUR-2")
@given(before=st.lists(_told, max_size=6), told=st.lists(_told, max_size=4))
def test_merge_keeps_its_promises_whatever_a_model_says(
    before: list[Learned], told: list[Learned]
) -> None:
    """One item on a singular topic, no mark twice, and the same again changes nothing."""
    memory = merge(LongTermMemory(), before, Provenance("tg:0", "2025"))
    learned = with_marks(told, marks_of(memory))
    after = merge(memory, learned, AT)
    slots = [
        (kind, item.topic)
        for kind, item in after
        if item.topic in SINGULAR[kind] and item.holds == "now" and not item.about
    ]
    assert len(set(slots)) == len(slots)
    assert len(set(marks_of(after))) == len(marks_of(after))
    gone = set(marks_of(memory)) - set(marks_of(after))
    assert len(gone) <= 2 * len(told)
    if not any(one.action == "remove" for one in told):
        assert merge(after, learned, AT) == after
