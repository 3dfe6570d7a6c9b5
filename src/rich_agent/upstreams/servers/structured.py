"""Structured output from any OpenAI-compatible server, in the best way it supports."""

import json
from collections.abc import Sequence
from typing import Any, Final, TypeVar, get_args

import openai
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import ValidationError

from rich_agent.domain.model_role import Step
from rich_agent.errors import MalformedOutputError
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.chat_client import ChatClient, open_chat_client
from rich_agent.upstreams.servers.reasoning import (
    ModelOutput,
    ShapedOutput,
    read_object,
    schema_of,
)
from rich_agent.upstreams.servers.refusals import is_about_form, translate_openai_errors
from rich_agent.upstreams.servers.replies import ending_of

Output = TypeVar("Output", bound=ModelOutput)
_STEPS: Final[tuple[Step, ...]] = get_args(Step)


class StructuredModel:
    """A model in one role with structured output; `service` is its name in errors."""

    service = "model"

    def __init__(self, access: ModelAccess) -> None:
        self._role = access.role
        self._client = open_chat_client(access)

    async def ask(self, messages: Sequence[BaseMessage], shape: type[Output]) -> Output:
        """The model's output as `shape`. Raises: UpstreamError."""
        with translate_openai_errors(self.service, self._role):
            return await ask_structured(self._client, messages, shape)


async def ask_structured(
    client: ChatClient, messages: Sequence[BaseMessage], shape: type[Output]
) -> Output:
    """The model's output as `shape`.

    The ways are tried in order: a strict schema, a tool that must be called, JSON mode, plain
    instructions. If the server refuses a way or the model answers in prose, the next one is tried.
    The way that succeeds is tried first from then on. Output that lacks required fields is sent
    back to the model once, with the errors.

    Raises: MalformedOutputError; the first refusal if all ways are refused.
    """
    known = (await client.capabilities.known()).step
    refused: openai.APIStatusError | None = None
    for step in _STEPS[_STEPS.index(known or _STEPS[0]) :]:
        try:
            reply = await _ask(client, messages, shape, step)
        except openai.APIStatusError as error:
            if not is_about_form(error):
                raise
            refused = refused or error
            continue
        if step != _STEPS[-1] and _object_in(reply) is None:
            continue
        found = await _read(client, messages, shape, step, reply)
        if refused or not known:  # a known way that once produced prose is tried again
            await client.capabilities.give(step)
        return found
    raise refused or MalformedOutputError("model", "it gives no structured output")


async def _read(
    client: ChatClient,
    messages: Sequence[BaseMessage],
    shape: type[Output],
    step: Step,
    reply: AIMessage,
) -> Output:
    """The reply as `shape`, repaired if necessary. Raises: MalformedOutputError."""
    try:
        return shape.model_validate(_object_in(reply))
    except ValidationError as error:
        repair = [AIMessage(_text_of(reply)), HumanMessage(_wish_for_repair(error))]
    try:
        return shape.model_validate(
            _object_in(await _ask(client, [*messages, *repair], shape, step))
        )
    except ValidationError as error:
        raise MalformedOutputError("model", f"its output is not a {shape.__name__}") from error


async def _ask(
    client: ChatClient,
    messages: Sequence[BaseMessage],
    shape: type[ModelOutput],
    step: Step,
) -> AIMessage:
    name, about, schema = shape.__name__, shape.__doc__, schema_of(shape)
    options: dict[str, Any] = {"most_tokens": shape.most_tokens}
    if step == "json_schema":
        is_own = not issubclass(shape, ShapedOutput)
        told = {"name": name, "description": about, "schema": schema, "strict": is_own}
        options["response_format"] = {"type": "json_schema", "json_schema": told}
    elif step == "tool_call":
        function = {"name": name, "description": about, "parameters": schema}
        tool = {"type": "function", "function": function}
        # LM Studio and older versions of Mistral do not accept an object that names the tool.
        options |= {"tools": [tool], "tool_choice": "required"}
    elif step == "json_mode":
        options["response_format"] = {"type": "json_object"}
    if step in {"json_mode", "words"}:
        wish = f"Answer with one JSON object and nothing else, of this schema: {json.dumps(schema)}"
        messages = [*messages, HumanMessage(wish)]
    return await client.ainvoke(messages, **options)


def _object_in(reply: AIMessage) -> dict[str, Any] | str | None:
    """The arguments of the model's tool call, else the result of `read_object`.

    None if its tokens ran out, because half a form is not taken for a whole one.
    """
    if ending_of(reply) == "length":
        return None
    if reply.tool_calls:
        return reply.tool_calls[0]["args"]
    return read_object(_text_of(reply))


def _text_of(reply: AIMessage) -> str:
    calls = [json.dumps(call["args"], ensure_ascii=False) for call in reply.tool_calls]
    calls += [str(call["args"]) for call in reply.invalid_tool_calls]
    return (calls[0] if calls else str(reply.text)) or "(nothing)"


def _wish_for_repair(error: ValidationError) -> str:
    wrong = [
        f"- {'.'.join(map(str, one['loc'])) or 'the whole'}: {one['msg']}" for one in error.errors()
    ]
    return "\n".join(
        ["That was malformed:", *wrong, "Give the whole JSON object again, complete and valid."]
    )
