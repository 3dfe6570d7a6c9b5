"""Outputs that models write are read as far as they fit."""

from typing import Any

import pytest
from pydantic import ValidationError

from rich_agent.upstreams.models.choosing import ChosenEntries
from rich_agent.upstreams.models.memory_extraction import LearnedAboutUser
from rich_agent.upstreams.models.planning import (
    AboutThePast,
    PlannedClarification,
    PlannedForgetting,
    PlannedTurn,
)
from rich_agent.upstreams.models.vision import ImageDescription
from rich_agent.upstreams.servers.output_shapes import ModelOutput, read_cut_object, read_object

PLAN: dict[str, Any] = {"intent": "general_question", "plan": "rag", "query": "staking"}
PLAIN = PlannedTurn.model_validate(PLAN)


@pytest.mark.parametrize(
    "odd",
    [
        {"clarification": ""},
        {"clarification": {}},
        {"clarification": "none"},
        {"about_the_past": False},
        {"about_the_past": {}},
        {"about_the_past": "no"},
        {"plan": " RAG "},
        {"web": "perhaps"},
        {"queries": None},
        {"queries": {}},
        {"forget": []},
        {"image_numbers": "all"},
        {"image_question": None},
        {"new_request": "no idea"},
        {"teaches": None},
        {"confidence": 0.9, "thoughts": ["a"]},
        {"reason": ["because"]},
    ],
)
def test_odd_optional_field_costs_nothing_else(odd: dict[str, Any]) -> None:
    """Neither the plan nor any other field."""
    assert PlannedTurn.model_validate(PLAN | odd) == PLAIN


def test_part_of_a_field_that_fits_is_kept() -> None:
    """Of a list, and of an object."""
    odd = {"image_numbers": [1, "two", 3.0], "queries": "staking"}
    planned = PlannedTurn.model_validate(PLAN | odd)
    assert (planned.image_numbers, planned.queries) == ([1, 3], ["staking"])
    past = AboutThePast.model_validate(
        {"query": "tea", "order": "Oldest", "since": "yesterday", "until": "2026-03-01"}
    )
    assert (past.query, past.order, past.since) == ("tea", "oldest", None)
    assert str(past.until) == "2026-03-01"


@pytest.mark.req("VIS-1")
@pytest.mark.parametrize("lists", [{}, dict.fromkeys(("entities", "tables", "warnings"))])
def test_photo_without_lists_is_described(lists: dict[str, Any]) -> None:
    """A missing list is an empty one."""
    seen = ImageDescription.model_validate({"summary": "A cat.", **lists})
    assert (seen.summary, seen.entities, seen.tables, seen.warnings) == ("A cat.", [], [], [])


def test_photo_keeps_tables_and_things_in_a_form_of_the_model() -> None:
    """The content of a table is not lost because it is no Markdown."""
    table = {"columns": ["a"], "rows": [[1]]}
    seen = ImageDescription.model_validate(
        {"Summary": "A list.", "tables": [table], "entities": "cat", "warnings": [2026, None]}
    )
    assert seen.tables == ['{"columns": ["a"], "rows": [[1]]}']
    assert (seen.entities, seen.warnings) == (["cat"], ["2026"])


@pytest.mark.parametrize("lacking", [{"plan": None}, {"plan": "internet"}, {"intent": {"a": 1}}])
def test_required_field_that_is_wrong_is_named(lacking: dict[str, Any]) -> None:
    """It alone is what a repair asks for."""
    with pytest.raises(ValidationError) as caught:
        PlannedTurn.model_validate(PLAN | {"clarification": 7} | lacking)
    assert [error["loc"] for error in caught.value.errors()] == [tuple(lacking)]


def test_text_and_list_beyond_their_bounds_are_cut() -> None:
    """Not refused: servers without grammars let a model write more."""
    queries = ["q" * 900, *(f"part {n}" for n in range(9))]
    planned = PlannedTurn.model_validate(PLAN | {"reason": "r" * 5_000, "queries": queries})
    assert len(planned.reason) < 200
    assert (len(planned.queries), planned.queries[1]) == (3, "part 0")
    assert len(planned.queries[0]) < 300


def test_chosen_entries_take_one_number() -> None:
    """Without its list."""
    assert ChosenEntries.model_validate({"numbers": 2}).numbers == [2]
    assert ChosenEntries.model_validate({"numbers": None}).numbers == []


@pytest.mark.parametrize(
    "text",
    [
        '{"plan": "rag", "query": "what is {it}?"}',
        'Here is the plan:\n```json\n{"plan": "rag", "query": "what is {it}?"}\n```\nDone.',
        "{'plan': 'rag', 'query': 'what is {it}?',}",
        '<think>{"plan": "web"} or not?</think>{"plan": "rag", "query": "what is {it}?"}',
        '{"plan": "rag", // sure\n "query": "what is {it}?"}',
        '{plan: "rag", "query": "what is {it}?"}\n\nI hope this helps!',
    ],
)
def test_object_is_read_tolerantly(text: str) -> None:
    """Fences, prose, single quotes, commas, comments, thoughts."""
    assert read_object(text) == {"plan": "rag", "query": "what is {it}?"}


@pytest.mark.parametrize("text", ["", "I would search.", "[1, 2]", "}"])
def test_text_without_an_object_has_none(text: str) -> None:
    """Prose is no plan."""
    assert read_object(text) is None


@pytest.mark.parametrize(
    "text",
    ["}{", '{"plan": "rag", "que', '{"a": {"b": 1}, "query": "st', "{" * 5_000],
)
def test_half_of_an_object_is_not_completed(text: str) -> None:
    """It is shown to the model again; nesting without end is no reason to fail."""
    assert not isinstance(read_object(text), dict)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (PlannedClarification, '{"question":"कृपया'),
        (PlannedForgetting, '{"scope":"everything","what":"alles'),
        (AboutThePast, ' {"order": "oldest"'),
    ],
)
def test_text_that_begins_as_an_object_is_no_main_text(shape: type[ModelOutput], text: str) -> None:
    """It is neither shown nor searched for, wherever it was read."""
    with pytest.raises(ValidationError):
        shape.model_validate(text)
    with pytest.raises(ValidationError):
        shape.model_validate(read_cut_object(f"So: {text}", shape))


@pytest.mark.parametrize("text", ['{"facts": ["Lives in', "{nothing at all"])
def test_half_of_an_extraction_is_not_empty(text: str) -> None:
    """A cut extraction is asked for again, not taken for nothing."""
    with pytest.raises(ValidationError):
        LearnedAboutUser.model_validate(read_object(text))
