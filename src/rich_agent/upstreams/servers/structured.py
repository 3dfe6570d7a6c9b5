"""Structured output from any OpenAI-compatible server, in the best way that the server supports."""

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
from rich_agent.upstreams.servers.output_shapes import (
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
        """Return the model's output as `shape`. Raises: UpstreamError."""
        with translate_openai_errors(self.service, self._role):
            return await ask_structured(self._client, messages, shape)


async def ask_structured(
    client: ChatClient, messages: Sequence[BaseMessage], shape: type[Output]
) -> Output:
    """Return the model's output as `shape`.

    Four ways are tried in order: a strict schema, a tool that must be called, JSON mode, plain
    instructions. If the server refuses a way, or the model answers in prose, the next way is tried.
    Later calls begin with the way that succeeded. Output that lacks required fields is sent back to
    the model once, with the errors.
    Raises: MalformedOutputError; the first refusal if all ways are refused.
    """
    known_step = (await client.capabilities.known()).step
    refusal: openai.APIStatusError | None = None
    for step in _STEPS[_STEPS.index(known_step or _STEPS[0]) :]:
        try:
            reply = await _ask(client, messages, shape, step)
        except openai.APIStatusError as error:
            if not is_about_form(error):
                raise
            refusal = refusal or error
            continue
        if step != _STEPS[-1] and not _is_of_step(reply, shape, step):
            continue
        output = await _read(client, messages, shape, step, reply)
        if refusal or not known_step:  # a known way that produced prose once is kept
            await client.capabilities.give(step)
        return output
    raise refusal or MalformedOutputError("model", "it gives no structured output")


def _is_of_step(reply: AIMessage, shape: type[Output], step: Step) -> bool:
    """Whether the reply is worth reading; false for prose, for which the next way is better.

    If the server ignored the tool, the model's own words only count if they fit the shape.
    """
    content = _object_in(reply)
    if step != "tool_call" or reply.tool_calls or reply.invalid_tool_calls or content is None:
        return content is not None
    try:
        shape.model_validate(content)
    except ValidationError:
        return False
    return True


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
        repair = [AIMessage(_text_of(reply)), HumanMessage(_repair_request(error))]
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
    name, description, schema = shape.__name__, shape.__doc__, schema_of(shape)
    question, capabilities = messages, client.capabilities
    options: dict[str, Any] = {"most_tokens": shape.most_tokens}
    if step == "json_schema":
        is_own_shape = not issubclass(shape, ShapedOutput)
        form = {"name": name, "description": description, "schema": schema, "strict": is_own_shape}
        options["response_format"] = {"type": "json_schema", "json_schema": form}
    elif step == "tool_call":
        function = {"name": name, "description": description, "parameters": schema}
        tool = {"type": "function", "function": function}
        # LM Studio and older versions of Mistral do not accept an object that names the tool.
        options |= {"tools": [tool], "tool_choice": "required"}
    elif step == "json_mode":
        # llama.cpp, Together and Fireworks enforce the schema, and other servers ignore it.
        constraint = {} if capabilities.refuses_bound_objects else {"schema": schema}
        options["response_format"] = {"type": "json_object", **constraint}
    if step in {"json_mode", "words"}:
        instruction = (
            f"Answer with one JSON object and nothing else, of this schema: {json.dumps(schema)}"
        )
        messages = [*messages, HumanMessage(instruction)]
    try:
        return await client.ainvoke(messages, **options)
    except openai.APIStatusError as error:
        is_bound = step == "json_mode" and not capabilities.refuses_bound_objects
        if not is_bound or not is_about_form(error):
            raise
    capabilities.refuses_bound_objects = True
    return await _ask(client, question, shape, step)


def _object_in(reply: AIMessage) -> dict[str, Any] | str | None:
    """The arguments of the model's tool call, else the result of `read_object`.

    None if the token limit was reached, because a partial form is not accepted.
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


def _repair_request(error: ValidationError) -> str:
    problems = [
        f"- {'.'.join(map(str, problem['loc'])) or 'the whole'}: {problem['msg']}"
        for problem in error.errors()
    ]
    return "\n".join(
        ["That was malformed:", *problems, "Give the whole JSON object again, complete and valid."]
    )
