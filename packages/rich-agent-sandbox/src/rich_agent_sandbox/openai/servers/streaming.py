"""A chat completion as server-sent events, in the style of a server."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich_agent_sandbox.model.completion import Completion, FunctionCall, pieces_of
from rich_agent_sandbox.model.request import ChatRequest
from rich_agent_sandbox.openai import wire
from rich_agent_sandbox.openai.servers.personality import Personality, Thinking
from rich_agent_sandbox.openai.servers.refusing import Refused
from rich_agent_sandbox.openai.servers.styles import content_pieces, whole_content

Json = dict[str, Any]
ARGUMENT_PIECE = 9  # characters
BROKEN = Refused(502, "Provider disconnected unexpectedly", "server_error", code="server_error")


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a server to one request."""

    personality: Personality
    request: ChatRequest
    envelope: wire.Envelope
    choices: list[Completion]
    usage: wire.Usage | None

    def whole(self) -> Json:
        """The answer that is not streamed."""
        choices = [self._choice(index, said) for index, said in enumerate(self.choices)]
        return self.envelope.completion(choices, self.usage)

    async def events(
        self, delay_s: float, *, cut: bool = False, breaks: bool = False
    ) -> AsyncIterator[bytes]:
        """The events of a stream.

        If it is `cut`, it stops half-way without an error; if it `breaks`, with one.
        """
        streams = self.personality.streams
        if streams.comment:
            yield f"{streams.comment}\n\n".encode()
        if streams.first:
            yield event(streams.first)
        parts = [p for index, said in enumerate(self.choices) for p in self._parts(index, said)]
        for part in parts[: max(1, len(parts) // 2)] if cut or breaks else parts:
            yield self.envelope.chunk([part], None, tells_usage=self._tells_usage)
            await asyncio.sleep(delay_s)
        if breaks:
            error = self.personality.form(BROKEN)
            yield event(error[0] if isinstance(error, list) else error)
        elif not cut:
            for last in self._last():
                yield last
            if streams.done:
                yield wire.DONE

    @property
    def _tells_usage(self) -> bool:
        asked = self.request.wants_usage or self.personality.streams.usage == "always"
        return asked and self.usage is not None

    def _last(self) -> Iterator[bytes]:
        beside = self.personality.streams.usage_beside
        if beside and self.usage:
            told = {beside: {"id": "req_0", "usage": self.usage.to_json()}}
            yield self.envelope.chunk([], None, tells_usage=False, more=told)
        if self._tells_usage:
            yield self.envelope.chunk([], self.usage, tells_usage=True)

    def _choice(self, index: int, said: Completion) -> Json:
        message: Json = {"role": "assistant", "content": whole_content(said, self._thinking)}
        message |= {"refusal": said.refusal or None}
        if self._field and said.thought:
            message[self._field] = said.thought
        if said.refusal:
            message["content"] = None
        if said.calls:
            calls = [wire.tool_call(call.id, call.name, call.as_sent()) for call in said.calls]
            message |= {"content": message["content"] or None, "tool_calls": calls}
        finish = self._finish(said)
        return {"index": index, "message": message, "logprobs": None, "finish_reason": finish}

    def _parts(self, index: int, said: Completion) -> Iterator[Json]:
        """The choices of a stream: role, thoughts, then pieces, then the finish reason."""
        if self._field and said.thought:
            for piece in pieces_of(said.thought):
                yield _delta(index, {"role": "assistant", "content": "", self._field: piece})
        if said.refusal:
            yield _delta(index, {"role": "assistant", "content": None, "refusal": said.refusal})
        else:
            parts = content_pieces(said, self._thinking)
            yield _delta(
                index, {"role": "assistant", "content": "" if parts or not said.calls else None}
            )
            for part in parts:
                yield _delta(index, {"content": part})
        for number, call in enumerate(said.calls):
            yield from (_delta(index, {"tool_calls": [part]}) for part in _call_parts(number, call))
        if self.personality.streams.finish:
            yield _delta(index, {}) | {"finish_reason": self._finish(said)}

    def _finish(self, said: Completion) -> str:
        return self.personality.ends.get(said.finish_reason, said.finish_reason)

    @property
    def _thinking(self) -> Thinking | None:
        return self.personality.thinking

    @property
    def _field(self) -> str:
        """The field of message and delta for thoughts, "" if there is none."""
        shown = self._thinking.shown if self._thinking else ""
        return shown if shown.startswith("reasoning") else ""


def event(data: Mapping[str, Any] | object) -> bytes:
    """One server-sent event."""
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _call_parts(number: int, call: FunctionCall) -> Iterator[Json]:
    """The call with its name, then its arguments in pieces; an object is sent at once."""
    whole = call.as_sent()
    if not isinstance(whole, str):
        yield {"index": number, **wire.tool_call(call.id, call.name, whole)}
        return
    yield {"index": number, **wire.tool_call(call.id, call.name, "")}
    for at in range(0, len(whole), ARGUMENT_PIECE):
        piece = whole[at : at + ARGUMENT_PIECE]
        yield {"index": number, "function": {"arguments": piece}}


def _delta(index: int, delta: Json) -> Json:
    return {"index": index, "delta": delta, "logprobs": None, "finish_reason": None}
