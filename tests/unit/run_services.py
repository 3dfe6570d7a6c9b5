"""A service of runs that begins none, and requests of a program to endpoints that use it."""

import json
from typing import Any

from starlette.requests import Request
from starlette.types import Message

from rich_agent.web.access import Caller
from rich_agent.web.streams import StreamPlaces

ADA = Caller(7, frozenset({"chat"}), None)
FULL = StreamPlaces(most_of_one=0)


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
