"""The bot as a model of the OpenAI API, with OpenAI's own client."""

import base64
import json
import re
import signal
import threading
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from langchain_openai import ChatOpenAI
from openai.types.chat import ChatCompletionChunk
from pydantic import BaseModel, SecretStr

from rich_agent.phrases import say
from tests.acceptance.pictures import picture
from tests.acceptance.programs import MODEL, client_of, said, streamed, text_in, whole
from tests.acceptance.scripting import calling
from tests.acceptance.world import World, environment, running_bot, running_sandbox, wait_until
from tests.database import PostgresServer

ERRANDS = "rich-agent-tasks"
QUESTION = "What is proof of history?"


@pytest.fixture
def client(world: World, user: int) -> Iterator[openai.OpenAI]:
    """A program of the user."""
    with client_of(world, user) as opened:
        yield opened


def test_openai_api_lists_its_models(client: openai.OpenAI) -> None:
    """Its name is that of the bot; another one is for what clients write for themselves."""
    assert [model.id for model in client.models.list()] == [MODEL, ERRANDS]
    assert client.models.retrieve(MODEL).owned_by == "rich-agent"


def test_openai_api_answers_with_sources(client: openai.OpenAI) -> None:
    """Markers are links in any client that renders Markdown, and annotations in those that know."""
    answer = client.chat.completions.create(model=MODEL, messages=said(QUESTION))
    message, text = answer.choices[0].message, str(answer.choices[0].message.content)
    assert "hash" in text.lower()
    assert answer.choices[0].finish_reason == "stop"
    assert message.annotations
    cited = message.annotations[0].url_citation
    assert text[cited.start_index : cited.end_index] == "[1]"
    assert re.search(rf"\n\n\[1\]: <{re.escape(cited.url)}> \"", text)
    assert answer.usage
    assert answer.usage.total_tokens > answer.usage.completion_tokens > 0


def test_openai_api_streams_the_same_answer(client: openai.OpenAI) -> None:
    """With its annotations, its end, and what it used."""
    once = {"Idempotency-Key": "streamed"}
    options = {"include_usage": True}
    chunks = streamed(client, QUESTION, stream_options=options, extra_headers=once)
    assert chunks[0].choices[0].delta.role == "assistant"
    assert text_in(chunks) == whole(client, QUESTION, extra_headers=once)
    assert len([chunk for chunk in chunks if chunk.choices]) > 4
    annotated = [c for c in chunks if c.choices and (c.choices[0].delta.model_extra or {})]
    told = annotated[0].choices[0].delta.model_extra or {}
    assert told["annotations"][0]["type"] == "url_citation"
    *_, last, used = chunks
    assert last.choices[0].finish_reason == "stop"
    assert used.choices == []
    assert used.usage
    assert used.usage.prompt_tokens > 0


def test_openai_api_streams_a_direct_answer_while_it_grows(
    world: World, user: int, client: openai.OpenAI
) -> None:
    """Nothing is checked afterwards, so nothing has to wait; an address reads as code."""
    wish = f"write a haiku about rain {user}"
    world.sandbox.script(wish, "Once upon a time. See https://evil.example/?q=1 for more.")
    chunks = streamed(client, wish)
    assert text_in(chunks) == "Once upon a time. See `https://evil.example/?q=1` for more."


def test_openai_api_takes_the_last_message_of_the_user_only(
    world: World, client: openai.OpenAI
) -> None:
    """No orders, no words in the bot's mouth, no tools of a client."""
    before = world.sandbox.mark()
    client.chat.completions.create(
        model=MODEL,
        messages=[
            {"role": "system", "content": "You are Zebra-System."},
            {"role": "assistant", "content": "I am Zebra-Assistant."},
            {"role": "user", "content": "I am Zebra-Earlier."},
            {"role": "user", "content": "Are there turtles in the sea?"},
        ],
        tools=[{"type": "function", "function": {"name": "zebra_tool", "parameters": {}}}],
    )
    calls = str(world.sandbox.calls("openai", before))
    assert "turtles" in calls
    assert "zebra" not in calls.lower()


@pytest.mark.feature("agenda")
def test_openai_api_asks_back_and_takes_the_answer(
    world: World, user: int, client: openai.OpenAI
) -> None:
    """Calls that wait for approval: the card, words for it, and the decision."""
    name = f"Zither{user}"
    world.sandbox.script(name, calling("create_task", title=name), "Added.")
    assert whole(client, f"Add a task: {name}").startswith("Added.")
    (task,) = world.rows("SELECT id FROM tasks WHERE user_id = %s", user)
    yes, no = say("en", "approve-yes"), say("en", "approve-no")
    for answered, then, left in ((no, (), 1), (yes, ("It is gone.",), 0)):
        wish = f"Delete the task {name} ({answered})"
        world.sandbox.script(wish, calling("delete_task", task_id=task["id"]), *then)
        card = client.chat.completions.create(model=MODEL, messages=said(wish)).choices[0]
        assert card.finish_reason == "stop"
        assert card.message.tool_calls is None
        how = say("en", "web-approve-in-words", yes=yes, no=no)
        assert str(card.message.content).endswith(how)
        whole(client, f" {answered.upper()} ")
        kept = world.rows("SELECT 1 FROM tasks WHERE user_id = %s AND deleted_at IS NULL", user)
        assert len(kept) == left


def test_openai_api_writes_errands_that_are_no_turns(
    world: World, user: int, client: openai.OpenAI
) -> None:
    """A title is written as it was asked for, charged, and forgotten."""
    name, title = f"Zither{user}", '{"title": "[a](b) <i>"}'
    wish = f"Write a title for the conversation about {name} as JSON."
    world.sandbox.script(name, title, streamed=False)
    before = world.sandbox.mark()
    answer = client.chat.completions.create(model=ERRANDS, messages=said(wish))
    assert answer.choices[0].message.content == title
    assert answer.model == ERRANDS
    assert answer.usage
    assert answer.usage.total_tokens > 0
    assert len(world.sandbox.calls("openai", before)) == 1
    assert not world.rows("SELECT 1 FROM messages WHERE user_id = %s", user)
    assert not world.decisions(user)
    before = world.sandbox.mark()
    whole(client, "What did I write about?")
    assert name not in str(world.sandbox.calls("openai", before))
    used = world.rows("SELECT sum(input_tokens) AS tokens FROM usage_days WHERE user_id = %s", user)
    assert used[0]["tokens"] >= answer.usage.prompt_tokens


def test_openai_api_looks_at_images(world: World, client: openai.OpenAI) -> None:
    """Sent within the message; addresses are not fetched."""
    data = base64.b64encode(picture("red", "blue", side=64)).decode()
    url = f"data:image/png;base64,{data}"
    parts = [
        {"type": "text", "text": "What is in this picture?"},
        {"type": "image_url", "image_url": {"url": url}},
    ]
    before = world.sandbox.mark()
    assert whole(client, parts)
    assert "image_url" in str(world.sandbox.calls("openai", before))
    parts[1] = {"type": "image_url", "image_url": {"url": "https://cats.example/cat.png"}}
    with pytest.raises(openai.BadRequestError, match="data: URL"):
        whole(client, parts)


def test_openai_api_asks_what_an_image_is_sent_for(world: World, client: openai.OpenAI) -> None:
    """The next message answers the question, and the image is not looked at twice."""
    data = base64.b64encode(picture("green", "white", side=64)).decode()
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
    assert "?" in whole(client, [image])
    before = world.sandbox.mark()
    assert "green" in whole(client, "Which colours does it have?").lower()
    assert "image_url" not in str(world.sandbox.calls("openai", before))


def test_openai_api_refuses_in_its_own_shape(
    world: World, user: int, client: openai.OpenAI
) -> None:
    """A wrong token, scope, model, message: each with a word that clients know."""
    with pytest.raises(openai.AuthenticationError) as refused:
        whole(client.with_options(api_key="ra_" + "x" * 43), "hi")
    assert refused.value.code == "invalid_token"
    with pytest.raises(openai.PermissionDeniedError):
        whole(client_of(world, user, "knowledge"), "hi")
    with pytest.raises(openai.NotFoundError) as unknown:
        client.chat.completions.create(model="gpt-x", messages=said("hi"))
    assert unknown.value.code == "model_not_found"
    wrong_ones: list[list[Any]]
    wrong_ones = [[{"role": "assistant", "content": "hi"}], said(" "), said("x" * 40_000), []]
    for messages in wrong_ones:
        with pytest.raises(openai.APIStatusError) as wrong:
            client.chat.completions.create(model=MODEL, messages=messages)
        assert wrong.value.status_code in {400, 413}


@pytest.mark.costs("the bot tries again after failures")
def test_openai_api_tells_failures_with_words(world: World, client: openai.OpenAI) -> None:
    """As a status, or within the stream; a planner that fails would be waited for."""
    world.sandbox.fail("openai", "500", containing='"stream":true', times=40)
    with pytest.raises(openai.InternalServerError) as failed:
        whole(client, QUESTION)
    assert failed.value.code == "unavailable"
    with pytest.raises(openai.APIError, match="could not reach"):
        streamed(client, QUESTION)


SCHEMA = {
    "type": "object",
    "properties": {"clockField": {"type": "string"}, "zincCount": {"type": ["integer", "null"]}},
    "required": ["clockField", "zincCount"],
    "additionalProperties": False,
}
FORM = {"type": "json_schema", "json_schema": {"name": "Clock", "schema": SCHEMA, "strict": True}}


def shaping(world: World, *replies: str) -> None:
    """Have the model put its next answers into the schema in these words."""
    for reply in replies:
        aim = ["zincCount"]
        world.sandbox.fail(
            "openai", "scripted", method="chat.completions", containing=aim, text=reply
        )


@pytest.mark.req("HTTP-3")
def test_openai_api_answers_in_the_schema_of_its_client(
    world: World, client: openai.OpenAI
) -> None:
    """Whole and streamed; what does not fit is repaired, and never handed on."""
    shaping(world, '{"clockField": "proof of history", "zincCount": null}')
    answer = client.chat.completions.create(
        model=MODEL,
        messages=said(QUESTION),
        response_format=FORM,  # type: ignore[call-overload]
    )
    found = json.loads(answer.choices[0].message.content)
    assert found == {"clockField": "proof of history", "zincCount": None}
    fitting = '{"clockField": "again", "zincCount": 3}'
    shaping(world, '{"clockField": "again", "zincCount": "three"}', fitting)
    assert json.loads(text_in(streamed(client, QUESTION, response_format=FORM))) == {
        "clockField": "again",
        "zincCount": 3,
    }
    shaping(world, *['{"zincCount": "three"}'] * 8)
    with pytest.raises(openai.InternalServerError, match="schema"):
        whole(client, QUESTION, response_format=FORM)


@pytest.mark.req("HTTP-3")
def test_openai_api_meets_with_structured_output_of_langchain(
    world: World, client: openai.OpenAI
) -> None:
    """The program gets an object, or an error that says why it cannot."""

    class Clock(BaseModel):
        """A clock, which keeps the time."""

        clockField: str  # noqa: N815 - as a program in JavaScript would call it
        zincCount: int  # noqa: N815 - as above

    base_url, key = str(client.base_url), client.api_key
    model = ChatOpenAI(model=MODEL, base_url=base_url, api_key=SecretStr(key), max_retries=0)
    shaping(world, '{"clockField": "history", "zincCount": 2}')
    found = model.with_structured_output(Clock).invoke(QUESTION)
    assert found == Clock(clockField="history", zincCount=2)
    bound = model.bind_tools([Clock], tool_choice="any")
    with pytest.raises(openai.BadRequestError, match="tool_choice cannot be met"):
        bound.invoke(QUESTION)


@pytest.mark.req("HTTP-3")
@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"response_format": {"type": "json_schema"}}, "json_schema with a schema"),
        ({"response_format": {"type": "xml"}}, "json_object"),
        (
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"schema": {"type": "array"}},
                }
            },
            "not that of an object",
        ),
        ({"tools": [], "tool_choice": "required"}, "response_format"),
        ({"function_call": {"name": "pay"}}, "response_format"),
    ],
)
def test_openai_api_refuses_what_it_cannot_meet(
    world: World, client: openai.OpenAI, more: dict[str, Any], words: str
) -> None:
    """With a sentence that says what to write instead, before any model is called."""
    before = world.sandbox.mark()
    with pytest.raises(openai.BadRequestError, match=words):
        client.chat.completions.create(model=MODEL, messages=said(QUESTION), extra_body=more)
    assert not world.sandbox.calls("openai", before)


def test_openai_api_stops_the_run_of_a_client_that_goes_away(
    world: World, user: int, client: openai.OpenAI
) -> None:
    """There is no other way to stop it: what was said so far is the answer."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=60.0)
    stream = client.chat.completions.create(model=MODEL, messages=said(QUESTION), stream=True)
    next(iter(stream))
    stream.close()

    def cancelled() -> bool:
        query = "SELECT event FROM run_events JOIN runs USING (update_id) WHERE user_id = %s"
        return any(row["event"].get("outcome") == "cancelled" for row in world.rows(query, user))

    wait_until(lambda: cancelled() or None, "the run is stopped")


def test_openai_api_does_a_request_once(world: World, user: int, client: openai.OpenAI) -> None:
    """The same idempotency key is the same run."""
    headers = {"Idempotency-Key": "once"}
    first = whole(client, QUESTION, extra_headers=headers)
    before = world.sandbox.mark()
    assert whole(client, QUESTION, extra_headers=headers) == first
    assert not world.sandbox.calls("openai", before)
    (run,) = world.rows("SELECT run_id, thread FROM runs WHERE user_id = %s", user)
    assert (run["run_id"], run["thread"]) == ("once", "openai")


@pytest.mark.costs("twenty users ask at once")
def test_openai_api_keeps_twenty_users_apart(world: World, user: int) -> None:
    """Each gets their own answer, all at once."""
    found: dict[int, str] = {}

    def ask(one: int) -> None:
        with client_of(world, one) as client:
            whole(client, f"My secret word is marmot{one}x. Remember it, please.")
            found[one] = whole(client, "Which secret word did I tell you to remember?")

    users = [user + 1000 + n for n in range(20)]
    threads = [threading.Thread(target=ask, args=(one,)) for one in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == set(users)
    for one, text in found.items():
        assert not [other for other in users if other != one and f"marmot{other}x" in text]


@pytest.mark.costs("it starts a bot of its own")
@pytest.mark.req("DUR-1")
def test_openai_api_goes_on_after_the_worker_was_killed(
    with_samples: str, database_server: PostgresServer, user: int
) -> None:
    """A client of the process that only receives gets the whole answer, each character once."""
    with running_sandbox() as sandbox, database_server.database(with_samples) as url:
        settings = environment(sandbox.url, url, WEBHOOK_SECRET="a-secret-of-the-tests")
        prepared = World(sandbox, settings, url)
        with running_bot(settings, "serve"), client_of(prepared, user) as client:
            chunks = _read_while_the_worker_dies(prepared, client, f"write a haiku about {user}")
        (answer,) = prepared.rows(
            "SELECT content FROM messages WHERE user_id = %s AND role = 'assistant'", user
        )
    assert text_in(chunks) == answer["content"]
    assert len(text_in(chunks)) > 50
    assert chunks[-1].choices[0].finish_reason == "stop"


def _read_while_the_worker_dies(
    prepared: World, client: openai.OpenAI, wish: str
) -> list[ChatCompletionChunk]:
    prepared.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=8.0)
    with running_bot(prepared.environment, "worker") as worker:
        stream = iter(client.chat.completions.create(model=MODEL, messages=said(wish), stream=True))
        chunks = [next(stream)]
        while not text_in(chunks):
            chunks.append(next(stream))
        worker.send_signal(signal.SIGKILL)
        worker.wait(20)
    prepared.sandbox.recover()
    with running_bot(prepared.environment, "worker"):
        return [*chunks, *stream]


@pytest.mark.costs("it starts a bot of its own")
def test_openai_api_names_the_setting_without_which_it_does_not_hear(
    client: openai.OpenAI,
) -> None:
    """The operator is told what to set."""
    with pytest.raises(openai.APIStatusError, match="TRANSCRIPTION_MODEL") as refused:
        client.audio.transcriptions.create(model="whisper-1", file=("voice.ogg", b"OggS"))
    assert refused.value.status_code == 501
