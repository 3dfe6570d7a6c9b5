"""The Bot API over HTTP: tokens, faults, answers and the call log. The methods are elsewhere."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from rich_agent_sandbox.ledger import Fault
from rich_agent_sandbox.responses import AsciiJSONResponse
from rich_agent_sandbox.server import drop_connection
from rich_agent_sandbox.telegram.bot_methods import METHODS
from rich_agent_sandbox.telegram.faults import concerns, refusal_of
from rich_agent_sandbox.telegram.params import Params, read_params
from rich_agent_sandbox.telegram.refusals import BotApiError
from rich_agent_sandbox.telegram.sandbox import Sandbox

_TOKEN = re.compile(r"\d+:[A-Za-z0-9_-]+")
NO_ANSWER = 0


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: Mapping[str, Any]


def telegram_routes(sandbox: Sandbox) -> list[BaseRoute]:
    """`/bot<token>/<method>` and `/file/bot<token>/<path>`."""
    api = _BotApi(sandbox)
    return [
        Route("/bot{token}/{method}", api.call, methods=["GET", "POST"]),
        Route("/file/bot{token}/{path:path}", api.download, methods=["GET"]),
    ]


@dataclass(frozen=True, slots=True)
class _BotApi:
    sandbox: Sandbox

    async def call(self, request: Request) -> Response:
        """Answer a method call, or show the fault planned for it, and record it."""
        ledger = self.sandbox.ledger
        started_at = ledger.clock()
        method = _canonical(request.path_params["method"])
        params, fault = Params(), None
        try:
            self._check_token(request.path_params["token"])
            params = await read_params(request)
            fault = ledger.next_fault(
                "telegram",
                method,
                body=json.dumps(params.to_json(), ensure_ascii=False),
                applies=lambda fault: concerns(fault, method, params),
            )
            answer = _Answer(200, {"ok": True, "result": await self._run(method, params, fault)})
        except BotApiError as error:
            answer = _refused(error)
        dropped = fault is not None and fault.kind == "reset"
        status = NO_ANSWER if dropped else answer.status
        ledger.record("telegram", method, params.to_json(), status=status, started_at=started_at)
        if dropped:
            return await drop_connection(request)
        return AsciiJSONResponse(answer.body, status_code=answer.status)

    async def _run(self, method: str, params: Params, fault: Fault | None) -> object:
        if method not in METHODS:
            raise BotApiError(404, "Not Found")
        self.sandbox.ephemerals.check_method(method)
        chat_id = params.values.get("chat_id")
        if refusal := refusal_of(fault):
            if fault and fault.chat_id is not None and refusal.retry_after is not None:
                self.sandbox.flood.close(fault.chat_id, refusal.retry_after)
            raise refusal
        if isinstance(chat_id, int):
            self.sandbox.flood.check_closed(method, chat_id)
        if fault and fault.kind == "delay":
            await asyncio.sleep(fault.delay_s)
        if self.sandbox.config.flood and isinstance(chat_id, int):
            self.sandbox.flood.admit(method, chat_id)
        result = await METHODS[method](self.sandbox, params)
        if fault and fault.kind == "timeout":
            await asyncio.sleep(fault.delay_s)
        if fault and fault.kind == "502_done":
            raise BotApiError(502, "Bad Gateway")
        return result

    def _check_token(self, token: str) -> None:
        if not _TOKEN.fullmatch(token):
            raise BotApiError(404, "Not Found")
        if token != self.sandbox.config.bot_token:
            raise BotApiError(401, "Unauthorized")

    async def download(self, request: Request) -> Response:
        """The bytes of a file by the path from getFile."""
        try:
            self._check_token(request.path_params["token"])
        except BotApiError as error:
            return AsciiJSONResponse(_refused(error).body, status_code=error.code)
        file = self.sandbox.files.find_path(request.path_params["path"])
        if file is None:
            return AsciiJSONResponse(_refused(BotApiError(404, "Not Found")).body, status_code=404)
        return Response(file.content, media_type="application/octet-stream")


def _canonical(name: str) -> str:
    """The method's name as in the documentation; Telegram ignores the case."""
    return next((known for known in METHODS if known.lower() == name.lower()), name)


def _refused(error: BotApiError) -> _Answer:
    body: dict[str, Any] = {
        "ok": False,
        "error_code": error.code,
        "description": error.description,
    }
    if error.retry_after is not None:
        body["parameters"] = {"retry_after": error.retry_after}
    return _Answer(error.code, body)
