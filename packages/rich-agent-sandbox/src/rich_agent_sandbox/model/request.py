"""Requests of the OpenAI API, with the fields that are used; other fields are accepted and ignored.

Fields: https://platform.openai.com/docs/api-reference/chat/create and …/embeddings/create.
"""

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rich_agent_sandbox.model.schema import Schema, strictness_fault

MOST_INPUTS = 2048
MOST_DIMENSIONS = 4096


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class ContentPart(_Lenient):
    """One part of a message: text, image_url, or an ignored part."""

    type: str
    text: str | None = None
    image_url: dict[str, Any] | None = None


class CalledFunction(_Lenient):
    """The name of a call, and its arguments as JSON text."""

    name: str
    arguments: str


class MadeCall(_Lenient):
    """A call in the history."""

    id: str
    type: Literal["function"]
    function: CalledFunction


class Message(_Lenient):
    """One message of a chat."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ContentPart] | None = None
    tool_calls: list[MadeCall] | None = Field(default=None, min_length=1)
    tool_call_id: str | None = None


class FunctionSpec(_Lenient):
    """A function that may be called, with the JSON schema of its arguments."""

    name: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    strict: bool | None = None


class Tool(_Lenient):
    """A tool, which is always a function."""

    type: Literal["function"]
    function: FunctionSpec


class JsonSchemaFormat(_Lenient):
    """The schema for structured output."""

    name: str
    schema_: dict[str, Any] = Field(default_factory=dict, alias="schema")
    strict: bool | None = None


class ResponseFormat(_Lenient):
    """Whether the content is text, any JSON object, or an object that fits a schema."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: JsonSchemaFormat | None = None


class NamedFunction(_Lenient):
    """The name in a tool choice."""

    name: str


class NamedToolChoice(_Lenient):
    """A tool choice that names the function to call."""

    type: Literal["function"]
    function: NamedFunction


class StreamOptions(_Lenient):
    """The content of a stream besides the text."""

    include_usage: bool = False


class ChatRequest(_Lenient):
    """`POST /chat/completions`, with OpenAI's rules between fields."""

    model: str
    messages: list[Message] = Field(min_length=1)
    stream: bool = False
    stream_options: StreamOptions | None = None
    tools: list[Tool] | None = Field(default=None, min_length=1, max_length=128)
    tool_choice: Literal["none", "auto", "required", "any"] | NamedToolChoice | None = None
    response_format: ResponseFormat | None = None
    n: int = Field(default=1, ge=1, le=128)
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    temperature: float | None = Field(default=None, ge=0, le=2)

    @property
    def token_limit(self) -> int | None:
        """The maximum number of tokens of an answer."""
        return self.max_completion_tokens or self.max_tokens

    @property
    def wants_usage(self) -> bool:
        """Whether a stream ends with its usage."""
        return bool(self.stream_options and self.stream_options.include_usage)

    @model_validator(mode="after")
    def _fields_agree(self) -> Self:
        if self.stream_options and not self.stream:
            raise ValueError(
                "The 'stream_options' parameter is only allowed when 'stream' is enabled."
            )
        if self.tool_choice and not self.tools:
            raise ValueError("'tool_choice' is only allowed when 'tools' are specified.")
        names = [tool.function.name for tool in self.tools or ()]
        tool_choice = self.tool_choice
        if isinstance(tool_choice, NamedToolChoice) and tool_choice.function.name not in names:
            raise ValueError(
                f"Tool choice '{tool_choice.function.name}' not found in 'tools' parameter."
            )
        return self

    @model_validator(mode="after")
    def _calls_are_answered(self) -> Self:
        """Check that each call is followed by its result, and that each result has its call."""
        open_ids: list[str] = []
        for message in self.messages:
            if message.role == "tool":
                if message.tool_call_id not in open_ids:
                    raise ValueError(
                        "Invalid parameter: messages with role 'tool' must be a response to a "
                        "preceding message with 'tool_calls'."
                    )
                open_ids.remove(message.tool_call_id)
            else:
                _require_answers(open_ids)
                open_ids = [call.id for call in message.tool_calls or ()]
        _require_answers(open_ids)
        return self

    @model_validator(mode="after")
    def _formats_are_possible(self) -> Self:
        response_format = self.response_format
        if (
            response_format
            and response_format.type == "json_schema"
            and not response_format.json_schema
        ):
            raise ValueError("Missing required parameter: 'response_format.json_schema'.")
        if (
            response_format
            and response_format.type == "json_object"
            and "json" not in str(self.messages).lower()
        ):
            raise ValueError(
                "'messages' must contain the word 'json' in some form, to use 'response_format' "
                "of type 'json_object'."
            )
        for name, schema in self._strict_schemas():
            if problem := strictness_fault(schema):
                raise ValueError(f"Invalid schema for '{name}': {problem}")
        return self

    def _strict_schemas(self) -> list[tuple[str, Schema]]:
        functions = [tool.function for tool in self.tools or ()]
        schemas: list[tuple[str, Schema]] = [
            (function.name, function.parameters) for function in functions if function.strict
        ]
        json_format = self.response_format.json_schema if self.response_format else None
        return schemas + (
            [(json_format.name, json_format.schema_)] if json_format and json_format.strict else []
        )


def _require_answers(open_ids: list[str]) -> None:
    if open_ids:
        raise ValueError(
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            + ", ".join(open_ids)
        )


class EmbeddingRequest(_Lenient):
    """`POST /embeddings`; token arrays are refused, because this model has no tokeniser."""

    model: str
    input: str | list[str]
    dimensions: int | None = Field(default=None, ge=1, le=MOST_DIMENSIONS)
    encoding_format: Literal["float", "base64"] = "float"

    @property
    def texts(self) -> list[str]:
        """The inputs in order."""
        return [self.input] if isinstance(self.input, str) else self.input

    @model_validator(mode="before")
    @classmethod
    def _input_is_text(cls, fields: dict[str, Any]) -> dict[str, Any]:
        input_value = fields.get("input")
        holds_tokens = isinstance(input_value, list) and isinstance(
            next(iter(input_value), ""), int | list
        )
        if holds_tokens:
            raise ValueError(
                "This model takes text, not token arrays (langchain_openai: "
                "check_embedding_ctx_length=False)."
            )
        return fields

    @model_validator(mode="after")
    def _inputs_count(self) -> Self:
        if not 1 <= len(self.texts) <= MOST_INPUTS:
            raise ValueError(f"'input' must hold 1 to {MOST_INPUTS} texts.")
        if not all(self.texts):
            raise ValueError("'input' cannot be an empty string.")
        return self
