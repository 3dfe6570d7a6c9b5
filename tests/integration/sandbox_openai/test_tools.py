"""The model calls tools for the wishes that it knows, and tells what they gave."""

import json
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI

SYSTEM = {"role": "system", "content": "You help at home. Now: 2026-11-20 14:05, a Friday."}
TEXT = {"type": "string"}


def tool(name: str, about: str, required: str = "", **properties: Any) -> Any:
    """A function tool; `required` names its required parameters."""
    schema = {"type": "object", "properties": properties, "required": required.split()}
    function = {"name": name, "description": about, "parameters": schema}
    return {"type": "function", "function": function}


TEA = tool(
    "brewTea",
    "Brews a pot",
    "kind minutes",
    kind={"enum": ["green", "black"]},
    minutes={"type": "integer", "minimum": 1},
)
TASK = tool("create_task", "Adds a task", "title", title=TEXT)
ALARM = tool("remind", "Rings", "text when", text=TEXT, when=TEXT)
HOME = [TEA, TASK, ALARM]
SAID = "Add a task: water the plants"
CALL = ("create_task", {"title": "Water the plants"})


async def ask(client: AsyncOpenAI, said: str, *more: Any, **options: Any) -> Any:
    """The one choice for a message, with all tools on offer."""
    messages: Any = [SYSTEM, {"role": "user", "content": said}, *more]
    asked: dict[str, Any] = {
        "model": "sandbox-chat",
        "messages": messages,
        "tools": HOME,
        **options,
    }
    return (await client.chat.completions.create(**asked)).choices[0]


def called(choice: Any) -> list[tuple[str, dict[str, Any]]]:
    """Name and arguments of each call."""
    calls = choice.message.tool_calls or ()
    return [(call.function.name, json.loads(call.function.arguments)) for call in calls]


def answered(choice: Any, *results: object) -> list[Any]:
    """The messages that answer the calls of a choice."""
    calls = choice.message.tool_calls
    made = choice.message.model_dump(include={"role", "content", "tool_calls"})
    told = [
        {"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)}
        for call, result in zip(calls, results, strict=True)
    ]
    return [made, *told]


async def test_model_calls_a_tool_once_and_tells_what_it_gave(client: AsyncOpenAI) -> None:
    """The call first, words next."""
    choice = await ask(client, SAID)
    assert choice.finish_reason == "tool_calls"
    assert called(choice) == [CALL]
    told = await ask(client, SAID, *answered(choice, {"task_id": 8, "title": "Water the plants"}))
    assert told.finish_reason == "stop"
    assert told.message.content.startswith("Water the plants")


@pytest.mark.parametrize("said", ["Hello!", "Thanks a lot!", "What is proof of history?"])
async def test_model_calls_nothing_that_was_not_asked_for(client: AsyncOpenAI, said: str) -> None:
    """Tools on offer change no other answer."""
    choice = await ask(client, said)
    assert choice.finish_reason == "stop"
    assert called(choice) == []


async def test_model_calls_tools_that_are_described_in_words(client: AsyncOpenAI) -> None:
    """For servers that take none: calls are JSON, results come in a message."""
    written = "\n".join(json.dumps(one["function"]) for one in HOME)
    system = {"role": "system", "content": f"{SYSTEM['content']} You can call:\n{written}"}
    messages: list[Any] = [system, {"role": "user", "content": f"<question>{SAID}</question>"}]
    first = await client.chat.completions.create(model="sandbox-chat", messages=messages)
    text = first.choices[0].message.content or ""
    assert [(one["name"], one["arguments"]) for one in json.loads(text)] == [CALL]
    messages += [{"role": "assistant", "content": text}]
    messages += [{"role": "user", "content": '<told n="4">It is on the list.</told>'}]
    second = await client.chat.completions.create(model="sandbox-chat", messages=messages)
    assert "It is on the list. [4]" in (second.choices[0].message.content or "")


async def test_model_tells_of_a_failure(client: AsyncOpenAI) -> None:
    """In words, and does not try the same again."""
    choice = await ask(client, SAID)
    told = await ask(client, SAID, *answered(choice, {"error": "no room"}))
    assert told.message.content.startswith("That did not work: ")
    assert "no room" in told.message.content


async def test_model_obeys_the_tool_choice(client: AsyncOpenAI) -> None:
    """None forbids, a name forces, and required forces one, with values that fit its schema."""
    assert called(await ask(client, SAID, tool_choice="none")) == []
    named = {"type": "function", "function": {"name": "remind"}}
    (forced,) = called(await ask(client, SAID, tool_choice=named))
    assert forced == ("remind", {"text": "", "when": ""})
    (required,) = called(await ask(client, "Good evening", tool_choice="required"))
    assert required == ("brewTea", {"kind": "green", "minutes": 1})
    assert called(await ask(client, SAID, tool_choice="required")) == [CALL]


async def test_arguments_grow_in_a_stream(client: AsyncOpenAI) -> None:
    """Id and name come first, then the JSON in pieces, under the index of the call."""
    said = "Remind me in 20 minutes to take the bread out of the oven and call mum"
    messages: Any = [SYSTEM, {"role": "user", "content": said}]
    stream = await client.chat.completions.create(
        model="sandbox-chat", messages=messages, tools=HOME, stream=True
    )
    choices = [chunk.choices[0] async for chunk in stream]
    parts = [part for choice in choices for part in choice.delta.tool_calls or ()]
    grown = "".join(part.function.arguments or "" for part in parts if part.function)
    assert json.loads(grown)["when"] == "PT20M"
    assert {part.index for part in parts} == {0}
    assert len({part.id for part in parts if part.id}) == 1
    assert len(parts) > 4
    assert choices[-1].finish_reason == "tool_calls"


async def test_responses_api_goes_on_after_a_result(responses: AsyncOpenAI) -> None:
    """The same calls as items, and words from their outputs."""
    tools: Any = [{"type": "function", **one["function"]} for one in HOME]
    said: list[Any] = [SYSTEM, {"role": "user", "content": SAID}]
    made = await responses.responses.create(model="sandbox-chat", input=said, tools=tools)
    (call,) = [item for item in made.output if item.type == "function_call"]
    assert (call.name, json.loads(call.arguments)) == CALL
    output = {"type": "function_call_output", "call_id": call.call_id, "output": "It is added."}
    said += [call.model_dump(), output]
    told = await responses.responses.create(model="sandbox-chat", input=said, tools=tools)
    assert "It is added." in told.output_text


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ([{"role": "tool", "tool_call_id": "x", "content": "tea"}], "must be a response to"),
        (["call"], "did not have response messages: call_1"),
        (["call", {"role": "user", "content": "Well?"}], "did not have response messages: call_1"),
        (["call", {"role": "tool", "tool_call_id": "call_2", "content": ""}], "must be a response"),
    ],
)
async def test_history_with_calls_and_results_that_do_not_match_is_refused(
    client: AsyncOpenAI, more: list[Any], words: str
) -> None:
    """As OpenAI does: each call has its result right behind it."""
    function = {"name": "brewTea", "arguments": "{}"}
    call = {"id": "call_1", "type": "function", "function": function}
    made = {"role": "assistant", "content": None, "tool_calls": [call]}
    with pytest.raises(openai.BadRequestError, match=words):
        await ask(client, "Tea!", *(made if one == "call" else one for one in more))


@pytest.mark.parametrize("name", ["with space", "dots.in.it", "x" * 65, ""])
async def test_tool_with_an_impossible_name_is_refused(client: AsyncOpenAI, name: str) -> None:
    """Letters, digits, underscores and dashes, up to 64."""
    with pytest.raises(openai.BadRequestError, match="tools"):
        await ask(client, "Hello", tools=[tool(name, "")])
