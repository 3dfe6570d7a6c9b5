"""Both sides of a sandbox over HTTP. Every result and update is checked against the models."""

import base64
import io
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
from PIL import Image

from tests.contract.telegram_models import check_result, check_update
from tests.sandbox_server import RunningSandbox

WAIT_S = 8.0


@dataclass(frozen=True, slots=True)
class Client:
    """The user's side (`send`, `press`, `chat`) and the bot's (`call`, `refused`, `updates`)."""

    sandbox: RunningSandbox
    http: httpx.Client

    def sim(self, method: str, path: str, body: object = None) -> httpx.Response:
        """A request to `/sim`, whatever its answer."""
        return self._request(method, f"{self.sandbox.url}/sim{path}", body)

    def _request(self, method: str, url: str, body: object) -> httpx.Response:
        # Escaped here, since httpx writes UTF-8 and some texts cannot be written so.
        content = None if body is None else json.dumps(body)
        headers = {"Content-Type": "application/json"}
        return self.http.request(method, url, content=content, headers=headers)

    def forget(self) -> None:
        """Empty the sandbox."""
        assert self.sim("DELETE", "").status_code == 200

    def send(self, user_id: int = 42, **message: Any) -> int:
        """Let a user send something; gives the message id."""
        answer = self.sim("POST", f"/chats/{user_id}/messages", message or {"text": "hi"})
        assert answer.status_code == 200, answer.text
        return int(answer.json()["message_id"])

    def chat(self, chat_id: int = 42) -> dict[str, Any]:
        """The chat that a user sees."""
        view: dict[str, Any] = self.sim("GET", f"/chats/{chat_id}").json()
        return view

    def query_widget(self, message_id: int, data: str, user_id: int = 42, **more: Any) -> str:
        """Let a widget query the bot; gives the query's id."""
        body = {"message_id": message_id, "data": data, **more}
        answer = self.sim("POST", f"/chats/{user_id}/widget-queries", body)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["query_id"])

    def last_message(self, chat_id: int = 42) -> dict[str, Any]:
        """The newest message that a user sees."""
        message: dict[str, Any] = self.chat(chat_id)["messages"][-1]
        return message

    def fault(self, kind: str, **details: Any) -> None:
        """Plan a failure of Telegram."""
        body = {"upstream": "telegram", "kind": kind, **details}
        assert self.sim("POST", "/faults", body).status_code == 200

    def call(self, method: str, **params: Any) -> Any:
        """A successful call of the bot."""
        answer = self._request("POST", f"{self.sandbox.api_url}/{method}", params)
        body = answer.json()
        assert body["ok"], body
        check_result(method, body["result"])
        return body["result"]

    def refused(self, method: str, **params: Any) -> dict[str, Any]:
        """A refused call of the bot: status, description and parameters."""
        answer = self._request("POST", f"{self.sandbox.api_url}/{method}", params)
        body: dict[str, Any] = answer.json()
        assert body["ok"] is False
        assert body["error_code"] == answer.status_code
        return body

    def updates(self, **params: Any) -> list[dict[str, Any]]:
        """The updates that getUpdates gives."""
        found: list[dict[str, Any]] = self.call("getUpdates", **params)
        for update in found:
            check_update(update)
        return found


def picture(width: int = 640, height: int = 480, colour: str = "teal") -> bytes:
    """A PNG."""
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(buffer, "PNG")
    return buffer.getvalue()


def encoded(content: bytes) -> str:
    """Base64, as `/sim` takes it."""
    return base64.b64encode(content).decode()


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds, with a deadline."""
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
