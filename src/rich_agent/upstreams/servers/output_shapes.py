"""Shapes of structured output: their JSON Schema, and the reading of a model's text."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Annotated, Any, ClassVar, Self

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
from typing_extensions import override

from rich_agent.domain.json_values import storable
from rich_agent.upstreams.servers.reasoning import without_thinking

_MOST_CHARS = 50_000
"""Longer texts are truncated; valid output is much shorter."""
_UNSUPPORTED = frozenset({"title", "default", "minLength", "minimum", "maximum"})
"""Keywords that some servers refuse in a strict schema. Source: OpenAI, Structured Outputs."""


def _as_json_text(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


Written = Annotated[str, BeforeValidator(_as_json_text)]
"""The value as text; a nested object or list is kept as JSON text."""


class ModelOutput(BaseModel):
    """A shape that a model is asked for; its texts can be stored.

    `bare` names the field that a mere text stands for; `most_tokens` bounds what is written.
    """

    model_config = ConfigDict(coerce_numbers_to_str=True)
    bare: ClassVar[str] = ""
    most_tokens: ClassVar[int] = 2_000

    @model_validator(mode="before")
    @classmethod
    def _read_names(cls, value: object) -> object:
        """Accept names in capitals, and the main text without an object, as small models write."""
        if isinstance(value, str) and cls.bare:
            return {cls.bare: value}
        if not isinstance(value, dict):
            return value
        fields = cls.model_fields
        return {
            name if name in fields else name.lower(): field_value
            for name, field_value in value.items()
        }

    @field_validator("*", mode="wrap")
    @classmethod
    def _read_value(
        cls, value: object, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> object:
        field = cls.model_fields[info.field_name or ""]
        if not (isinstance(value, dict) and _says_nothing(value)):
            for candidate in _readings(value, handler):
                with suppress(ValidationError):
                    return storable(handler(candidate))
        if field.is_required():
            return storable(handler(value))
        return field.get_default(call_default_factory=True)


def _readings(value: object, handler: ValidatorFunctionWrapHandler) -> Iterator[object]:
    """Possible readings of a value: unchanged, in lower case, as a list, only its fitting items."""
    yield value
    if isinstance(value, str):
        yield value.strip().lower()
    if isinstance(value, list):
        yield [item for item in value if _fits([item], handler)]
    elif value not in (None, "", {}):
        yield [value]


def _fits(value: object, handler: ValidatorFunctionWrapHandler) -> bool:
    try:
        handler(value)
    except ValidationError:
        return False
    return True


def _says_nothing(value: object) -> bool:
    """Whether a value is empty at every depth: {}, {"query": ""}, {"days": [null]}."""
    if isinstance(value, dict):
        return all(map(_says_nothing, value.values()))
    if isinstance(value, list):
        return all(map(_says_nothing, value))
    return value is None or value == ""


class ShapedOutput(ModelOutput):
    """An answer in the form that a program asks for: `wanted`, a JSON Schema of an object."""

    model_config = ConfigDict(extra="allow")
    wanted: ClassVar[Mapping[str, Any]] = {}

    @model_validator(mode="before")
    @classmethod
    @override
    def _read_names(cls, value: object) -> object:
        """Keep the names as they are, because the program defines them."""
        return value

    @model_validator(mode="after")
    def _fit(self) -> Self:
        from rich_agent.runtime.json_schema import problems_with  # noqa: PLC0415 - loads a library

        if problems := problems_with(self.model_extra or {}, self.wanted):
            raise ValueError("; ".join(problems))
        return self


def schema_of(shape: type[ModelOutput]) -> dict[str, Any]:
    """The JSON Schema of a shape. The schemas of the product's own shapes are strict.

    A strict schema has no references, and all fields are required. Source: OpenAI, Structured
    Outputs, supported schemas.
    """
    return dict(shape.wanted) if issubclass(shape, ShapedOutput) else _strict_schema_of(shape)


@cache
def _strict_schema_of(shape: type[ModelOutput]) -> dict[str, Any]:
    schema = dereference_refs(shape.model_json_schema())
    schema.pop("$defs", None)
    strict = _strict(schema)
    return {key: strict[key] for key in ("type", "properties", "required", "additionalProperties")}


def _strict(schema: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    strict_schema = {key: _strict(item) for key, item in schema.items() if key not in _UNSUPPORTED}
    if isinstance(properties := schema.get("properties"), dict):
        # Field names are not keywords.
        strict_schema["properties"] = {name: _strict(item) for name, item in properties.items()}
        strict_schema |= {"required": list(properties), "additionalProperties": False}
    return strict_schema


def read_object(text: str) -> dict[str, Any] | str | None:
    """The JSON object in a text; the text itself if the object is broken, None without an object.

    The object may stand after thinking, in a code fence, or between sentences. Single quotes,
    trailing commas and comments are accepted. A truncated object is not completed, because half an
    answer is worthless.
    """
    text = without_thinking(text)[:_MOST_CHARS]
    start, end = text.find("{"), text.rfind("}") + 1
    if start < 0:
        return None
    part = text[start:end]
    try:
        content = json.loads(part)
    except (ValueError, RecursionError):
        if not 0 < part.count("{") <= part.count("}"):
            return text
        try:
            # Fences would take quadratic time.
            content = json_repair.loads(part.replace("```", ""))
        except (ValueError, RecursionError):
            return text
    content = content if isinstance(content, list) else [content]
    return max((item for item in content if isinstance(item, dict)), key=len, default=text)
