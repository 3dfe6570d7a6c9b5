"""Wishes that the stand-in fulfils by tools, and results of tools in words."""

from typing import Any

import pytest

from rich_agent_sandbox.model.prompt import Act, Prompt
from rich_agent_sandbox.model.request import FunctionSpec
from rich_agent_sandbox.model.results import in_words, is_failure
from rich_agent_sandbox.model.turns import Intended, asks_for_action, next_call, understand

OFFERED = [FunctionSpec(name=name) for name in ("create_task", "get_tasks", "remind")]


@pytest.mark.parametrize(
    ("said", "name", "arguments"),
    [
        ("Add a task: call Anna.", "create_task", {"title": "Call Anna"}),
        ("牛乳を買うタスクを追加して", "create_task", {"title": "牛乳を買う"}),
        ("add a task: {0} and {title}", "create_task", {"title": "{0} and {title}"}),
        ("牛乳と卵をリストに追加して", "create_task", {"title": "牛乳と卵"}),
        ("Füge Brot zur Aufgabenliste hinzu", "create_task", {"title": "Brot"}),
        ("Füge der Liste Brot hinzu.", "create_task", {"title": "Brot"}),
        ("Zeig mir meine Aufgaben!", "get_tasks", {}),
        ("Remind me in 5 minutes to eat", "remind", {"text": "Eat", "when": "PT5M"}),
        ("remind me in one minute to stretch", "remind", {"text": "Stretch", "when": "PT1M"}),
    ],
)
def test_next_call_is_that_of_a_known_wish(said: str, name: str, arguments: Any) -> None:
    """Once, and only of a tool on offer."""
    assert next_call(Prompt(said), OFFERED) == Intended(name, arguments)
    assert next_call(Prompt(said), []) is None
    assert next_call(Prompt(said, acts=(Act(name, "{}"),)), OFFERED) is None
    assert asks_for_action(said)


@pytest.mark.parametrize("said", ["", "Hello!", "What is a task?", "Delete everything"])
def test_next_call_is_none_for_other_messages(said: str) -> None:
    """They are planned as questions."""
    assert next_call(Prompt(said), OFFERED) is None
    assert not asks_for_action(said)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("It is noon.", "It is noon."),
        ('<told n="4">On the table.</told>', "On the table. [4]"),
        ('{"tasks": [{"id": 1, "title": "Rake"}, {"id": 2, "title": "Dig"}]}', "- Rake\n- Dig"),
        ('<told n="2">{"sky": "clear", "low_c": 3}</told>', "sky: clear, low c: 3 [2]"),
        ('<told>Found.\n<passage n="1">Tea.</passage></told>', "Found."),
    ],
)
def test_in_words_tells_a_result(result: str, words: str) -> None:
    """The titles of things, values by their names, and the number to cite."""
    assert in_words(Act("any", result)) == words


def test_is_failure_goes_by_the_beginning() -> None:
    """A result that says so, or a status."""
    assert is_failure(Act("any", '{"error": "no water"}'))
    assert is_failure(Act("any", '<told status="denied">No.</told>'))
    assert not is_failure(Act("any", "All is well."))


def test_understand_reads_what_is_told_and_what_is_to_be_forgotten() -> None:
    """In the words of a list, with those of the message in their places."""
    assert understand("I am allergic to peanuts").lessons == ["Allergic to peanuts"]
    assert understand("no, I live in Vienna now").lessons == ["Lives in Vienna"]
    forget = understand("forget what I said about peanuts").told["forget"]
    assert forget == {"scope": "subject", "what": "peanuts", "words": ["peanuts"]}
    assert understand("forget that").told["forget"]["scope"] == "last"
    assert understand("no, keep it").told["about_last"] == "stop"
