"""Telegram and a model server in few milliseconds of processor time a turn.

HTTP/1.1 by hand, as far as the clients of the bot use it: a server framework would take as much of
the machine as the bot. Latencies are in the names of the models, see `Latencies`.
"""

import asyncio
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from typing_extensions import override

from bench.load.latencies import Latencies

LAST_WORDS = "That is all."
FIRST_WORDS = "Answer:"
DIMENSIONS = 1536
NUMBER = "Your number is"
_NUMBER = re.compile(NUMBER.encode() + rb" ([0-9]{1,12})")
_LENGTH = re.compile(rb"content-length: ?([0-9]{1,12})", re.IGNORECASE)
_STREAM = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)
# Formed by hand: encoding it anew would be most of the work of an event.
_EVENT = (
    'data: {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "%s", "choices": '
    '[{"index": 0, "delta": {"role": "assistant", "content": "%s"}, "finish_reason": %s}]}\n\n'
)
_ME = {"id": 1, "is_bot": True, "first_name": "Load", "username": "load_bot"}
_VECTOR = [1.0] + [0.0] * (DIMENSIONS - 1)
Shown = Callable[[int, int, str], None]
"""Told of the text of each message, "" once it is deleted: chat, message and text."""


class Upstreams:
    """Answers for Telegram and the models; `shown` is told each text, `plan` is what is planned."""

    def __init__(self, telegram_s: float = 0.03) -> None:
        self.shown: Shown = lambda _chat, _message, _text: None
        self.plan = "direct"
        self.telegram_s = telegram_s
        self._message_id = 0
        self._webhook = ""

    def telegram(self, method: str, form: dict[str, list[str]]) -> object:
        """The result of a method."""
        if method == "getMe":
            return _ME
        if method == "setWebhook":
            self._webhook = form["url"][0]
        if method == "getWebhookInfo":
            return {
                "url": self._webhook,
                "has_custom_certificate": False,
                "pending_update_count": 0,
            }
        if method == "deleteMessage":
            self.shown(int(form["chat_id"][0]), int(form["message_id"][0]), "")
        if method not in {"sendMessage", "editMessageText"}:
            return True
        chat, text = int(form["chat_id"][0]), form["text"][0]
        if method == "sendMessage":
            self._message_id += 1
        message = int(form.get("message_id", [str(self._message_id)])[0])
        self.shown(chat, message, text)
        where = {"id": chat, "type": "private"}
        return {"message_id": message, "date": 0, "chat": where, "text": text}

    def planned(self) -> str:
        """A plan as the planner writes it."""
        return json.dumps(
            {
                "intent": "general_question",
                "plan": self.plan,
                "query": "proof of history",
                "reason": "bench",
            }
        )


class Connection(asyncio.Protocol):
    """One connection of a client, which asks again when it has its answer."""

    def __init__(self, upstreams: Upstreams) -> None:
        self._upstreams = upstreams
        self._loop = asyncio.get_running_loop()
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None

    @override
    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, parted, rest = self._buffer.partition(b"\r\n\r\n")
        if not parted:
            return
        length = _LENGTH.search(head)
        size = int(length[1]) if length else 0
        if len(rest) < size:
            return
        self._buffer = rest[size:]
        path = head.split(b" ", 2)[1].decode()
        self._answer(path, rest[:size])

    def _answer(self, path: str, body: bytes) -> None:
        if path.startswith("/bot"):
            result = self._upstreams.telegram(path.rpartition("/")[2], parse_qs(body.decode()))
            self._reply({"ok": True, "result": result}, self._upstreams.telegram_s)
            return
        if not body:
            self._reply({"object": "list", "data": []})
            return
        asked = json.loads(body)
        latencies = Latencies.of(asked["model"])
        if "input" in asked:
            self._reply(_embedded(asked), latencies.first_s)
        elif asked.get("stream"):
            begin = partial(self._stream, asked["model"], latencies, _numbered(body))
            self._loop.call_later(latencies.first_s, begin, 0, 0.0)
        else:
            planned = _completion(asked["model"], self._upstreams.planned())
            self._reply(planned, latencies.first_s)

    def _reply(self, value: object, after_s: float = 0.0) -> None:
        body = json.dumps(value).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        self._loop.call_later(after_s, self._write, head.encode() + b"\r\n\r\n" + body)

    def _stream(
        self, model: str, latencies: Latencies, first: str, number: int, due: float
    ) -> None:
        """Write the event that is due, and come back for the next one."""
        if number == 0:
            self._write(_STREAM)
            due = self._loop.time()
        if number < latencies.events:
            words = first if number == 0 else f"word{number}"
            self._event(model, f"{words} " * (latencies.tpe if number else 1))
            # From the moment it was due, so that a late event delays no other.
            due += latencies.event_s
            self._loop.call_at(due, self._stream, model, latencies, first, number + 1, due)
            return
        self._event(model, LAST_WORDS)
        self._event(model, "", '"stop"')
        self._write(b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n")

    def _event(self, model: str, text: str, finish_reason: str = "null") -> None:
        event = _EVENT % (model, text, finish_reason)
        self._write(f"{len(event):x}\r\n{event}\r\n".encode())

    def _write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)


def _numbered(body: bytes) -> str:
    """The first words of an answer, with the number of the newest question if it has one."""
    numbers = [int(found) for found in _NUMBER.findall(body)]
    return f"{FIRST_WORDS} {max(numbers)}" if numbers else FIRST_WORDS


def _completion(model: str, text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    kind = "chat.completion"
    return {"id": "1", "object": kind, "created": 0, "model": model, "choices": [choice]}


def _embedded(asked: dict[str, Any]) -> dict[str, Any]:
    texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
    data = [{"object": "embedding", "index": n, "embedding": _VECTOR} for n in range(len(texts))]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": data, "model": asked["model"], "usage": usage}
