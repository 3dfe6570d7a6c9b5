"""Checks the schemas of tools, which are untrusted, and the arguments of calls against them.

A check takes a bounded number of steps, fetches nothing, and gives up on slow patterns.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from itertools import count, islice
from typing import Any
from urllib.parse import unquote

import regex
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import SchemaError, UnknownType
from jsonschema.protocols import Validator
from jsonschema.validators import extend, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from rich_agent.domain.text import clean_text, printable, shorten

MOST_SCHEMA_CHARS = 8_000
MOST_ARGUMENT_CHARS = 20_000
_MOST_DEPTH, _MOST_VALUES, _MOST_STEPS = 20, 2_000, 20_000
_MOST_PROBLEMS, _PROBLEM_CHARS = 5, 200
_PATTERN_S = 0.05
_MOST_PATTERN_CHARS = 1_000
_NAME_CHARS = 40
_EACH, _ONE = ("allOf", "anyOf", "oneOf"), ("then", "else")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_WRONG = (
    SchemaError,
    UnknownType,
    Unresolvable,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""Errors that the library raises for keywords and references of unexpected types."""
_steps: ContextVar[Iterator[int]] = ContextVar("steps")


class _TooManyStepsError(Exception):
    """The check would take too long."""


def fault_of(schema: Any) -> str:  # noqa: ANN401 - whatever a server sends
    """The reason why a schema cannot be shown to a model, "" if it can."""
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        return "its schema is not that of an object"
    text = _as_json(schema)
    if len(text) > MOST_SCHEMA_CHARS:
        return f"its schema has more than {MOST_SCHEMA_CHARS:,} characters"
    if printable(clean_text(text)) != text:
        return "its schema holds control characters"
    if not _is_bounded(schema):
        return "its schema is nested too deeply"
    return _fault_in_meaning(schema)


def _fault_in_meaning(schema: dict[str, Any]) -> str:
    """The reason why a schema cannot be used for checks, "" if it can."""
    if any(not str(target).startswith("#") for target in _references(schema)):
        return "its schema refers to another document"
    try:
        _class_of(schema).check_schema(schema, format_checker=None)
        _problems(schema, {})
    except (_TooManyStepsError, RecursionError):
        return "its schema cannot be checked in reasonable time"
    except _WRONG:
        return "its schema is wrong"
    return ""


def problems_with(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """The first problems of the arguments, each with its path; [] if they fit the schema."""
    arguments = dict(arguments)
    try:
        if len(_as_json(arguments)) <= MOST_ARGUMENT_CHARS and _is_bounded(arguments):
            return _problems(schema, arguments)
    except (_TooManyStepsError, RecursionError, OverflowError, *_WRONG):
        return ["they cannot be checked against the schema of the tool"]
    return [f"they have more than {MOST_ARGUMENT_CHARS:,} characters, or are nested too deeply"]


def undescribed_arguments(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """A problem for each of the first names in the arguments that the schema does not describe."""
    paths = islice(_open_names(dict(arguments), schema, schema, "$"), _MOST_PROBLEMS)
    return [f"{path}: the tool has no such argument" for path in paths]


def text_arguments(schema: Mapping[str, Any]) -> frozenset[str]:
    """The names of the arguments that may be texts by the schema."""
    descriptions = _descriptions(
        [part for part in _parts(schema, schema) if isinstance(part, dict)]
    )
    return frozenset(
        name
        for name, schemas in descriptions.items()
        if any(map(_allows_text, _parts({"anyOf": schemas}, schema)))
    )


def _allows_text(part: Mapping[str, Any]) -> bool:
    """Whether a part of a schema allows a text."""
    kinds, values = part.get("type"), part.get("enum")
    return (
        "string" in (kinds if isinstance(kinds, list) else [kinds])
        or any(isinstance(value, str) for value in (values if isinstance(values, list) else ()))
        or isinstance(part.get("const"), str)
    )


def _open_names(arguments: Any, schema: Any, root: Any, path: str) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Yield the paths of names that a schema does not describe.

    Other names are allowed only if the schema says so, or describes no properties at all.
    """
    parts = [part for part in _parts(schema, root) if isinstance(part, dict)]
    if isinstance(arguments, list):
        items = [part[name] for part in parts for name in ("items", "prefixItems") if name in part]
        item_schemas = [
            schema_of_item
            for item in items
            for schema_of_item in (item if isinstance(item, list) else [item])
        ]
        for value in arguments:
            yield from _open_names(value, {"anyOf": item_schemas}, root, f"{path}[]")
    if not isinstance(arguments, dict):
        return
    descriptions = _descriptions(parts)
    is_open = (
        any(
            part.get("additionalProperties", False) is not False or "patternProperties" in part
            for part in parts
        )
        or not descriptions
    )
    for name, value in arguments.items():
        inner_path = f"{path}.{shorten(name, _NAME_CHARS)}"
        if name in descriptions:
            yield from _open_names(value, {"anyOf": descriptions[name]}, root, inner_path)
        elif not is_open:
            yield inner_path


def _descriptions(parts: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """The schemas of each property in these parts of a schema."""
    schemas_by_name: dict[str, list[Any]] = {}
    for part in parts:
        properties = part.get("properties")
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            schemas_by_name.setdefault(name, []).append(schema)
    return schemas_by_name


def _parts(schema: Any, root: Any) -> list[Any]:  # noqa: ANN401 - JSON
    """A schema and all schemas that it combines or refers to, whether or not they apply."""
    parts: list[Any] = []
    pending_parts, seen_ids = [schema], set[int]()
    while pending_parts and len(parts) < _MOST_VALUES:
        part = pending_parts.pop()
        if not isinstance(part, dict) or id(part) in seen_ids:
            continue
        seen_ids.add(id(part))
        parts.append(part)
        pending_parts += [
            inner_schema for name in _EACH for inner_schema in _within(part.get(name))
        ]
        pending_parts += [part[name] for name in _ONE if name in part]
        pending_parts += [
            _referenced_part(str(part[name]), root) for name in _REFERENCES if name in part
        ]
    return parts


def _referenced_part(reference: str, root: Any) -> Any:  # noqa: ANN401 - JSON
    """The part of the schema `root` that a reference names, None if there is no such part."""
    part = root
    for step in reference.removeprefix("#").split("/")[1:]:
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(part, list):
            part = {str(position): item for position, item in enumerate(part)}
        part = part.get(name) if isinstance(part, dict) else None
    return part


def _problems(schema: Mapping[str, Any], arguments: Any) -> list[str]:  # noqa: ANN401 - JSON
    """The first problems of the arguments by the schema."""
    _steps.set(count())
    errors = _class_of(schema)(dict(schema), registry=Registry()).iter_errors(arguments)
    first_errors = (error for error, _ in zip(errors, range(_MOST_PROBLEMS), strict=False))
    return [
        shorten(f"{error.json_path}: {error.message[:1_000]}", _PROBLEM_CHARS)
        for error in first_errors
    ]


def _class_of(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401 - the library's protocol lacks parts
    """The bounded validator for the draft that the schema names."""
    return _bounded_validator(validator_for(dict(schema), default=Draft202012Validator))


@cache
def _bounded_validator(validator: type[Validator]) -> Any:  # noqa: ANN401 - the same
    """The validator with counted steps, and without slow patterns."""
    # The library matches these by Python's patterns, which can take hours for a few letters.
    slow_keywords = {"patternProperties", "unevaluatedProperties", "unevaluatedItems"}
    check_by_keyword = {
        name: _count_steps(check)
        for name, check in validator.VALIDATORS.items()
        if name not in slow_keywords
    }
    check_by_keyword |= dict.fromkeys(slow_keywords & validator.VALIDATORS.keys(), _no_errors)
    check_by_keyword["pattern"] = _count_steps(_match)
    check_by_keyword["additionalProperties"] = _unless_by_pattern(
        check_by_keyword["additionalProperties"]
    )
    return extend(validator, check_by_keyword)  # type: ignore[no-untyped-call]


def _count_steps(check: Any) -> Any:  # noqa: ANN401 - as the library types it
    """The check of a keyword, which raises an error after too many steps."""

    def check_within_limit(validator: Any, value: Any, instance: Any, schema: Any) -> Any:  # noqa: ANN401 - the same
        if next(_steps.get()) > _MOST_STEPS:
            raise _TooManyStepsError
        return check(validator, value, instance, schema)

    return check_within_limit


def _no_errors(*_: object) -> Iterator[ValidationError]:
    """The check of a keyword that finds no errors."""
    return iter(())


def _unless_by_pattern(check: Any) -> Any:  # noqa: ANN401 - as the library types it
    """The check of a keyword that is skipped where properties are named by patterns."""

    def check_without_pattern(validator: Any, value: Any, instance: Any, schema: Any) -> Any:  # noqa: ANN401 - the same
        return () if "patternProperties" in schema else check(validator, value, instance, schema)

    return check_without_pattern


def _match(_: object, pattern: Any, instance: Any, __: object) -> Iterator[ValidationError]:  # noqa: ANN401 - JSON
    """Yield an error for a text that does not match; a slow or wrong pattern yields none."""
    if not isinstance(instance, str) or len(str(pattern)) > _MOST_PATTERN_CHARS:
        return
    try:
        match = regex.search(str(pattern), instance, timeout=_PATTERN_S)
    except (regex.error, TimeoutError):
        return
    if match is None:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _is_bounded(value: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether a value is nested less than 20 levels deep and holds at most 2,000 values."""
    level_values, value_count = [value], 0
    for _ in range(_MOST_DEPTH):
        value_count += len(level_values)
        if not level_values or value_count > _MOST_VALUES:
            break
        level_values = [inner for item in level_values for inner in _within(item)]
    return not level_values and value_count <= _MOST_VALUES


def _within(value: Any) -> list[Any]:  # noqa: ANN401 - JSON
    """The values inside a JSON value."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _references(value: Any) -> Iterator[Any]:  # noqa: ANN401 - JSON
    """The targets of all references in a JSON value."""
    if isinstance(value, dict):
        yield from (value[name] for name in _REFERENCES if name in value)
    for inner in _within(value):
        yield from _references(inner)


def _as_json(value: Any) -> str:  # noqa: ANN401 - JSON
    """The value as JSON; a text that is too long if it cannot be written."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, ValueError):
        return " " * (MOST_ARGUMENT_CHARS + 1)
