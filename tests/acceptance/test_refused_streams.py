"""Open streams end once their caller would not be admitted any more, and their runs with them."""

import ast
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

import rich_agent
from tests.acceptance.test_agui import program, wanted
from tests.acceptance.test_live import signed_in
from tests.acceptance.world import ADMIN, World, wait_until

SLOW_S = 60.0
"""Without an end, a stream would wait for its model so long."""
Json = dict[str, Any]


@dataclass(slots=True)
class Wish:
    """The request for a stream."""

    method: str
    path: str
    body: Json | None = None


def _completion(text: str, *, stream: bool) -> Wish:
    body = {"model": "rich-agent", "messages": [{"role": "user", "content": text}]}
    return Wish("POST", "/v1/chat/completions", {**body, "stream": stream})


def _followed(client: httpx.Client, text: str) -> Wish:
    client.post("/api/agent/query", json={"message": text, "id": "q1"}).raise_for_status()
    return Wish("GET", "/api/stream/q1")


def _session(client: httpx.Client, text: str) -> Wish:
    _run(client, "/plan my day")
    return Wish("POST", "/api/sessions/current/chat", {"message": text})


def _run(client: httpx.Client, text: str) -> None:
    client.post("/api/agent/query", json={"message": text, "id": "q0"}).raise_for_status()
    client.get("/api/stream/q0").raise_for_status()


STREAMS: dict[str, Callable[[httpx.Client, str], Wish]] = {
    "AguiEndpoints._follow": lambda _, text: Wish("POST", "/agui", wanted(text)),
    "LiveEndpoint.follow": lambda _, __: Wish("GET", "/agui/live?threadId=chat"),
    "OpenAIEndpoints._answer": lambda _, text: _completion(text, stream=True),
    "ApiEndpoints.stream": _followed,
    "SessionChatEndpoints._stream": _session,
}
"""The way into each stream, by the method that opens it."""
OF_PAGES = {"PageArea._follow"}
"""Streams that no token opens: those of pages, which end with a role or a session."""


def opened_streams() -> set[str]:
    """The methods that answer with a stream, of all classes that have routes."""
    found = set()
    for file in Path(rich_agent.__path__[0]).rglob("*.py"):
        if "StreamResponse" not in (source := file.read_text("utf-8")):
            continue
        for one in ast.parse(source).body:
            methods = [
                step
                for step in ast.iter_child_nodes(one)
                if isinstance(step, ast.FunctionDef | ast.AsyncFunctionDef)
            ]
            if isinstance(one, ast.ClassDef) and "routes" in {step.name for step in methods}:
                found |= {f"{one.name}.{step.name}" for step in methods if _streams(step)}
    return found


def _streams(method: ast.AST) -> bool:
    calls = (node for node in ast.walk(method) if isinstance(node, ast.Call))
    return any(ast.unparse(call.func).endswith("StreamResponse") for call in calls)


@dataclass(slots=True)
class Reader:
    """A program that reads an answer to its end, in a thread of its own."""

    client: httpx.Client
    wish: Wish
    status: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    def read(self) -> None:
        """Read until the bot ends it."""
        wish = self.wish
        with self.client.stream(wish.method, wish.path, json=wish.body) as answer:
            self.status = answer.status_code
            for _ in answer.iter_raw():
                pass
        self.ended.set()


@contextmanager
def reading(world: World, client: httpx.Client, name: str, user: int) -> Iterator[Reader]:
    """A stream whose model is slow, once the model was asked."""
    text = f"Tell me about staking {user}"
    wish = STREAMS[name](client, text) if name != "whole" else _completion(text, stream=False)
    aim = [str(user)]
    if name == "SessionChatEndpoints._stream":
        # It embeds nothing before it plans, and a call is listed once it is over.
        aim.append('"stream":true')
    world.sandbox.fail("openai", "slow", containing=aim, delay_s=SLOW_S)
    before = world.sandbox.mark()
    reader = Reader(client, wish)
    thread = threading.Thread(target=reader.read, daemon=True)
    began = time.monotonic()
    thread.start()
    if name != "LiveEndpoint.follow":
        wait_until(lambda: world.sandbox.calls("openai", before) or None, "the model is asked")
    else:
        wait_until(lambda: reader.status or None, "the stream is open")
    yield reader
    assert time.monotonic() - began < SLOW_S, "the answer has ended by itself"


def is_over(world: World, user: int, reader: Reader) -> None:
    """Return once the stream has ended, and no run of the user goes on."""
    assert reader.ended.wait(SLOW_S / 2)
    query = "SELECT FROM runs WHERE user_id = %s AND state <> 'ended'"
    wait_until(lambda: not world.rows(query, user) or None, "the run has ended", SLOW_S / 2)


def revoke(world: World, user: int) -> None:
    """Revoke the user's tokens, as the product does."""
    world.rows(
        "WITH gone AS (UPDATE api_tokens SET revoked_at = clock_timestamp() WHERE user_id = %s"
        " RETURNING user_id) SELECT pg_notify('conversations', user_id::text) FROM gone",
        user,
    )


def test_streams_of_all_routes_are_tried() -> None:
    """A new one is given a way in above."""
    assert opened_streams() == STREAMS.keys() | OF_PAGES


@pytest.mark.costs("it waits for the end of a stream")
@pytest.mark.parametrize("name", [*STREAMS, "whole"])
def test_stream_of_a_revoked_token_ends_with_its_run(world: World, user: int, name: str) -> None:
    """Each stream, and an answer that is sent whole: nobody reads it, and it costs no more."""
    with program(world, user) as client, reading(world, client, name, user) as reader:
        revoke(world, user)
        is_over(world, user, reader)
        assert reader.status == (401 if name == "whole" else 200)


def test_stream_of_a_denied_user_ends_with_their_turns(world: World, user: int) -> None:
    """Over HTTP and in Telegram."""
    with (
        program(world, user) as client,
        reading(world, client, "AguiEndpoints._follow", user) as one,
    ):
        world.ask(ADMIN, f"/deny {user}")
        is_over(world, user, one)
    world.ask(ADMIN, f"/allow {user}")
    before = world.sandbox.mark()
    sent = world.sandbox.say(user, f"What about staking, {user}?")
    wait_until(lambda: world.sandbox.calls("openai", before) or None, "the model is asked")
    world.ask(ADMIN, f"/deny {user}")
    wait_until(lambda: world.is_done(sent) or None, "the turn has ended", SLOW_S / 2)
    world.ask(ADMIN, f"/allow {user}")


@pytest.mark.parametrize("table", ["api_tokens", "web_sessions"])
def test_stream_ends_when_what_opened_it_expires(world: World, user: int, table: str) -> None:
    """A token with an end, and the session of a browser; nothing tells of it."""
    opened = program if table == "api_tokens" else signed_in
    with opened(world, user) as client:
        until = "UPDATE {} SET expires_at = clock_timestamp() + interval '3 s' WHERE user_id = %s"
        tables = {
            "api_tokens": until.format("api_tokens"),
            "web_sessions": until.format("web_sessions"),
        }
        world.rows(f"{tables[table]} RETURNING 1", user)
        with reading(world, client, "AguiEndpoints._follow", user) as reader:
            is_over(world, user, reader)
