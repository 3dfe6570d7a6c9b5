"""Replies of servers beside text, read over HTTP through the real client."""

import asyncio
import gc
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any, ClassVar

import httpx2
import pytest
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from typing_extensions import override

from rich_agent.domain.model_role import ModelRole
from rich_agent.domain.text import LONGEST_ANSWER
from rich_agent.errors import (
    BrokenAnswerError,
    EarlyEndError,
    EmptyCompletionError,
    UpstreamUnavailableError,
)
from rich_agent.ports.models import ANSWER_TOKENS, ModelBusyError, Prompt
from rich_agent.runtime.concurrency import closing_after
from rich_agent.upstreams.models.chat import MOST_CONTINUATIONS, OpenAIChatModel, OpenAISummarizer
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities, ModelAccess
from rich_agent.upstreams.servers.chat_client import THOUGHT_TOKENS, open_chat_client
from rich_agent.upstreams.servers.output_shapes import ModelOutput, RequestedForm
from rich_agent.upstreams.servers.structured import ask_structured

Json = dict[str, Any]
PROMPT = Prompt("Be brief.", "What are fees?", (("user", "Hi"), ("assistant", "Hello")))
STOP = {"finish_reason": "stop"}
RESPONSES_ONLY = (
    "This model is only supported in v1/responses and not in v1/chat/completions.",
    404,
)


class Fees(ModelOutput):
    """The argument that a tool takes."""

    fees: str


class Server:
    """Answers each call with the next of `replies`, the last one again and again."""

    def __init__(self, *replies: httpx2.Response | Callable[[Json], httpx2.Response]) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[str, Json]] = []

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        """The next reply."""
        body = json.loads(request.content)
        self.asked.append((request.url.path, body))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply(body) if callable(reply) else reply

    def access(self, model: str = "some-model", **parameters: object) -> ModelAccess:
        """The way to it."""
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(self.answer))
        role = ModelRole(model, "http://server/v1", "key", parameters=parameters)
        return ModelAccess(role, http, LearnedCapabilities(role.server, model))


def events(*data: Json, comment: str = "") -> httpx2.Response:
    """A stream of events."""
    lines = [f"{comment}\n\ndata: {json.dumps(one)}\n\n" for one in data]
    body = "".join([*lines, "data: [DONE]\n\n"])
    return httpx2.Response(200, content=body, headers={"content-type": "text/event-stream"})


def one_by_one(*data: Json) -> httpx2.Response:
    """A stream of events, each of which comes after a pause."""

    async def body() -> AsyncIterator[bytes]:
        for line in (*map(json.dumps, data), "[DONE]"):
            await asyncio.sleep(0.2)
            yield f"data: {line}\n\n".encode()

    return httpx2.Response(200, content=body(), headers={"content-type": "text/event-stream"})


def delta(finish_reason: str | None = None, **fields: object) -> Json:
    """A chunk of chat completions."""
    choice = {"index": 0, "delta": fields, "finish_reason": finish_reason}
    return {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"} | {
        "choices": [choice]
    }


def whole(finish_reason: str = "stop", **message: object) -> httpx2.Response:
    """A reply of chat completions that is not streamed."""
    said = {"role": "assistant", "content": None, **message}
    choice = {"index": 0, "finish_reason": finish_reason, "message": said}
    told = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    return httpx2.Response(200, json={**told, "choices": [choice]})


def refused(message: str, status: int = 400, **fields: object) -> httpx2.Response:
    """An error."""
    return httpx2.Response(status, json={"error": {"message": message, **fields}})


def responded(*output: Json, status: str = "completed", reason: str = "") -> Json:
    """A response of the Responses API."""
    details = {"reason": reason} if reason else None
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "error": None,
        "status": status,
        "incomplete_details": details,
        "output": list(output),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 40,
            "output_tokens": 7,
            "total_tokens": 47,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 3},
        },
    }


def said(text: str) -> Json:
    """A message of the Responses API."""
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"} | {
        "content": [part]
    }


def response_events(*texts: str, **ending: str) -> httpx2.Response:
    """A stream of the Responses API, with a thought before its text."""
    at = {"item_id": "msg_1", "output_index": 1, "content_index": 0}
    reasoning: Json = {"type": "reasoning", "id": "rs_1", "summary": []}
    kind = f"response.{ending.get('status', 'completed')}"
    told: list[Json] = [
        {"type": "response.created", "response": responded(status="in_progress")},
        {"type": "response.output_item.added", "output_index": 0, "item": reasoning},
        *({"type": "response.output_text.delta", **at, "delta": text} for text in texts),
        {"type": kind, "response": responded(said("".join(texts)), **ending)},
    ]
    return events(*({**one, "sequence_number": n} for n, one in enumerate(told)))


async def pieces_of(server: Server, **access: Any) -> list[str]:
    """The pieces of an answer."""
    return [str(piece) async for piece in OpenAIChatModel(server.access(**access)).stream(PROMPT)]


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize(
    "thought",
    [
        {"reasoning_content": "They ask about fees."},
        {"reasoning": "They ask about fees.", "reasoning_details": [{"type": "reasoning.text"}]},
        {"content": "<thi"},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "They ask."}]}]},
    ],
)
async def test_thinking_is_a_sign_of_life_and_no_text(thought: Json) -> None:
    """Fields, tags and blocks: each tells that the model is at work, and none is said."""
    rest = ["nk>They ask.</think>\n\n", "Low."] if thought.get("content") == "<thi" else ["Low."]
    chunks = [delta(role="assistant", **thought), *(delta(content=one) for one in rest)]
    pieces = await pieces_of(Server(one_by_one(*chunks, delta(finish_reason="stop"))))
    assert pieces[0] == ""
    assert "".join(pieces) == "Low."


async def test_answer_whose_opening_tag_was_swallowed_is_asked_for_again_once() -> None:
    """The first answer shows it; from then on nothing is said before the closing tag."""
    thinking = [delta(content=one) for one in ("They ask", " about fees.", "</think>", "Low.")]
    chunks = (*thinking, delta(finish_reason="stop"))
    server = Server(one_by_one(*chunks), events(*chunks))
    model = OpenAIChatModel(server.access())
    with pytest.raises(BrokenAnswerError):
        _ = [piece async for piece in model.stream(PROMPT) if isinstance(piece, str)]
    pieces = [piece async for piece in model.stream(PROMPT) if isinstance(piece, str)]
    assert "".join(pieces) == "Low."


async def test_whole_reply_is_read_without_its_thoughts() -> None:
    """A summary holds none of it, and what it showed of the server is known to the answer."""
    server = Server(
        whole(content="They want a summary.</think>They met."),
        events(delta(content="They ask."), delta(content="</think>Low.", finish_reason="stop")),
    )
    access = server.access()
    assert await OpenAISummarizer(access).summarize(PROMPT) == "They met."
    pieces = [str(piece) async for piece in OpenAIChatModel(access).stream(PROMPT)]
    assert "".join(pieces) == "Low."


async def test_comments_of_a_stream_are_no_text() -> None:
    """`: OPENROUTER PROCESSING` keeps the line open."""
    stream = events(delta(content="Low."), delta("stop"), comment=": OPENROUTER PROCESSING")
    assert await pieces_of(Server(stream)) == ["Low."]


async def test_error_inside_a_stream_is_no_end() -> None:
    """Nothing of a half answer is taken for a whole one."""
    error = {**delta("error", content=""), "error": {"code": 502, "message": "Provider gone"}}
    with pytest.raises(UpstreamUnavailableError, match="Provider gone"):
        await pieces_of(Server(events(error)))
    with pytest.raises(BrokenAnswerError, match="Provider gone"):
        await pieces_of(Server(events(delta(content="Fees are"), error)))


async def test_busy_server_says_so_inside_a_stream_too() -> None:
    """It is waited for as one that answers 429."""
    error = {**delta("error", content=""), "error": {"code": 429, "message": "Rate limited"}}
    with pytest.raises(ModelBusyError):
        await pieces_of(Server(events(error)))


async def test_form_whose_tokens_ran_out_is_not_taken_for_whole() -> None:
    """However well its first half can be read, it is asked for again."""
    half = whole("length", content='{"fees": "low and ')
    server = Server(half, whole(content='{"fees": "low and burnt"}'))
    found = await ask_structured(
        open_chat_client(server.access()), [HumanMessage("Fees?")], RequestedForm(Fees)
    )
    assert found.fees == "low and burnt"


class Question(ModelOutput):
    """A form whose main text may stand without its object."""

    bare: ClassVar[str] = "question"

    question: str


@pytest.mark.parametrize("lead", ["", "\n", "```json\n", "Here it is: "])
@pytest.mark.parametrize(
    ("ending", "text"),
    [
        ("length", '{"question":"कृपया बताइए'),
        ("length", '{"question": "Which {wall'),
        ("stop", '{"question": "Which wall'),
        ("stop", '{"question": {"text": "Which wall?"}'),
    ],
)
async def test_form_that_ends_too_early_does_not_become_its_main_text(
    ending: str, text: str, lead: str
) -> None:
    """Users would read JSON; the whole form is asked for again, in the same way."""
    server = Server(whole(ending, content=lead + text), whole(content='{"question": "Which?"}'))
    form = await ask_structured(
        open_chat_client(server.access()), [HumanMessage("Ask.")], RequestedForm(Question)
    )
    assert form.question == "Which?"
    first, second = (body["response_format"] for _, body in server.asked)
    assert first == second


async def test_error_with_status_200_is_told_in_its_words() -> None:
    """It is not taken for a wrong address."""
    server = Server(httpx2.Response(200, json={"error": {"code": 502, "message": "Provider gone"}}))
    with pytest.raises(UpstreamUnavailableError, match="Provider gone"):
        await OpenAISummarizer(server.access()).summarize(PROMPT)


@pytest.mark.parametrize(
    ("stream", "reason", "words"),
    [
        ([delta(content="I"), delta("content_filter")], "filtered", ""),
        ([delta("content_filter")], "filtered", ""),
        ([delta(refusal="I can't "), delta(refusal="help."), delta("stop")], "refused",
         "I can't help."),
    ],
)  # fmt: skip
async def test_answer_that_is_stopped_is_not_taken_for_whole(
    stream: Sequence[Json], reason: str, words: str
) -> None:
    """The error contains the reason, and the words of a refusal."""
    with pytest.raises(EarlyEndError) as caught:
        await pieces_of(Server(events(*stream)))
    assert (caught.value.reason, caught.value.words) == (reason, words)


async def test_filtered_prompt_is_told_as_what_it_is() -> None:
    """Azure refuses it with 400; it is no fault of the settings."""
    with pytest.raises(EarlyEndError) as caught:
        await pieces_of(Server(refused("filtered", code="content_filter", param="prompt")))
    assert caught.value.reason == "filtered"


async def test_answer_goes_on_where_its_tokens_ran_out() -> None:
    """The second call has what was said and goes on with it; nothing is repeated or lost."""
    server = Server(
        events(delta(content="Fees are low, and they are bu"), delta("length")),
        events(delta(content="low, and they are burnt "), delta("length")),
        events(delta(content="in part."), delta("stop")),
    )
    assert "".join(await pieces_of(server)) == "Fees are low, and they are burnt in part."
    messages = server.asked[1][1]["messages"]
    assert [one["role"] for one in messages[-3:]] == ["user", "assistant", "user"]
    assert messages[-2]["content"] == "Fees are low, and they are bu"
    assert "low, and they are bu" in messages[-1]["content"]
    assert server.asked[2][1]["messages"][-2]["content"].endswith("are burnt ")


async def test_answer_that_never_comes_to_its_end_is_cut() -> None:
    """After some calls the user decides; what was said is given."""
    numbers = iter(range(100))
    server = Server(lambda _: events(delta(content=f"Part {next(numbers)}. "), delta("length")))
    given: list[str] = []

    async def read() -> None:
        async for piece in OpenAIChatModel(server.access()).stream(PROMPT):
            given.append(str(piece))  # noqa: PERF401 - kept although the stream fails

    with pytest.raises(EarlyEndError, match="length"):
        await read()
    assert len(server.asked) == 1 + MOST_CONTINUATIONS
    assert "".join(given) == "Part 0. Part 1. Part 2. Part 3. Part 4. "


class Endless(httpx2.AsyncByteStream):
    """A stream of numbers without end, which notes when it is closed, and how much it said."""

    def __init__(self, field: str = "content", size: int = 1_000) -> None:
        self.field, self.size = field, size
        self.number = 0
        self.is_closed = False

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.number += 1
            first = self.number * self.size
            text = " ".join(map(str, range(first, first + self.size)))[: self.size]
            yield f"data: {json.dumps(delta(**{self.field: text}))}\n\n".encode()

    @override
    async def aclose(self) -> None:
        self.is_closed = True

    def response(self, _: Json | None = None) -> httpx2.Response:
        """The stream as a reply."""
        return httpx2.Response(200, stream=self, headers={"content-type": "text/event-stream"})


@pytest.mark.parametrize("size", [300, 1_000_000])
@pytest.mark.parametrize("field", ["content", "refusal"])
async def test_answer_ends_at_its_longest(field: str, size: int) -> None:
    """A model that never ends is cut, in pieces of any size, and its stream is closed at once."""
    server = Server((endless := Endless(field, size)).response)
    text, model = "", OpenAIChatModel(server.access())
    with pytest.raises(EarlyEndError) as caught:  # noqa: PT012 - what came before it counts
        async for piece in model.stream(PROMPT):
            text += str(piece)
    assert endless.is_closed
    assert len(server.asked) == 1
    assert len(text + caught.value.words) == LONGEST_ANSWER
    assert caught.value.reason == ("length" if field == "content" else "refused")


AGAIN = "It is a long story, which begins in the harbour of a small town by the sea. " * 3


@pytest.mark.parametrize("first", [AGAIN, "<|tool_call_begin|>{"])
async def test_text_that_is_dropped_without_end_is_closed(first: str) -> None:
    """The answer begins again in other words, or a call of a template never ends."""
    endless = Endless()
    server = Server(
        events(delta(content=AGAIN + "And so it ends."), delta("length")),
        lambda _: httpx2.Response(
            200,
            stream=Chained(f"data: {json.dumps(delta(content=first))}\n\n".encode(), endless),
            headers={"content-type": "text/event-stream"},
        ),
    )
    with pytest.raises(EarlyEndError, match="length"):
        await pieces_of(server)
    assert endless.is_closed
    assert endless.number < 3_000


class Chained(httpx2.AsyncByteStream):
    """Bytes before an endless stream."""

    def __init__(self, first: bytes, then: Endless) -> None:
        self.first, self.then = first, then

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.first
        async for one in self.then:
            yield one

    @override
    async def aclose(self) -> None:
        await self.then.aclose()


async def test_stream_that_is_left_is_closed_by_the_one_who_leaves() -> None:
    """No other task closes it later, which would be logged as an error."""
    endless, problems = Endless(), list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, told: problems.append(told))
    server = Server(endless.response)
    async with closing_after(OpenAIChatModel(server.access()).stream(PROMPT)) as pieces:
        async for _ in pieces:
            break
    assert endless.is_closed
    gc.collect()
    await asyncio.sleep(0)
    assert problems == []


async def test_answer_is_cut_where_its_continuation_fails() -> None:
    """Text that was said before stays."""
    server = Server(events(delta(content="Fees"), delta("length")), refused("too long", 400))
    with pytest.raises(EarlyEndError) as caught:
        await pieces_of(server)
    assert caught.value.reason == "length"


async def test_thought_that_used_up_the_tokens_is_no_answer() -> None:
    """It gets more tokens once; neither the thought nor an empty text is given for an answer."""
    server = Server(events(delta(content="<think>They ask"), delta("length")))
    with pytest.raises(EmptyCompletionError, match="before its first word"):
        await pieces_of(server)
    given = [body["max_tokens"] for _, body in server.asked]
    assert given == [ANSWER_TOKENS, ANSWER_TOKENS + THOUGHT_TOKENS]


@pytest.mark.parametrize("arguments", ['{"fees": "low and ', ""])
async def test_call_of_a_tool_that_was_cut_is_no_thought(arguments: str) -> None:
    """The model is not held for one that thinks, and the call is not repeated with its room."""
    function = {"name": "Fees", "arguments": arguments}
    call = {"id": "1", "type": "function", "function": function}
    server = Server(whole("length", tool_calls=[call]))
    access = server.access()
    reply = await open_chat_client(access).reply([HumanMessage("Fees?")], most_tokens=200)
    assert reply.tool_calls or reply.invalid_tool_calls
    assert [body["max_tokens"] for _, body in server.asked] == [200]
    assert not (await access.capabilities.known()).thinks


async def test_summary_that_was_cut_is_refused() -> None:
    """Half of one would lose the other half for ever."""
    with pytest.raises(BrokenAnswerError):
        await OpenAISummarizer(Server(whole("length", content="They m")).access()).summarize(PROMPT)


@pytest.mark.parametrize("streamed", [True, False])
async def test_model_of_the_responses_api_is_asked_there(*, streamed: bool) -> None:
    """The refusal tells it, once for all clients; the thought is a sign of life."""
    answer = (
        response_events("Fees ", "are low.")
        if streamed
        else httpx2.Response(200, json=responded(said("Fees are low.")))
    )
    server = Server(refused(*RESPONSES_ONLY, type="invalid_request_error"), answer)
    access = server.access(max_tokens=300, reasoning_effort="low")
    for _ in range(2):
        if streamed:
            pieces = [str(piece) async for piece in OpenAIChatModel(access).stream(PROMPT)]
            assert pieces[0] == ""
            assert "".join(pieces) == "Fees are low."
        else:
            assert await OpenAISummarizer(access).summarize(PROMPT) == "Fees are low."
    assert [path for path, _ in server.asked] == [
        "/v1/chat/completions",
        "/v1/responses",
        "/v1/responses",
    ]
    body = server.asked[-1][1]
    assert [one["role"] for one in body["input"]] == ["system", "user", "assistant", "user"]
    assert (body["max_output_tokens"], body["reasoning"]) == (300, {"effort": "low"})
    assert body["store"] is False
    assert not {"stream_options", "max_tokens", "reasoning_effort", "messages"} & set(body)


async def test_calls_under_way_at_once_all_find_the_responses_api() -> None:
    """A refusal that comes after another call learned the way is followed too."""
    answer = httpx2.Response(200, json=responded(said("Fees are low.")))

    def refuse_late(_: Json) -> httpx2.Response:
        access.capabilities.uses_responses = True
        model.use_responses_api = True
        return refused(*RESPONSES_ONLY)

    server = Server(refuse_late, answer)
    access = server.access()
    model = open_chat_client(access)
    assert (await model.ainvoke([HumanMessage("Fees?")])).text == "Fees are low."


@pytest.mark.parametrize(
    "refusal",
    [
        refused("System role not supported", 400),
        refused("Unsupported value", 400, param="messages[0].role"),
        refused("Conversation roles must alternate user/assistant/user/assistant/...", 500),
    ],
)
async def test_template_without_a_system_role_is_sent_two_roles(refusal: httpx2.Response) -> None:
    """The words of the system stand before the first question, from then on."""
    server = Server(refusal, events(delta(content="Low."), delta("stop")))
    access = server.access()
    for _ in range(2):
        assert "".join([str(one) async for one in OpenAIChatModel(access).stream(PROMPT)]) == "Low."
    sent = [[(one["role"], one["content"]) for one in body["messages"]] for _, body in server.asked]
    assert len(sent) == 3
    assert sent[1] == sent[2]
    assert sent[2] == [
        ("user", "Be brief.\n\nHi"),
        ("assistant", "Hello"),
        ("user", "What are fees?"),
    ]


async def test_response_that_is_incomplete_goes_on() -> None:
    """`incomplete_details` say there what `finish_reason` says elsewhere."""
    server = Server(
        refused(*RESPONSES_ONLY),
        response_events("Fees are", status="incomplete", reason="max_output_tokens"),
        response_events(" low."),
    )
    assert "".join(await pieces_of(server)) == "Fees are low."
    with pytest.raises(EarlyEndError, match="filtered"):
        await pieces_of(
            Server(
                refused(*RESPONSES_ONLY),
                response_events("I", status="incomplete", reason="content_filter"),
            )
        )


async def test_responses_api_takes_tools() -> None:
    """Structured output works there too."""
    call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "Fees"}
    call |= {"arguments": '{"fees": "low"}', "status": "completed"}
    server = Server(refused(*RESPONSES_ONLY), httpx2.Response(200, json=responded(call)))
    client = open_chat_client(server.access())
    assert (
        await ask_structured(client, [HumanMessage("Fees?")], RequestedForm(Fees))
    ).fees == "low"
    assert server.asked[1][1]["text"]["format"]["name"] == "Fees"


async def test_model_whose_name_alone_speaks_for_the_responses_api_is_asked_as_others() -> None:
    """LangChain takes every "codex" for OpenAI's; another server has no such endpoint."""
    server = Server(refused("Not Found", 404), events(delta(content="Low."), delta("stop")))
    assert await pieces_of(server, model="codex-7b") == ["Low."]
    assert [path for path, _ in server.asked] == ["/v1/responses", "/v1/chat/completions"]


async def test_template_without_a_system_role_is_sent_images_as_parts() -> None:
    """The words of the system are a part before the image; the messages that were given stay."""
    image: Json = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aA=="}}
    asked = [SystemMessage("Be brief."), HumanMessage([image])]
    server = Server(refused("System role not supported"), whole(content="A cat."))
    assert (await open_chat_client(server.access()).ainvoke(asked)).text == "A cat."
    assert server.asked[1][1]["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "Be brief."}, image]}
    ]
    assert asked == [SystemMessage("Be brief."), HumanMessage([image])]


async def _python_calls(work: Callable[[], Awaitable[object]]) -> int:
    """The number of calls of Python functions that some work makes."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        await work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_a_longer_conversation_adds_little_work_for_each_message(
    *, is_streamed: bool
) -> None:
    """Messages are written into the request, and not compared with the types of the client."""
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, **STOP}
    whole_reply = httpx2.Response(200, json={"model": "m", "choices": [choice]})
    client = open_chat_client(Server(lambda _: whole_reply).access())

    async def ask(length: int) -> None:
        messages: list[BaseMessage] = [HumanMessage("What are fees?")] * length
        if not is_streamed:
            await client.reply(messages)
            return
        async for _ in client.pieces(messages, most_tokens=10):
            pass

    await ask(1)
    work = [await _python_calls(partial(ask, length)) for length in (10, 110)]
    assert work[1] - work[0] < 100 * 40
