"""The notes below an answer on the files that it is from."""

from typing import Any, cast

import pytest

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.tables import COMPUTED_ID
from rich_agent.graph.files.gathering import notes_on_files
from rich_agent.graph.planning import about_files
from rich_agent.graph.state import TurnState
from tests import make

CHARTS = {"chart": 3, "picture": 2}
PARTLY = "a.pdf is long: I read 1 of its 2 parts. Ask about the rest, or about one part."
SEARCHED = "a.pdf is long: I searched it for your question and did not read all of it."
NOT_READ = "I cannot read 3 charts and 2 pictures of a.pdf."


def state_with(used: list[dict[str, Any]], read: list[dict[str, Any]] | None = None) -> TurnState:
    """A turn about these files."""
    state = make.state("What is in it?")
    return cast("TurnState", {**state, "files": {"used": used, "read": read or []}})


def use(how: str = "whole", units: int = 2, **more: Any) -> dict[str, Any]:
    """A file that an answer was written from."""
    return {"id": 1, "name": "a.pdf", "how": how, "units": units, "read": units, **more}


def passages(count: int = 2) -> list[Passage]:
    """As many parts of the file in the prompt."""
    return [
        Passage(f"file:1:page:{number}", "file", "Text.", "", "a.pdf") for number in range(count)
    ]


@pytest.mark.parametrize(
    ("how", "parts", "notes"),
    [
        ("whole", 2, [NOT_READ]),
        ("whole", 1, [PARTLY, NOT_READ]),
        ("in_parts", 2, [NOT_READ]),
        ("searched", 1, [SEARCHED, NOT_READ]),
    ],
)
def test_file_is_not_called_read_whole_when_something_is_missing(
    how: str, parts: int, notes: list[str]
) -> None:
    """The note says what nobody could read, after how much of the text was read."""
    state = state_with([use(how, unread=CHARTS)])
    assert list(notes_on_files(state, passages(parts))) == notes


def test_file_is_not_called_incomplete_when_nothing_is_missing() -> None:
    """Neither by an empty count nor by what an older program stored."""
    stored: list[dict[str, Any]] = [{}, {"unread": {}}]
    for more in stored:
        state = state_with([use(**more)], [{"id": 1, "name": "a.pdf", "is_kept": False, **more}])
        assert list(notes_on_files(state, passages())) == ["I read all of a.pdf."]


def test_file_that_was_computed_with_tells_what_is_missing() -> None:
    """The line about the query says that all rows were read, and nothing on formulas."""
    computed = Passage(COMPUTED_ID.format(1), "tool", "3", "", "a.xlsx")
    state = state_with([use(unread={"formula": 1})])
    assert list(notes_on_files(state, [computed])) == [
        "I cannot read 1 formula without a saved result of a.pdf."
    ]


def test_file_that_nothing_was_found_in_tells_what_is_missing_once() -> None:
    """One that came with the message is among the used ones, or is not."""
    came = {"id": 1, "name": "a.pdf", "is_kept": False, "unread": CHARTS}
    assert list(notes_on_files(state_with([], [came]), ())) == [NOT_READ]
    notes = list(notes_on_files(state_with([use(unread=CHARTS)], [came]), passages()))
    assert notes == [NOT_READ]


def test_question_about_files_tells_what_is_missing() -> None:
    """Whoever sends a file without words knows before they ask."""
    came = [{"id": 1, "name": "a.pdf", "is_kept": False, "unread": CHARTS}]
    question = about_files(state_with([], came)).question
    assert question.splitlines()[0] == NOT_READ
    assert "What would you like to know" in question
