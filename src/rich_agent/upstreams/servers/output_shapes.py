"""Shapes of structured output: their JSON Schema, and the reading of a model's text."""

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar

import json_repair
from langchain_core.utils.json_schema import dereference_refs
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema, from_json
from typing_extensions import override

from rich_agent.domain.json_values import storable
from rich_agent.domain.text import shorten
from rich_agent.upstreams.servers.reasoning import without_thinking
from rich_agent.upstreams.servers.refusals import BOUNDS

_MOST_CHARS = 50_000
"""Longer texts are truncated; valid output is much shorter."""
_UNSUPPORTED = frozenset({"title", "default", "minLength", "minimum", "maximum"})
"""Keywords that some servers refuse in a strict schema. Source: OpenAI, Structured Outputs."""


def _as_json_text(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


Written = Annotated[str, BeforeValidator(_as_json_text)]
"""The value as text; a nested object or list is kept as JSON text."""


@dataclass(frozen=True, slots=True)
class MostChars:
    """The bound of a text: it stands in the schema, and a longer text is cut.

    A text that users read (`is_shown`) is cut between words.
    """

    count: int
    is_shown: bool = False

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        def cut(value: object) -> object:
            if not isinstance(value, str):
                return value
            return shorten(value, self.count) if self.is_shown else value[: self.count]

        return core_schema.no_info_before_validator_function(cut, handler(source))

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(core) | {"maxLength": self.count}


@dataclass(frozen=True, slots=True)
class MostItems:
    """The bound of a list: it stands in the schema, and a longer list is cut."""

    count: int

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        def cut(value: object) -> object:
            return value[: self.count] if isinstance(value, list) else value

        return core_schema.no_info_before_validator_function(cut, handler(source))

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(core) | {"maxItems": self.count}


class ModelOutput(BaseModel):
    """A shape that a model is asked for; its texts can be stored.

    `bare` names the field that a mere text stands for; `most_tokens` bounds what is written, where
    the bounds of texts and lists allow for more. `may_be_cut`: nothing is lost if a model that
    reached its limit of tokens gave only the first fields.
    """

    model_config = ConfigDict(coerce_numbers_to_str=True)
    bare: ClassVar[str] = ""
    most_tokens: ClassVar[int] = 2_000
    may_be_cut: ClassVar[bool] = False

    @model_validator(mode="before")
    @classmethod
    def _read_names(cls, value: object) -> object:
        """Accept names in capitals, and the main text without an object, as small models write.

        A text that begins like an object is a broken one, and no main text.
        """
        if isinstance(value, str) and cls.bare and not value.lstrip().startswith("{"):
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


Content = dict[str, Any] | str | None
"""A model's output as it was read: an object, a broken one as text, None without an object."""
Shape = TypeVar("Shape", bound=ModelOutput)


def schema_of(
    shape: type[ModelOutput], fields: frozenset[str] = frozenset(), *, is_bounded: bool = True
) -> dict[str, Any]:
    """The JSON Schema of a shape, or of these fields of it.

    The schemas of the product's own shapes are strict: they have no references, and all fields are
    required. Source: OpenAI, Structured Outputs, supported schemas. Without `is_bounded`, texts
    and lists have no bounds.
    """
    if issubclass(shape, ShapedOutput):
        return dict(shape.wanted)
    return _schema_of_fields(shape, fields, is_bounded)


@cache
def _schema_of_fields(
    shape: type[ModelOutput],
    fields: frozenset[str],
    is_bounded: bool,  # noqa: FBT001 - a cache key
) -> dict[str, Any]:
    schema = _strict_schema_of(shape, _UNSUPPORTED if is_bounded else _UNSUPPORTED | BOUNDS)
    properties = {
        name: field_schema
        for name, field_schema in schema["properties"].items()
        if not fields or name in fields
    }
    return {**schema, "properties": properties, "required": list(properties)}


@cache
def _strict_schema_of(shape: type[ModelOutput], omitted: frozenset[str]) -> dict[str, Any]:
    schema = dereference_refs(shape.model_json_schema())
    schema.pop("$defs", None)
    strict = _strict(schema, omitted)
    return {key: strict[key] for key in ("type", "properties", "required", "additionalProperties")}


def _strict(schema: Any, omitted: frozenset[str]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(schema, list):
        return [_strict(item, omitted) for item in schema]
    if not isinstance(schema, dict):
        return schema
    strict_schema = {
        key: _strict(item, omitted) for key, item in schema.items() if key not in omitted
    }
    if isinstance(properties := schema.get("properties"), dict):
        # Field names are not keywords.
        strict_schema["properties"] = {
            name: _strict(item, omitted) for name, item in properties.items()
        }
        strict_schema |= {"required": list(properties), "additionalProperties": False}
    return strict_schema


_CHARS_OF_A_TOKEN = 3
"""A model writes some more characters of names, layout and Latin text with a token."""
_LEAST_TOKENS = 200
"""The least limit of a form, unless its caller allows for less: some models write a sentence first.
"""
_LAYOUT_CHARS = 10
"""The quotes, the colon, the comma, and the indentation of a field or an item."""
_VALUE_CHARS = 5
"""The length of a number, of true, false or null."""
_A_DATE = "YYYY-MM-DD"


@dataclass(frozen=True, slots=True)
class RequestedForm(Generic[Shape]):
    """A shape as a model is asked for it.

    `fields` are the names of those that it is to give, empty for all. `most_tokens` bounds what it
    writes, where the bounds of texts and lists allow for more.
    """

    shape: type[Shape]
    fields: frozenset[str] = frozenset()
    most_tokens: int | None = None

    def schema(self, *, is_bounded: bool = True) -> dict[str, Any]:
        """The JSON Schema to send."""
        return schema_of(self.shape, self.fields, is_bounded=is_bounded)

    def restrict(self, content: Content) -> Content:
        """An object without the fields that were not asked for; any other content as it is."""
        if not isinstance(content, dict) or not self.fields:
            return content
        return {name: value for name, value in content.items() if name.lower() in self.fields}

    def token_limit(self, *, is_bounded: bool = True) -> int:
        """The tokens that a model may write.

        They are computed from the bounds of texts and lists, if the server enforces these.
        """
        limits = [self.shape.most_tokens, self.most_tokens or self.shape.most_tokens]
        if is_bounded and not issubclass(self.shape, ShapedOutput):
            # In many scripts, a character takes a token.
            text_chars = _CHARS_OF_A_TOKEN if self.shape.may_be_cut else 1
            tokens = _longest_tokens(self.schema(), text_chars)
            limits.append(max(_LEAST_TOKENS, math.ceil(min(tokens, *limits))))
        return min(limits)


def _longest_tokens(schema: Mapping[str, Any], text_chars: int) -> float:
    """The tokens of the longest JSON text of a schema; one holds so many characters of a text."""
    if choices := schema.get("anyOf"):
        return max(_longest_tokens(choice, text_chars) for choice in choices)
    if properties := schema.get("properties"):
        return sum(
            (len(name) + _LAYOUT_CHARS) / _CHARS_OF_A_TOKEN + _longest_tokens(item, text_chars)
            for name, item in properties.items()
        )
    if items := schema.get("items"):
        item_tokens = _LAYOUT_CHARS / _CHARS_OF_A_TOKEN + _longest_tokens(items, text_chars)
        return float(schema.get("maxItems", math.inf)) * item_tokens
    if schema.get("type") != "string":
        return _VALUE_CHARS / _CHARS_OF_A_TOKEN
    if not schema.keys() & {"enum", "const", "format"}:
        return float(schema.get("maxLength", math.inf)) / text_chars
    words = schema.get("enum") or [schema.get("const") or _A_DATE]
    return max(map(len, words)) / _CHARS_OF_A_TOKEN


def _from_brace(text: str) -> str:
    """A model's text from its first brace, without thinking; "" without a brace."""
    return "".join(without_thinking(text)[:_MOST_CHARS].partition("{")[1:])


def read_object(text: str) -> Content:
    """The JSON object in a text; the text from its brace if it is broken, None without an object.

    The object may stand after thinking, in a code fence, or between sentences. Single quotes,
    trailing commas and comments are accepted. A truncated object is not completed, because half an
    answer is worthless.
    """
    text = _from_brace(text)
    if not text:
        return None
    part = text[: text.rfind("}") + 1]
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


def read_cut_object(text: str, shape: type[ModelOutput]) -> Content:
    """The JSON object in a text that ends too early: its fields so far, if it may be cut.

    The text from its brace if it may not be cut or is no JSON, None without an object.
    """
    text = _from_brace(text)
    if not text or not shape.may_be_cut:
        return text or None
    try:
        content = from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return text
    return content if isinstance(content, dict) else text
