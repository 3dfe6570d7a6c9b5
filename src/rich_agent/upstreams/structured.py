"""Structured output from any OpenAI-compatible server: a tool call, or JSON in the text."""

import json
from collections.abc import Sequence
from typing import TypeVar

import openai
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, ValidationError

from rich_agent.errors import MalformedOutputError

Output = TypeVar("Output", bound=BaseModel)


async def ask_structured(
    client: ChatOpenAI,
    messages: Sequence[BaseMessage],
    shape: type[Output],
    *,
    repairs: int = 0,
) -> Output:
    """The model's output as `shape`, asked for by one forced tool call.

    A server that refuses tools (400) is asked for JSON in plain text instead. Malformed output is
    shown to the model with its errors at most `repairs` times.

    Raises: MalformedOutputError.
    """
    conversation = list(messages)
    while True:
        reply = await _ask(client, conversation, shape)
        try:
            return shape.model_validate(arguments_of(reply))
        except (ValidationError, ValueError) as error:
            if repairs == 0:
                raise MalformedOutputError(
                    "model", f"its output is not a {shape.__name__}"
                ) from error
            repairs -= 1
            conversation += [
                AIMessage(str(reply.text) or json.dumps(_raw_arguments(reply))),
                HumanMessage(f"That was malformed: {error}\nGive it again, complete and valid."),
            ]


def arguments_of(reply: AIMessage) -> object:
    """What a model gave: the arguments of its tool call, else the JSON object in its text.

    Raises: ValueError if there is none.
    """
    if reply.tool_calls:
        return reply.tool_calls[0]["args"]
    text = str(_raw_arguments(reply) or reply.text)
    # Small models put a fence around it, or a sentence before it.
    start, end = text.find("{"), text.rfind("}") + 1
    return json.loads(text[start:end] if 0 <= start < end else text)


async def _ask(
    client: ChatOpenAI, messages: Sequence[BaseMessage], shape: type[BaseModel]
) -> AIMessage:
    try:
        return await client.bind_tools([shape], tool_choice=shape.__name__).ainvoke(messages)
    except openai.BadRequestError:
        schema = json.dumps(shape.model_json_schema(), ensure_ascii=False)
        wish = HumanMessage(
            f"Answer with one JSON object and nothing else, of this schema: {schema}"
        )
        return await client.ainvoke([*messages, wish])


def _raw_arguments(reply: AIMessage) -> object:
    if reply.tool_calls:
        return reply.tool_calls[0]["args"]
    if reply.invalid_tool_calls:
        return reply.invalid_tool_calls[0]["args"]
    return None
