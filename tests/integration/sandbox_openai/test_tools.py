"""The model calls tools of any request: none of these is the product's."""

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


WEATHER = tool(
    "get_weather",
    "The weather of a day in a city",
    "city",
    city=TEXT,
    date={"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
    unit={"enum": ["celsius", "fahrenheit"]},
)
EVENT = tool(
    "calendar_createEvent",
    "Puts an event into the calendar",
    "title start",
    title=TEXT,
    start={"type": "string", "format": "date-time"},
    end={"type": "string", "format": "date-time"},
)
EVENTS = tool("calendar_listEvents", "What the calendar holds")
MOVE = tool(
    "calendar_moveEvent",
    "Gives an event another time",
    "event_id start",
    event_id={"type": "integer"},
    start={"type": "string", "description": "YYYY-MM-DD HH:MM"},
)
TEA = tool(
    "brewTea",
    "Brews a pot",
    "kind minutes",
    kind={"enum": ["green", "black"]},
    minutes={"type": "integer"},
)
PUT_OFF = tool(
    "put_off_alarm",
    "Snoozes an alarm",
    "alarm_id until",
    alarm_id=TEXT,
    until={"type": "string", "description": 'As "2026-01-31T09:00".'},
)
ALARMS = tool("list_alarms", "All alarms")
WAKE = tool(
    "remind_daily",
    "Rings again and again",
    "text first",
    text=TEXT,
    first={"type": "string", "description": 'Time, as "2026-01-31T09:00 RRULE:FREQ=DAILY".'},
)
ALARM = tool(
    "remind",
    "Rings",
    "text when",
    text=TEXT,
    when={"type": "string", "description": "Time, or RRULE"},
)
HOME = [WEATHER, EVENT, EVENTS, MOVE, TEA, ALARM]


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


@pytest.mark.parametrize(
    ("said", "name", "arguments"),
    [
        (
            "What is the weather in Rome tomorrow?",
            "get_weather",
            {"city": "Rome", "date": "2026-11-21"},
        ),
        ("明日の東京の天気は？", "get_weather", {"city": "東京", "date": "2026-11-21"}),
        ("Wie wird das Wetter in Berlin?", "get_weather", {"city": "Berlin"}),
        ("¿Qué tiempo hace en Madrid?", "get_weather", {"city": "Madrid"}),
        ("Brew green tea for 3 minutes", "brewTea", {"kind": "green", "minutes": 3}),
        (
            "Create an event “Lunch with Eva” on Monday at 12",
            "calendar_createEvent",
            {
                "title": "Lunch with Eva",
                "start": "2026-11-23T12:00:00",
                "end": "2026-11-23T13:00:00",
            },
        ),
        (
            "毎週月曜の8時に掃除するようリマインドして",
            "remind",
            {"text": "掃除する", "when": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0"},
        ),
    ],
)
async def test_model_calls_the_tool_that_fits(
    client: AsyncOpenAI, said: str, name: str, arguments: dict[str, Any]
) -> None:
    """By name, description and schema; the arguments come from the words."""
    choice = await ask(client, said)
    assert choice.finish_reason == "tool_calls"
    assert called(choice) == [(name, arguments)]


@pytest.mark.parametrize("said", ["Hello!", "Thanks a lot!", "What is proof of history?"])
async def test_model_calls_nothing_that_was_not_asked_for(client: AsyncOpenAI, said: str) -> None:
    """Tools on offer change no other answer."""
    choice = await ask(client, said)
    assert choice.finish_reason == "stop"
    assert called(choice) == []


async def test_model_calls_several_tools_at_once(client: AsyncOpenAI) -> None:
    """A message with two wishes; one by one where the request wants that."""
    said = "Brew black tea for 5 minutes and remind me tomorrow at 9 to drink it"
    both = [
        ("brewTea", {"kind": "black", "minutes": 5}),
        ("remind", {"text": "Drink it", "when": "2026-11-21T09:00:00"}),
    ]
    choice = await ask(client, said)
    assert called(choice) == both
    first = await ask(client, said, parallel_tool_calls=False)
    assert called(first) == both[:1]
    second = await ask(client, said, *answered(first, {"ok": True}), parallel_tool_calls=False)
    assert called(second) == both[1:]


async def test_model_looks_an_id_up_before_it_uses_it(client: AsyncOpenAI) -> None:
    """The list first, the call with the id that fits next, words in the end."""
    said = "Move the event Dentist to Tuesday at 16:30"
    listing = await ask(client, said)
    assert called(listing) == [("calendar_listEvents", {})]
    held = {"events": [{"event_id": 3, "title": "Lunch"}, {"event_id": 8, "title": "Dentist"}]}
    history = answered(listing, held)
    moving = await ask(client, said, *history)
    assert called(moving) == [
        ("calendar_moveEvent", {"event_id": 8, "start": "2026-11-24 16:30"}),
    ]
    history += answered(moving, {"event_id": 8, "title": "Dentist", "start": "2026-11-24 16:30"})
    told = await ask(client, said, *history)
    assert called(told) == []
    assert "Done: Dentist (start: 2026-11-24 16:30)" in told.message.content


async def test_model_writes_times_as_descriptions_show_them(client: AsyncOpenAI) -> None:
    """To the minute, from a length too; what repeats has its first time."""
    tools = [PUT_OFF, ALARMS]
    said = "Snooze the alarm about the tea for 20 minutes"
    listing = await ask(client, said, tools=tools)
    held = answered(listing, [{"id": "a1", "text": "Tea is ready"}, {"id": "a2", "text": "Bread"}])
    choice = await ask(client, said, *held, tools=tools)
    assert called(choice) == [("put_off_alarm", {"alarm_id": "a1", "until": "2026-11-20T14:25"})]
    daily = await ask(client, "Remind me every Monday at 8 to water the plants", tools=[WAKE])
    first = "2026-11-23T08:00 RRULE:FREQ=WEEKLY;BYDAY=MO"
    assert called(daily) == [("remind_daily", {"text": "Water the plants", "first": first})]


async def test_model_says_that_nothing_fits_an_id(client: AsyncOpenAI) -> None:
    """It makes none up."""
    said = "Move the event Dentist to Tuesday at 16:30"
    listing = await ask(client, said)
    told = await ask(client, said, *answered(listing, {"events": []}))
    assert "I could not find that." in told.message.content


async def test_model_asks_for_what_is_missing(client: AsyncOpenAI) -> None:
    """And calls once it is told, in the next message."""
    said = "Remind me to call mum"
    question = (await ask(client, said)).message
    assert question.content == "When should that be?"
    history = [
        {"role": "assistant", "content": question.content},
        {"role": "user", "content": "tomorrow at 9"},
    ]
    choice = await ask(client, said, *history)
    assert called(choice) == [("remind", {"text": "Call mum", "when": "2026-11-21T09:00:00"})]


async def test_model_asks_by_the_tool_for_questions_where_there_is_one(
    client: AsyncOpenAI,
) -> None:
    """And goes on with the answer that the tool gives."""
    said = "Remind me to call mum"
    tools = [*HOME, tool("ask_person", "Asks one thing", "question", question=TEXT)]
    asking = await ask(client, said, tools=tools)
    assert called(asking) == [("ask_person", {"question": "When should that be?"})]
    choice = await ask(client, said, *answered(asking, "tomorrow at 9"), tools=tools)
    assert called(choice) == [("remind", {"text": "Call mum", "when": "2026-11-21T09:00:00"})]


async def test_model_calls_tools_that_are_described_in_words(client: AsyncOpenAI) -> None:
    """For servers that take none: calls are JSON, results come in a message."""
    written = "\n".join(json.dumps(one["function"]) for one in HOME)
    system = {"role": "system", "content": f"{SYSTEM['content']} You can call:\n{written}"}
    said = {"role": "user", "content": "<question>Brew green tea for 3 minutes</question>"}
    messages: list[Any] = [system, said]
    first = await client.chat.completions.create(model="sandbox-chat", messages=messages)
    text = first.choices[0].message.content or ""
    calls = json.loads(text)
    assert calls == [{"name": "brewTea", "arguments": {"kind": "green", "minutes": 3}}]
    messages += [{"role": "assistant", "content": text}]
    messages += [{"role": "user", "content": '<told n="4">It is on the table.</told>'}]
    second = await client.chat.completions.create(model="sandbox-chat", messages=messages)
    assert "It is on the table. [4]" in (second.choices[0].message.content or "")


async def test_model_tells_of_a_failure(client: AsyncOpenAI) -> None:
    """In words, and does not try the same again."""
    said = "Brew green tea for 3 minutes"
    choice = await ask(client, said)
    told = await ask(client, said, *answered(choice, {"error": "no water"}))
    assert told.message.content.startswith("That did not work: ")
    assert "no water" in told.message.content


async def test_model_calls_again_as_the_user_wants_it_changed(client: AsyncOpenAI) -> None:
    """The words of the user instead of approving count more than their first words."""
    said = "Remind me tomorrow at 9 to call mum"
    choice = await ask(client, said)
    denied = {"error": "Not approved.", "user_says": "at 10 instead"}
    again = await ask(client, said, *answered(choice, denied))
    assert called(again) == [("remind", {"text": "Call mum", "when": "2026-11-21T10:00:00"})]


async def test_model_obeys_the_tool_choice(client: AsyncOpenAI) -> None:
    """None forbids, a name forces, required forces the one that fits best."""
    said = "What is the weather in Rome?"
    assert called(await ask(client, said, tool_choice="none")) == []
    named = {"type": "function", "function": {"name": "brewTea"}}
    (forced,) = called(await ask(client, said, tool_choice=named))
    assert forced[0] == "brewTea"
    (required,) = called(await ask(client, "Good evening, some black tea?", tool_choice="required"))
    assert required == ("brewTea", {"kind": "black", "minutes": 60})


async def test_arguments_grow_in_a_stream(client: AsyncOpenAI) -> None:
    """Id and name come first, then the JSON in pieces, under the index of the call."""
    said = "Brew black tea for 5 minutes and remind me tomorrow at 9 to drink it"
    messages: Any = [SYSTEM, {"role": "user", "content": said}]
    stream = await client.chat.completions.create(
        model="sandbox-chat", messages=messages, tools=HOME, stream=True
    )
    choices = [chunk.choices[0] async for chunk in stream]
    parts = [part for choice in choices for part in choice.delta.tool_calls or ()]
    grown = ["", ""]
    for part in parts:
        assert part.function
        grown[part.index] += part.function.arguments or ""
    assert [json.loads(text).keys() for text in grown] == [{"kind", "minutes"}, {"text", "when"}]
    assert len({part.id for part in parts if part.id}) == 2
    assert len(parts) > 4
    assert choices[-1].finish_reason == "tool_calls"


async def test_responses_api_goes_on_after_a_result(responses: AsyncOpenAI) -> None:
    """The same calls as items, and words from their outputs."""
    tools: Any = [{"type": "function", **one["function"]} for one in HOME]
    said: list[Any] = [SYSTEM, {"role": "user", "content": "Brew green tea for 3 minutes"}]
    made = await responses.responses.create(model="sandbox-chat", input=said, tools=tools)
    (call,) = [item for item in made.output if item.type == "function_call"]
    assert (call.name, json.loads(call.arguments)) == ("brewTea", {"kind": "green", "minutes": 3})
    output = {"type": "function_call_output", "call_id": call.call_id, "output": "Tea is ready."}
    said += [call.model_dump(), output]
    told = await responses.responses.create(model="sandbox-chat", input=said, tools=tools)
    assert "Tea is ready." in told.output_text


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
