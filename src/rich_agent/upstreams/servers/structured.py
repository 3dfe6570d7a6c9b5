"""Structured output from any OpenAI-compatible server, in the best way that the server supports."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar, get_args

import openai
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import ValidationError

from rich_agent.domain.model_role import Step
from rich_agent.errors import MalformedOutputError
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.chat_client import ChatClient, open_chat_client
from rich_agent.upstreams.servers.output_shapes import (
    Content,
    ModelOutput,
    RequestedForm,
    ShapedOutput,
    read_cut_object,
    read_object,
)
from rich_agent.upstreams.servers.refusals import (
    is_about_form,
    names_bounds,
    translate_openai_errors,
)
from rich_agent.upstreams.servers.replies import ending_of

Output = TypeVar("Output", bound=ModelOutput)
_STEPS: Final[tuple[Step, ...]] = get_args(Step)
_MOST_FAILURES = 2
"""The outputs after which a model that is known to give structured output is not asked again."""
_NO_OUTPUT = "it gives no structured output"


class StructuredModel:
    """A model in one role with structured output; `service` is its name in errors."""

    service = "model"

    def __init__(self, access: ModelAccess) -> None:
        self._role = access.role
        self._client = open_chat_client(access)

    async def ask(
        self, messages: Sequence[BaseMessage], form: type[Output] | RequestedForm[Output]
    ) -> Output:
        """Return the model's output as the shape of the form. Raises: UpstreamError."""
        requested_form = form if isinstance(form, RequestedForm) else RequestedForm(form)
        with translate_openai_errors(self.service, self._role):
            return await ask_structured(self._client, messages, requested_form)


async def ask_structured(
    client: ChatClient, messages: Sequence[BaseMessage], form: RequestedForm[Output]
) -> Output:
    """Return the model's output as the shape of the form.

    Four ways are tried in order: a strict schema, a tool that must be called, JSON mode, plain
    instructions. If the server refuses a way, or the model answers in prose, the next way is tried.
    Later calls begin with the way that succeeded, and end after the second output in prose. Of
    output with wrong fields, these are asked for once more.
    Raises: MalformedOutputError; the first refusal if all ways are refused.
    """
    known_step = (await client.capabilities.known()).step
    refusal: openai.APIStatusError | None = None
    failure_count = 0
    for step in _STEPS[_STEPS.index(known_step or _STEPS[0]) :]:
        call = StructuredCall(client, messages, form, step)
        try:
            reply = await call.reply()
        except openai.APIStatusError as error:
            if not is_about_form(error):
                raise
            refusal = refusal or error
            continue
        if not call.is_answered_by(reply):
            failure_count += 1
            if known_step and failure_count == _MOST_FAILURES:
                raise MalformedOutputError("model", _NO_OUTPUT)
            if step != _STEPS[-1]:
                continue
        output = await call.read(reply)
        if refusal or not known_step:  # a known way that produced prose once is kept
            await client.capabilities.give(step)
        return output
    raise refusal or MalformedOutputError("model", _NO_OUTPUT)


@dataclass(frozen=True, slots=True)
class StructuredCall(Generic[Output]):
    """A request for a form in one of the ways, and its repair."""

    client: ChatClient
    messages: Sequence[BaseMessage]
    form: RequestedForm[Output]
    step: Step

    async def reply(self) -> AIMessage:
        """The reply; bounds and schemas that the server refuses are left out.

        Raises: openai.APIStatusError.
        """
        return await self._send(self.form)

    async def _send(
        self, form: RequestedForm[Output], repair: Sequence[BaseMessage] = ()
    ) -> AIMessage:
        """The reply to the prompt and `repair`; the prompt is the same in both requests.

        Raises: openai.APIStatusError.
        """
        while True:
            options, instructions = self._options(form), self._instructions()
            try:
                return await self.client.reply([*self.messages, *instructions, *repair], **options)
            except openai.APIStatusError as error:
                if not is_about_form(error) or not self._leave_out(error):
                    raise

    def is_answered_by(self, reply: AIMessage) -> bool:
        """Whether the reply is worth reading; false for prose, for which the next way is better.

        If the server ignored the tool, the model's own words only count if they fit the shape.
        """
        content = self._object_in(reply)
        if self.step != "tool_call" or reply.tool_calls or reply.invalid_tool_calls:
            return content is not None
        try:
            self.form.shape.model_validate(content)
        except ValidationError:
            return False
        return True

    async def read(self, reply: AIMessage) -> Output:
        """The reply as the shape, repaired if necessary. Raises: MalformedOutputError."""
        shape, content = self.form.shape, self._object_in(reply)
        try:
            return shape.model_validate(content)
        except ValidationError as error:
            repair_form, request = self._repair(content, error)
        messages = [AIMessage(_text_of(reply)), HumanMessage(request)]
        repaired = self._object_in(await self._send(repair_form, messages))
        if isinstance(content, dict) and isinstance(repaired, dict):
            repaired = {**content, **repaired}
        try:
            return shape.model_validate(repaired)
        except ValidationError as error:
            problem = f"its output is not a {shape.__name__}"
            raise MalformedOutputError("model", problem) from error

    def _repair(self, content: object, error: ValidationError) -> tuple[RequestedForm[Output], str]:
        """The form of a repair, and the request: the wrong fields only, if they are known.

        A tool is the same again, because it stands at the beginning of the prompt.
        """
        problems = [
            f"- {'.'.join(map(str, problem['loc'])) or 'the whole'}: {problem['msg']}"
            for problem in error.errors()
        ]
        names = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]}
        form, end = self.form, "Give the whole JSON object again, complete and valid."
        if isinstance(content, dict) and names and names <= form.shape.model_fields.keys():
            end = f"Give one JSON object with nothing but this: {', '.join(sorted(names))}."
            if self.step not in {"tool_call", "words"}:
                form = replace(form, fields=frozenset(names))
        return form, "\n".join(["That was malformed:", *problems, end])

    def _instructions(self) -> list[BaseMessage]:
        """The message that follows the prompt, where the schema has to stand in words."""
        if self.step not in {"json_mode", "words"}:
            return []
        schema = self.form.schema(is_bounded=not self.client.capabilities.refuses_bounds)
        text = f"Answer with one JSON object and nothing else, of this schema: {json.dumps(schema)}"
        return [HumanMessage(text)]

    def _options(self, form: RequestedForm[Output]) -> dict[str, Any]:
        """The parameters of a request for this form."""
        capabilities, shape = self.client.capabilities, form.shape
        name, description = shape.__name__, shape.__doc__
        is_bounded = not capabilities.refuses_bounds
        schema = form.schema(is_bounded=is_bounded)
        # Only a strict schema is known to be enforced.
        limit = form.token_limit(is_bounded=is_bounded and self.step == "json_schema")
        options: dict[str, Any] = {"most_tokens": limit}
        if self.step == "json_schema":
            is_own_shape = not issubclass(shape, ShapedOutput)
            named_schema = {"name": name, "description": description, "schema": schema}
            json_schema = {**named_schema, "strict": is_own_shape}
            options["response_format"] = {"type": "json_schema", "json_schema": json_schema}
        elif self.step == "tool_call":
            function = {"name": name, "description": description, "parameters": schema}
            tool = {"type": "function", "function": function}
            # LM Studio and older versions of Mistral do not accept an object that names the tool.
            options |= {"tools": [tool], "tool_choice": "required"}
        elif self.step == "json_mode":
            # llama.cpp, Together and Fireworks enforce the schema, and other servers ignore it.
            constraint = {} if capabilities.refuses_bound_objects else {"schema": schema}
            options["response_format"] = {"type": "json_object", **constraint}
        return options

    def _leave_out(self, refusal: openai.APIStatusError) -> bool:
        """Record what the next request has to leave out; return whether there is anything."""
        capabilities = self.client.capabilities
        if names_bounds(refusal) and not capabilities.refuses_bounds:
            capabilities.refuses_bounds = True
            return True
        if self.step == "json_mode" and not capabilities.refuses_bound_objects:
            capabilities.refuses_bound_objects = True
            return True
        return False

    def _object_in(self, reply: AIMessage) -> Content:
        """The arguments of the model's tool call, else the result of `read_object`.

        If the token limit was reached, the result of `read_cut_object`.
        """
        if ending_of(reply) == "length":
            return self.form.restrict(read_cut_object(_text_of(reply), self.form.shape))
        if reply.tool_calls:
            return self.form.restrict(reply.tool_calls[0]["args"])
        return self.form.restrict(read_object(str(reply.text)))


def _text_of(reply: AIMessage) -> str:
    calls = [json.dumps(call["args"], ensure_ascii=False) for call in reply.tool_calls]
    calls += [str(call["args"]) for call in reply.invalid_tool_calls]
    return (calls[0] if calls else str(reply.text)) or "(nothing)"
