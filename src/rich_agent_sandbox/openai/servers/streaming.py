"""A chat completion as server-sent events, in the manner of a server."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich_agent_sandbox.model.completion import Completion
from rich_agent_sandbox.model.request import ChatRequest
from rich_agent_sandbox.openai import wire
from rich_agent_sandbox.openai.servers.personality import Personality, Thinking
from rich_agent_sandbox.openai.servers.refusing import Refused
from rich_agent_sandbox.openai.servers.speech import content_pieces, whole_content

Json = dict[str, Any]
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

        One that is `cut` stops half-way without a word, one that `breaks` with an error.
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
        if said.tool:
            message |= {"content": None, "tool_calls": [self._call(said, said.text)]}
        finish = self._finish(said)
        return {"index": index, "message": message, "logprobs": None, "finish_reason": finish}

    def _parts(self, index: int, said: Completion) -> Iterator[Json]:
        """The choices of a stream: role, thoughts, then pieces, then the finish reason."""
        if self._field and said.thought:
            for piece in Completion(said.thought).pieces():
                yield _delta(index, {"role": "assistant", "content": "", self._field: piece})
        if said.tool:
            yield from self._tool_parts(index, said)
        elif said.refusal:
            yield _delta(index, {"role": "assistant", "content": None, "refusal": said.refusal})
        else:
            yield _delta(index, {"role": "assistant", "content": ""})
            for part in content_pieces(said, self._thinking):
                yield _delta(index, {"content": part})
        yield _delta(index, {}) | {"finish_reason": self._finish(said)}

    def _tool_parts(self, index: int, said: Completion) -> Iterator[Json]:
        if self.personality.tools.arguments_as_object:
            call = self._call(said, said.text) | {"index": 0}
            yield _delta(index, {"role": "assistant", "content": "", "tool_calls": [call]})
            return
        head = self._call(said, "") | {"index": 0}
        yield _delta(index, {"role": "assistant", "content": None, "tool_calls": [head]})
        for piece in said.pieces():
            part = {"index": 0, "function": {"arguments": piece}}
            yield _delta(index, {"tool_calls": [part]})

    def _call(self, said: Completion, arguments: str) -> Json:
        tools = self.personality.tools
        call = wire.tool_call(said.tool or "", arguments)
        if tools.arguments_as_object:
            call["function"]["arguments"] = json.loads(said.text)
        if tools.without_id:
            del call["id"]
        return call

    def _finish(self, said: Completion) -> str:
        return self.personality.ends.get(said.finish_reason, said.finish_reason)

    @property
    def _thinking(self) -> Thinking | None:
        return self.personality.thinking

    @property
    def _field(self) -> str:
        """The field of message and delta in which thoughts stand, "" for none."""
        shown = self._thinking.shown if self._thinking else ""
        return shown if shown.startswith("reasoning") else ""


def event(data: Mapping[str, Any] | object) -> bytes:
    """One server-sent event."""
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _delta(index: int, delta: Json) -> Json:
    return {"index": index, "delta": delta, "logprobs": None, "finish_reason": None}
