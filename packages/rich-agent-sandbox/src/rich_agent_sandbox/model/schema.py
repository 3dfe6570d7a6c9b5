"""Fills a JSON schema with known values by property name, and with defaults otherwise."""

from collections.abc import Mapping
from typing import Any

_TEXT_PROPERTIES = (
    "text", "content", "value", "fact", "preference", "task", "statement", "description", "title",
    "name",
)  # fmt: skip
_TOPIC_PROPERTIES = ("key", "topic", "subject", "slot", "kind", "category")
_OWN_PROPERTIES = ("said", "action", "due", "about", "holds", "language", "number")

Schema = Mapping[str, Any]


def property_names(schema: Schema) -> frozenset[str]:
    """The names of the top-level properties."""
    return frozenset(resolve(schema, schema).get("properties", {}))


def fill(schema: Schema, known: Mapping[str, Any]) -> dict[str, Any]:
    """An object for `schema`: the matching `known` values, and defaults for required properties.

    For an object, a known text becomes its text property; a known object without a text is matched
    by its own names. A known value outside an enum is replaced by the enum's first value.
    """
    resolved = resolve(schema, schema)
    required = set(resolved.get("required", ()))
    return {
        name: _fit(known[name], part, schema) if name in known else default_for(part, schema)
        for name, part in resolved.get("properties", {}).items()
        if name in known or name in required
    }


def resolve(part: Schema, root: Schema) -> Schema:
    """`part` with its reference resolved; of several alternatives, the first that is not null."""
    if reference := part.get("$ref"):
        target: Any = root
        for step in reference.removeprefix("#/").split("/"):
            target = target.get(step, {})
        return _with_description(part, resolve(target, root))
    for alternatives in (part.get("anyOf"), part.get("oneOf"), part.get("allOf")):
        if alternatives:
            non_null_options = [option for option in alternatives if option.get("type") != "null"]
            return _with_description(part, resolve((non_null_options or alternatives)[0], root))
    return part


def _with_description(part: Schema, resolved_part: Schema) -> Schema:
    return (
        {**resolved_part, "description": part["description"]}
        if "description" in part
        else resolved_part
    )


def _fit(value: object, part: Schema, root: Schema) -> object:
    resolved = resolve(part, root)
    if "enum" in resolved:
        return value if value in resolved["enum"] else resolved["enum"][0]
    kind = plain_type(resolved)
    if kind == "array":
        item_schema = resolved.get("items", {})
        items = value if isinstance(value, list) else [value]
        if "action" not in resolve(item_schema, root).get("properties", {}):
            items = [item for item in items if not is_removal(item)]
        return [_fit(item, item_schema, root) for item in items]
    if kind == "object":
        return _fit_object(value, resolved, root)
    if kind == "string" and isinstance(value, Mapping):
        return value["text"]
    return value


def _fit_object(value: object, part: Schema, root: Schema) -> object:
    """`value` ({"text", "topic", ...} or a text) as an object with the properties of `part`."""
    fields = value if isinstance(value, Mapping) else {"text": str(value)}
    names = list(part.get("properties", {}))
    if "text" not in fields:
        return fill({**part, "$defs": root.get("$defs", {})}, fields)
    text_name = next((name for name in _TEXT_PROPERTIES if name in names), None)
    known = {text_name or _first_string(part, root): fields["text"]}
    known |= {
        name: fields["topic"] for name in _TOPIC_PROPERTIES if name in names and "topic" in fields
    }
    known |= {name: fields[name] for name in _OWN_PROPERTIES if name in names and name in fields}
    return fill({**part, "$defs": root.get("$defs", {})}, known)


def is_removal(value: object) -> bool:
    """Whether a known value is a removal, which only an `action` can express."""
    return isinstance(value, Mapping) and value.get("action") == "remove"


def _first_string(part: Schema, root: Schema) -> str:
    properties = part.get("properties", {}).items()
    strings = [
        name
        for name, property_schema in properties
        if plain_type(resolve(property_schema, root)) == "string"
    ]
    return next((name for name in strings if name not in _TOPIC_PROPERTIES), "text")


def default_for(part: Schema, root: Schema) -> object:
    """A simple valid value: the default, null if it is permitted, or the first of an enum."""
    if "default" in part:
        return part["default"]
    alternatives = part.get("anyOf") or part.get("oneOf") or ()
    if any(option.get("type") == "null" for option in alternatives):
        return None
    resolved = resolve(part, root)
    if "const" in resolved:
        return resolved["const"]
    if "enum" in resolved:
        return resolved["enum"][0]
    if plain_type(resolved) == "object":
        return fill({**resolved, "$defs": root.get("$defs", {})}, {})
    defaults = {"integer": resolved.get("minimum", 0), "number": resolved.get("minimum", 0.0)}
    return {**defaults, "boolean": False, "array": [], "null": None}.get(plain_type(resolved), "")


def plain_type(part: Schema) -> str:
    """The name of the type, without null."""
    kind = part.get("type", "object" if "properties" in part else "string")
    if isinstance(kind, list):
        return next((name for name in kind if name != "null"), "null")
    return str(kind)


def strictness_fault(schema: Schema) -> str | None:
    """The reason why OpenAI refuses a schema under `strict`, None if it is accepted.

    Every object needs `additionalProperties: false` and all its properties in `required`:
    https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
    """
    if schema.get("type") == "object" or "properties" in schema:
        if schema.get("additionalProperties") is not False:
            return "'additionalProperties' is required to be supplied and to be false."
        missing = set(schema.get("properties", {})) - set(schema.get("required", ()))
        if missing:
            return f"'required' is required to include every key in properties. Missing {missing}."
    inner_schemas = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    inner_schemas += [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])]
    return next((problem for part in inner_schemas if (problem := strictness_fault(part))), None)
