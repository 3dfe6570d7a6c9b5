"""Questions on which documents there are, and the lists that answer them."""

import pytest

from rich_agent_sandbox.model.answering.answer import answer
from rich_agent_sandbox.model.answering.listing import asks_for_list
from rich_agent_sandbox.model.prompt import Passage, Prompt

LISTED = "## Sources\n\n- Shelf: 2\n\n## Other documents\n\n- Tea\n- Hats"
CATALOGUE = Passage(2, "catalogue", "Documents", "", "", LISTED)
BOOK = Passage(1, "document", "Tea", "Tea", "", "Tea is brewed from leaves.")


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("What are your sources?", True),
        ("list all documents", True),
        ("documents about Drift?", True),
        ("How many files do you have?", True),
        ("資料の一覧", True),
        ("どんな資料がありますか", True),
        ("What do the documents say about rent?", False),
        ("According to the documents, what is rent?", False),
        ("Which documents say that?", False),
    ],
)
def test_list_is_asked_for_by_what_is_listed(question: str, is_asked: bool) -> None:  # noqa: FBT001 - a table
    """Not by a question on what is in it."""
    assert asks_for_list(question) == is_asked


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("What are your sources?", "Sources [2]\n- Shelf: 2"),
        ("documents about hats", "Other documents [2]\n- Hats"),
        ("documents about gloves", "Other documents [2]\n- Tea\n- Hats"),
        ("list all documents", "Other documents [2]\n- Tea\n- Hats"),
        ("資料の一覧を見せてください", "- Shelf: 2\n\nOther documents [2]\n- Tea\n- Hats"),
        ("どんな資料がありますか？", "- Shelf: 2\n\nOther documents [2]\n- Tea\n- Hats"),
    ],
)
def test_list_is_quoted_as_the_question_names_it(question: str, listed: str) -> None:
    """By its heading, and by the other words of the question."""
    assert listed in answer(Prompt(question, passages=(BOOK, CATALOGUE)))


def test_list_follows_what_a_section_on_the_question_says() -> None:
    """Other passages are not quoted, though they hold its words."""
    own = Passage(1, "document", "Me", "Me > What are your sources?", "", "The sources are books.")
    other = Passage(3, "document", "Tea", "Tea", "", "The sources of tea are many gardens.")
    said = answer(Prompt("What are your sources?", passages=(own, CATALOGUE, other)))
    assert said.startswith("The sources are books. [1]\n\nSources [2]\n- Shelf: 2")
    assert "[3]" not in said


def test_list_is_quoted_for_nothing_else() -> None:
    """A question that a document answers is answered by that alone."""
    said = answer(Prompt("What is tea brewed from?", passages=(BOOK, CATALOGUE)))
    assert "Tea is brewed from leaves. [1]" in said
    assert "[2]" not in said
