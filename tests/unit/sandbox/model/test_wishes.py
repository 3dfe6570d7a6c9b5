import pytest

from rich_agent_sandbox.model.acting.wishes import (
    asks_for_action,
    clauses,
    named_in,
    said_in,
    title_in,
)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Remind me to buy milk", "Buy milk"),
        ("Please add a task: call Anna", "Call Anna"),
        ("Create a task to update the website", "Update the website"),
        ("Add buy milk to my todo list", "Buy milk"),
        ("Mark write report as done", "Write report"),
        ("Schedule a meeting with Bob", "Meeting with Bob"),
        ('Note down "the blue one" for me', "the blue one"),
        ("What are my tasks?", ""),
        ("牛乳を買うタスクを追加して", "牛乳を買う"),
        ("タスク「牛乳を買う」を追加して", "牛乳を買う"),
        ("掃除するようリマインドしてください", "掃除する"),
        ("東京の天気は？", "東京"),
        ("Erinnere mich daran, Milch zu kaufen", "Milch zu kaufen"),
        ("Füge eine Aufgabe hinzu: Müll rausbringen", "Müll rausbringen"),
        ("Wie wird das Wetter in Berlin?", "Berlin"),
        ("Añade una tarea para llamar a Ana", "Llamar a Ana"),
        ("¿Qué tiempo hace en Madrid?", "Madrid"),
    ],
)
def test_title_is_what_the_words_around_it_leave(said: str, title: str) -> None:
    """Verbs, articles and the kind of thing go, in four languages; a quoted title is the title."""
    assert title_in(said) == title


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("Remind me to buy milk", True),
        ("What's on my calendar?", True),
        ("今日の予定は？", True),
        ("タスクを見せて", True),
        ("Zeig mir meine Aufgaben", True),
        ("Borra la tarea de la leche", True),
        ("Mark the report as done", True),
        ("I have finished the report", False),
        ("What is a project?", False),
        ("Hello!", False),
        ("How do I create a wallet?", False),
        ("Remember that I live in Rome", False),
        ("ステーキングとは何ですか？", False),
    ],
)
def test_action_is_told_from_a_question_or_a_statement(said: str, *, wants: bool) -> None:
    """To have something kept, changed or shown of one's own."""
    assert asks_for_action(said) == wants


def test_names_of_tools_are_read_in_any_spelling() -> None:
    """Snake case, camel case, with the name of a server in front."""
    listing = said_in("List reminders")
    for name in ("list_reminders", "listReminders", "my-server__List.Reminders"):
        named = named_in(name)
        assert named.acts == listing.acts == frozenset({"get"})
        assert named.things == listing.things == frozenset({"reminder"})


def test_main_act_is_the_first_or_in_japanese_the_last() -> None:
    """The thing to be done, not what the title says."""
    assert said_in("Create a task to update the website").main == {"create"}
    assert "delete" in said_in("作成のタスクを削除して").main


@pytest.mark.parametrize("unit", ["タスクを追加して", "please, ", "remind me to "])
def test_title_of_a_long_message_is_read_from_its_beginning(unit: str) -> None:
    """The text after it changes nothing, and costs nothing."""
    assert title_in(unit * 100) == title_in(unit * 100_000)


def test_clauses_are_cut_at_conjunctions() -> None:
    """Each may be a wish of its own."""
    assert clauses("Add milk and remind me at 9. Thanks!") == [
        "Add milk",
        "remind me at 9.",
        "Thanks!",
    ]
