"""The stand-in reads wishes to forget, and picks what they mean, as a model would."""

import pytest

from rich_agent_sandbox.model.memory.forgetting import choose_entries, read_wish
from rich_agent_sandbox.model.prompt import Entry, Prompt


@pytest.mark.parametrize(
    ("text", "scope", "words"),
    [
        ("Forget what I told you about my diabetes.", "subject", {"diabetes"}),
        ("Can you forget my cat?", "subject", {"cat"}),
        ("forget what I said about my job", "subject", {"job", "profession", "glassblower"}),
        ("Vergiss, dass ich Diabetes habe", "subject", {"diabetes"}),
        ("olvida que soy alérgico a los cacahuetes", "subject", {"alérgico", "cacahuetes"}),
        ("仕事のことは忘れて", "subject", {"仕事", "職業"}),
        ("忘记我的工作", "subject", {"工作", "职业"}),
        ("Oublie mon travail de fauconnier", "subject", {"fauconnier"}),
        ("Forget that.", "last", set()),
        ("Vergiss das", "last", set()),
        ("忘记这个", "last", set()),
        ("olvida eso", "last", set()),
        ("それ忘れて", "last", set()),
        ("Forget everything about me", "everything", set()),
        ("私のことは全部忘れて", "everything", set()),
    ],
)
def test_read_wish_tells_scope_and_words(text: str, scope: str, words: set[str]) -> None:
    """In four languages, with the words that the memory has for it."""
    wish = read_wish(Prompt(text, memory=("Works as a glassblower",)))
    assert wish is not None
    assert wish["scope"] == scope
    assert words <= set(wish["words"])


@pytest.mark.parametrize(
    "text",
    ["forget it", "Never mind", "don't remember", "vergiss es", "olvídalo", "忘掉吧",
     "I forgot my password",
     "Forget the weather, tell me about staking", "Don't forget to buy milk", "傘を忘れてしまった",
     "Forget Oslo, I live in Rome", "forget to lock"],
)  # fmt: skip
def test_read_wish_finds_none_in_other_messages(text: str) -> None:
    """They drop a subject, ask for something else, or tell of forgetting."""
    assert read_wish(Prompt(text)) is None


def test_choose_entries_takes_what_tells_of_the_user() -> None:
    """Remembered things by their words; of messages those that speak of their writer."""
    texts = [
        ("memory", "Works as a baker"),
        ("message", "My job is hard"),
        ("message", "What job does a validator do?"),
        ("message", "I like tea"),
    ]
    entries = tuple(Entry(number, *each) for number, each in enumerate(texts, start=1))
    assert choose_entries(Prompt("my job, works", entries=entries)) == [1, 2]
