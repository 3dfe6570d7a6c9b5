"""Runs that are begun with their stream: none without a place for it."""

import json
from typing import Any, cast

import pytest
from starlette.requests import Request
from starlette.types import Message

from rich_agent.runs.service import RunService
from rich_agent.web.access import Caller
from rich_agent.web.agui.endpoints import AguiEndpoints
from rich_agent.web.refusals import RequestRefusedError
from rich_agent.web.streams import StreamPlaces

ADA = Caller(7, frozenset({"chat"}), None)
FULL = StreamPlaces(most_of_one=0)
AGUI_BODY = {
    "threadId": "chat",
    "runId": "r1",
    "state": {},
    "tools": [],
    "context": [],
    "forwardedProps": {},
    "messages": [{"id": "m1", "role": "user", "content": "Hello"}],
}


class Service:
    """A service without runs, which begins none."""

    @property
    def runs(self) -> "Service":
        """Itself."""
        return self

    async def find(self, _user_id: int, _run_id: str) -> None:
        """Nothing."""

    async def waiting_in(self, _user_id: int, _thread: str) -> None:
        """Nothing."""

    async def begin(self, *_run: object) -> None:
        """Fail."""
        raise AssertionError("begun without a place")


def post(body: dict[str, Any]) -> Request:
    """A request of Ada's program."""
    read: Message = {"type": "http.request", "body": json.dumps(body).encode()}

    async def receive() -> Message:
        return read

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}
    request = Request({**scope, "path_params": {"id": "current"}}, receive)
    request.state.caller = ADA
    return request


async def test_run_of_an_agent_client_is_not_begun_without_a_place_for_its_stream() -> None:
    """A client that is told to close other streams has begun nothing."""
    service, unused = Service(), cast("Any", None)
    agui = AguiEndpoints(cast("RunService", service), unused, unused, unused, unused, unused, FULL)
    with pytest.raises(RequestRefusedError, match="streams"):
        await agui.run(post(AGUI_BODY), ADA)
