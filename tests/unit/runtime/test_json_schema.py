"""Schemas of strangers: which may be shown to a model, and how arguments are held against them."""

from typing import Any

import pytest

from rich_agent.runtime.json_schema import (
    fault_of,
    problems_with,
    text_arguments,
    undescribed_arguments,
)

PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
    "additionalProperties": False,
}
BRANCHING: dict[str, Any] = {
    "$defs": {"a": {"anyOf": [{"minItems": 9, "items": {"$ref": "#/$defs/a"}}] * 8}},
    "properties": {"x": {"$ref": "#/$defs/a"}},
}


def nested(depth: int) -> Any:
    """A list in a list in a list."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        (PERSON, ""),
        ({}, ""),
        ({"$schema": "http://json-schema.org/draft-07/schema#", **PERSON}, ""),
        ({"type": "array"}, "object"),
        ("object", "object"),
        ({"description": "x" * 8_000}, "8,000 characters"),
        ({"description": "\u202egnp.exe"}, "control characters"),
        ({"enum": nested(30)}, "nested"),
        ({"properties": {"a": {"$ref": "https://example.com/a.json"}}}, "another document"),
        ({"properties": {"a": {"type": "text"}}}, "wrong"),
        ({"$ref": "#/$defs/nowhere"}, "wrong"),
        ({"$ref": "#"}, "reasonable time"),
    ],
)
def test_schema_is_shown_only_if_it_is_sane(schema: Any, fault: str) -> None:
    """A reason is given for each that is not."""
    found = fault_of(schema)
    assert fault in found
    assert bool(found) == bool(fault)


def test_arguments_are_named_by_their_paths() -> None:
    """Several problems are told at once."""
    assert problems_with({"name": "Ann", "age": 3}, PERSON) == []
    told = problems_with({"age": -1, "size": 2}, PERSON)
    assert len(told) == 3
    assert any(one.startswith("$.age: -1") for one in told)
    assert any("'name' is a required property" in one for one in told)


def test_arguments_are_held_against_the_draft_of_the_schema() -> None:
    """In draft 7, `items` may be a list of schemas."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"pair": {"items": [{"type": "string"}, {"type": "integer"}]}},
    }
    assert problems_with({"pair": ["a", 1]}, schema) == []
    assert problems_with({"pair": [1, "a"]}, schema) != []


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"x": {"pattern": "^(a+)+$"}}},
        {"patternProperties": {"^(a+)+$": {"type": "integer"}}, "additionalProperties": False},
        {"properties": {"x": {"pattern": "(unclosed"}}},
    ],
)
def test_arguments_are_never_matched_slowly(schema: dict[str, Any]) -> None:
    """Python's own patterns would take years for these."""
    assert len(problems_with({"x": "a" * 60 + "!", "a" * 60 + "!": 1}, schema)) <= 1


def test_arguments_are_refused_when_the_check_takes_too_many_steps() -> None:
    """Also if there are too many of them, or they are too deep."""
    assert fault_of(BRANCHING) == ""
    (told,) = problems_with({"x": nested(14)}, BRANCHING)
    assert "cannot be checked" in told
    for many in ({"x": nested(40)}, {"x": "a" * 20_000}, {"x": list(range(3_000))}):
        (told,) = problems_with(many, {})
        assert "too deeply" in told


_WHERE = {"type": "object", "properties": {"place": {"type": "string"}}}


@pytest.mark.req("ACT-3")
@pytest.mark.parametrize(
    ("schema", "arguments", "places"),
    [
        ({"properties": {"q": {}}}, {"q": "a", "my_boat_is_called": True}, ["$.my_boat_is_called"]),
        ({"type": "object"}, {"q": "a"}, []),
        ({"properties": {"w": _WHERE}}, {"w": {"place": "a", "boat": 1}}, ["$.w.boat"]),
        (
            {"properties": {"ws": {"type": "array", "items": _WHERE}}},
            {"ws": [{"place": "a"}, {"b": 1}]},
            ["$.ws[].b"],
        ),
        (
            {"$defs": {"w": _WHERE}, "properties": {"w": {"$ref": "#/$defs/w"}}},
            {"w": {"boat": 1}},
            ["$.w.boat"],
        ),
        ({"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}, {"a": 1, "b": 2}, []),
        ({"properties": {"w": {"type": "object"}}}, {"w": {"anything": 1}}, []),
        ({"additionalProperties": {"type": "string"}}, {"anything": "a"}, []),
        ({"patternProperties": {"^x": {}}}, {"x1": "a"}, []),
        (
            {"anyOf": [_WHERE], "properties": {"w": {"$ref": "#/anyOf/0"}}},
            {"w": {"b": 1}},
            ["$.w.b"],
        ),
    ],
)
def test_name_that_the_schema_does_not_describe_is_a_problem(
    schema: dict[str, Any], arguments: dict[str, Any], places: list[str]
) -> None:
    """Wherever it stands, unless the schema says that it is open there."""
    problems = undescribed_arguments(arguments, schema)
    assert [one.partition(":")[0] for one in problems] == places


@pytest.mark.parametrize("odd", [5, True, "a", None, [5], {"a": 5}])
@pytest.mark.parametrize("name", ["allOf", "else", "properties", "items", "$ref", "type", "enum"])
def test_check_of_arguments_outlasts_an_odd_schema(name: str, odd: object) -> None:
    """Also one that only a reference leads to."""
    for schema in ({name: odd}, {"else": {"$ref": "#/bad/0"}, "bad": [{name: odd}]}):
        assert isinstance(undescribed_arguments({"x": {"a": [1]}}, schema), list)
        assert isinstance(problems_with({"x": {"a": [1]}}, schema), list)
        assert text_arguments({"properties": {"x": schema}}) <= {"x"}


def test_arguments_that_are_no_json_cannot_be_checked() -> None:
    """They are a problem, and no error."""
    (problem,) = problems_with({"x": {1, 2}}, PERSON)
    assert "cannot be checked" in problem


@pytest.mark.parametrize(
    ("schema", "is_text"),
    [
        ({"type": "string"}, True),
        ({"type": ["null", "string"]}, True),
        ({"$ref": "#/$defs/texts/0"}, True),
        ({"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/texts/0"}]}, True),
        ({"enum": ["1", "2"]}, True),
        ({"const": "1"}, True),
        ({"type": "integer"}, False),
        ({"enum": [1, 2]}, False),
        (True, False),
        ({"anyOf": [True]}, False),
    ],
)
def test_argument_that_may_be_a_text_is_known(schema: object, is_text: bool) -> None:  # noqa: FBT001
    """By its type, its values, and what it refers to."""
    root = {"properties": {"x": schema}, "$defs": {"texts": [{"type": ["string"]}]}}
    assert text_arguments(root) == ({"x"} if is_text else set())
