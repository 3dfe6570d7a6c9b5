from typing import Any

import pytest

from rich_agent.runtime.json_schema import fault_of, problems_with

SCHEMAS: list[dict[str, Any]] = [
    {"type": "object", "$schema": 5},
    {"type": "object", "$schema": []},
    {"type": "object", "$id": "http://[", "properties": {"a": {"$id": " ://"}}},
    {"type": "object", "title": "x", "properties": {"a": {"$ref": "#/title/0"}}},
    {"type": "object", "allOf": [{}], "properties": {"a": {"$ref": "#/allOf/x"}}},
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_schema_of_a_stranger_never_raises(schema: dict[str, Any]) -> None:
    """Keywords of a wrong kind are a fault of the schema, or of the arguments that meet them."""
    assert fault_of(schema) or problems_with({"a": "b"}, schema)
