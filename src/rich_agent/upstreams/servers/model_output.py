"""The JSON that models write: its schema as servers take it, and how it is read, as far as it fits.

What an optional field holds never costs the others: what does not fit is as if it were not there.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Annotated, Any, ClassVar

import json_repair
from langchain_core.utils.json_schema import dereference_refs
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)

from rich_agent.domain.text import clean_text
from rich_agent.upstreams.servers.reasoning import without_thinking

_MOST_CHARS = 50_000
"""A longer text is cut: no shape of ours is near to it."""
_UNSUPPORTED = frozenset({"title", "default", "minLength", "minimum", "maximum"})
"""Keywords that not every strict schema may have. Source: OpenAI, Structured Outputs, schemas."""


def _written(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


Written = Annotated[str, BeforeValidator(_written)]
"""A text; a table or thing that a model describes by JSON of its own is kept as that."""


class ModelOutput(BaseModel):
    """A shape that a model is asked for; its texts can be stored.

    `bare` names the field that a mere text stands for.
    """

    model_config = ConfigDict(coerce_numbers_to_str=True)
    bare: ClassVar[str] = ""

    @model_validator(mode="before")
    @classmethod
    def _read_names(cls, given: object) -> object:
        """Small models write names in capitals, and the main text without the object."""
        if isinstance(given, str) and cls.bare:
            return {cls.bare: given}
        if not isinstance(given, dict):
            return given
        known = cls.model_fields
        return {name if name in known else name.lower(): one for name, one in given.items()}

    @field_validator("*", mode="wrap")
    @classmethod
    def _read_value(
        cls, value: object, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> object:
        field = cls.model_fields[info.field_name or ""]
        if not (isinstance(value, dict) and _says_nothing(value)):
            for candidate in _readings(value, handler):
                with suppress(ValidationError):
                    return _cleaned(handler(candidate))
        if field.is_required():
            return _cleaned(handler(value))
        return field.get_default(call_default_factory=True)


def _readings(value: object, handler: ValidatorFunctionWrapHandler) -> Iterator[object]:
    """What may have been meant: itself, in small letters, as a list, the part of it that fits."""
    yield value
    if isinstance(value, str):
        yield value.strip().lower()
    if isinstance(value, list):
        yield [item for item in value if _fits([item], handler)]
    elif value not in (None, "", {}):
        yield [value]


def _cleaned(value: object) -> object:
    """The value as it can be stored."""
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    return clean_text(value) if isinstance(value, str) else value


def _fits(value: object, handler: ValidatorFunctionWrapHandler) -> bool:
    try:
        handler(value)
    except ValidationError:
        return False
    return True


def _says_nothing(value: object) -> bool:
    """Whether there is nothing in it, however deep: {}, {"query": ""}, {"days": [null]}."""
    if isinstance(value, dict):
        return all(map(_says_nothing, value.values()))
    if isinstance(value, list):
        return all(map(_says_nothing, value))
    return value is None or value == ""


@cache
def schema_of(shape: type[ModelOutput]) -> dict[str, Any]:
    """JSON Schema of a shape in the strict form, without references: all fields are required.

    Source: OpenAI, Structured Outputs, supported schemas.
    """
    schema = dereference_refs(shape.model_json_schema())
    schema.pop("$defs", None)
    strict = _strict(schema)
    return {key: strict[key] for key in ("type", "properties", "required", "additionalProperties")}


def _strict(schema: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _strict(one) for key, one in schema.items() if key not in _UNSUPPORTED}
    if isinstance(properties := schema.get("properties"), dict):
        # Names of fields are no keywords.
        kept["properties"] = {name: _strict(one) for name, one in properties.items()}
        kept |= {"required": list(properties), "additionalProperties": False}
    return kept


def read_object(text: str) -> dict[str, Any] | str | None:
    """The JSON object in a text; the text if it is cut short or hopeless, None for prose.

    Behind a model's thinking, between fences or sentences; with single quotes, trailing commas or
    comments. What is cut short is not completed: half of an answer is no answer.
    """
    text = without_thinking(text)[:_MOST_CHARS]
    start, end = text.find("{"), text.rfind("}") + 1
    if start < 0:
        return None
    part = text[start:end]
    try:
        found = json.loads(part)
    except ValueError:
        if not 0 < part.count("{") <= part.count("}"):
            return text
        try:
            # The fences cost quadratic time.
            found = json_repair.loads(part.replace("```", ""))
        except (ValueError, RecursionError):
            return text
    found = found if isinstance(found, list) else [found]
    return max((one for one in found if isinstance(one, dict)), key=len, default=text)
