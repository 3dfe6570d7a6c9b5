"""Which files the stand-in takes a message to be about."""

import pytest

from rich_agent_sandbox.model.planning.files_wanted import files_wanted
from rich_agent_sandbox.model.prompt import Prompt


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("And in February?", [1]),
        ("Und im Februar?", [1]),
        ("Summarise the file", [1]),
        ("このページの要約をお願いします", [1]),
        ("What does the minutes file say?", [2]),
        ("スリッページとは何ですか？", []),
        ("¿Qué es el deslizamiento (slippage) y cómo lo evito?", []),
        ("私の名前は？", []),
        ("What is impermanent loss?", []),
    ],
)
def test_files_wanted_are_those_that_a_message_speaks_of(question: str, wanted: list[int]) -> None:
    """By name, as a file, or as what was spoken of; a subject of its own needs none."""
    assert files_wanted(Prompt(question, files=("budget.csv", "minutes.docx"))) == wanted


def test_files_that_came_with_the_message_are_all_wanted() -> None:
    """Whatever it says."""
    files = ("a.csv", "b.csv", "c.csv")
    assert files_wanted(Prompt("What is slippage?", files=files, files_came=2)) == [1, 2]
