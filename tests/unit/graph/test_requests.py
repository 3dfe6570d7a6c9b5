"""Tests of requests and messages as the state holds them."""

from dataclasses import replace

from rich_agent.domain.media import Medium
from rich_agent.domain.message import (
    Forwarded,
    IncomingMessage,
    Photo,
    ReplyContext,
    SentFile,
    TurnRequest,
    User,
)
from rich_agent.graph.state import input_of, input_to_state, read_request, request_to_state
from tests import make

REPLY = ReplyContext(
    5, "Before", (Photo("p0", 9, "u0", "a0"),), "fore", "other", (SentFile("f0", "a.pdf"),)
)
MESSAGE = IncomingMessage(
    user=User(42, "Ann", "ann", "de", "en", "Europe/Berlin"),
    text="Look",
    photos=(Photo("p1", 7, "u1", "a1"), Photo("p2", 8, "u2", "a2")),
    reply=REPLY,
    message_id=6,
    forwarded=Forwarded("Told", "Eve"),
    unread=("video",),
    files=(SentFile("f1", "b.pdf", "application/pdf", 3),),
    media=(Medium("r1"),),
    media_text="Look",
    links=("https://one.example",),
    is_only_links=True,
)
REQUEST = TurnRequest(
    *("tg:42", "tg:7", MESSAGE, 2, 1, "tg:6", "tg:5", "approved", "print"),
    edits={"call_1": {"text": "b"}, "call_2": None},
    audience="group",
    is_unattended=True,
)


def test_request_is_read_as_it_was_written() -> None:
    """Whatever field the domain gets, the state holds it."""
    assert read_request(request_to_state(REQUEST)) == REQUEST


def test_request_in_the_state_is_flat_json() -> None:
    """The fields of the message stand next to those of the request, without what is unstorable."""
    stored = request_to_state(replace(REQUEST, message=replace(MESSAGE, text="a\x00b\ud800")))
    assert (stored["thread_id"], stored["text"]) == ("tg:42", "ab")
    assert stored["photos"][0]["file_id"] == "p1"
    assert "message" not in stored


def test_request_of_an_older_checkpoint_has_defaults() -> None:
    """A field that it lacks is empty; one that is unknown now is left alone."""
    old = {**make.stored("Hi"), "photos": [{"file_id": "p", "size_bytes": None}], "gone": 1}
    message = IncomingMessage(User(42), "Hi", (Photo("p"),))
    assert read_request(old) == TurnRequest("tg:42", "r1", message)


def test_input_is_read_as_it_was_written() -> None:
    """All that prompts are made of, by the names that the state is described with."""
    stored = input_to_state(MESSAGE)
    assert stored["image"] == {"file_id": "p1", "sha256": "a1", "size_bytes": 7}
    assert stored["reply_context"]["image"]["sha256"] == "a0"
    read = input_of(make.state(input=stored))
    kept = replace(MESSAGE, user=read.user, message_id=0, media=(), media_text="")
    assert read == kept
    assert [image.sha256 for image in read.photos] == ["a1", "a2"]
