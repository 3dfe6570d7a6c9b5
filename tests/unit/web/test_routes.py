"""Guarded routes whose caller is refused while the answer is under way."""

import asyncio
from dataclasses import dataclass, field

import pytest
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as Connection

from rich_agent.domain.tokens import Scope
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.web.access import Caller
from rich_agent.web.routes import GuardedRoute, guard, stop_at_refusal

CONNECTION: Connection = {
    "type": "http",
    "method": "GET",
    "path": "/",
    "headers": [],
    "query_string": b"",
}
LENGTH = [(b"content-length", b"9")]


@dataclass(slots=True)
class Gate:
    """Admits once, and then no more."""

    refused: asyncio.Event = field(default_factory=asyncio.Event)

    async def admit(self, _request: Request, _wanted: Scope | None) -> Caller:
        """The caller."""
        return Caller(7, frozenset({"chat"}), None)

    async def wait_for_refusal(self, _request: Request, _wanted: Scope | None) -> None:
        """Return once `refused` is set."""
        await self.refused.wait()


async def messages_of(app: ASGIApp, gate: Gate) -> list[Message]:
    """The messages that the server gets."""
    sent: list[Message] = []
    (route,) = guard([GuardedRoute("/", "chat", app)], gate)

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async with asyncio.timeout(10):
        await route.app({**CONNECTION}, receive, send)
    return sent


def started(headers: list[tuple[bytes, bytes]]) -> Message:
    """The start of an answer."""
    return {"type": "http.response.start", "status": 200, "headers": [*headers]}


@pytest.mark.parametrize(
    ("headers", "more_body", "bodies"),
    [([], True, 2), ([], False, 1), (LENGTH, True, 1), (LENGTH, False, 1)],
)
async def test_refused_answer_is_ended_once(
    headers: list[tuple[bytes, bytes]],
    more_body: bool,  # noqa: FBT001 - as ASGI has it
    bodies: int,
) -> None:
    """Not after its own end, and not short of its announced length: the server raises on both."""
    gate = Gate()

    async def app(_scope: Connection, _receive: Receive, send: Send) -> None:
        await send(started(headers))
        await send({"type": "http.response.body", "body": b"text", "more_body": more_body})
        gate.refused.set()
        await asyncio.Event().wait()

    sent = await messages_of(app, gate)
    assert len(sent) == 1 + bodies
    assert sent[-1].get("more_body", False) is (bodies == 1 and more_body)


@pytest.mark.parametrize("failures", [1, 1_000])
async def test_run_of_a_refused_caller_is_stopped_although_the_database_was_away(
    failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again, not forever, and the stream has its end."""
    monkeypatch.setattr("rich_agent.web.routes._STOP_PAUSES_S", (0.0, 0.0))
    gate, calls = Gate(), 0

    async def stop() -> None:
        nonlocal calls
        calls += 1
        if calls <= failures:
            raise DatabaseUnavailableError("away")

    async def app(scope: Connection, receive: Receive, send: Send) -> None:
        stop_at_refusal(Request(scope, receive), stop)
        await send(started([]))
        gate.refused.set()
        await asyncio.Event().wait()

    sent = await messages_of(app, gate)
    assert calls == min(failures + 1, 3)
    assert not sent[-1]["more_body"]
