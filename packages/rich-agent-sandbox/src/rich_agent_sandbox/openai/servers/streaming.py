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
        """The answer as one object."""
        choices = [self._choice(index, completion) for index, completion in enumerate(self.choices)]
        return self.envelope.completion(choices, self.usage)

    async def events(
        self, delay_s: float, *, cut: bool = False, breaks: bool = False
    ) -> AsyncIterator[bytes]:
        """The events of a stream.

        With `cut` or `breaks`, it stops half-way: without an error, or with one.
        """
        streams = self.personality.streams
        if streams.comment:
            yield f"{streams.comment}\n\n".encode()
        if streams.first:
            yield event(streams.first)
        parts = [
            choice_part
            for index, completion in enumerate(self.choices)
            for choice_part in self._parts(index, completion)
        ]
        for part in parts[: max(1, len(parts) // 2)] if cut or breaks else parts:
            yield self.envelope.chunk([part], None, tells_usage=self._tells_usage)
            await asyncio.sleep(delay_s)
        if breaks:
            error = self.personality.form(BROKEN)
            yield event(error[0] if isinstance(error, list) else error)
        elif not cut:
            for last_event in self._last():
                yield last_event
            if streams.done:
                yield wire.DONE

    @property
    def _tells_usage(self) -> bool:
        is_requested = self.request.wants_usage or self.personality.streams.usage == "always"
        return is_requested and self.usage is not None

    def _last(self) -> Iterator[bytes]:
        field_name = self.personality.streams.usage_beside
        if field_name and self.usage:
            further_fields = {field_name: {"id": "req_0", "usage": self.usage.to_json()}}
            yield self.envelope.chunk([], None, tells_usage=False, more=further_fields)
        if self._tells_usage:
            yield self.envelope.chunk([], self.usage, tells_usage=True)

    def _choice(self, index: int, completion: Completion) -> Json:
        message: Json = {"role": "assistant", "content": whole_content(completion, self._thinking)}
        message |= {"refusal": completion.refusal or None}
        if self._field and completion.thought:
            message[self._field] = completion.thought
        if completion.refusal:
            message["content"] = None
        if completion.calls:
            calls = [
                wire.tool_call(call.id, call.name, call.as_sent()) for call in completion.calls
            ]
            message |= {"content": message["content"] or None, "tool_calls": calls}
        finish_reason = self._finish(completion)
        return {
            "index": index,
            "message": message,
            "logprobs": None,
            "finish_reason": finish_reason,
        }

    def _parts(self, index: int, completion: Completion) -> Iterator[Json]:
        """The choices of a stream: the role, thoughts, pieces of text, and the finish reason."""
        if self._field and completion.thought:
            for piece in pieces_of(completion.thought):
                yield _delta(index, {"role": "assistant", "content": "", self._field: piece})
        if completion.refusal:
            yield _delta(
                index, {"role": "assistant", "content": None, "refusal": completion.refusal}
            )
        else:
            parts = content_pieces(completion, self._thinking)
            yield _delta(
                index,
                {"role": "assistant", "content": "" if parts or not completion.calls else None},
            )
            for part in parts:
                yield _delta(index, {"content": part})
        for call_index, call in enumerate(completion.calls):
            yield from (
                _delta(index, {"tool_calls": [part]}) for part in _call_parts(call_index, call)
            )
        if self.personality.streams.finish:
            yield _delta(index, {}) | {"finish_reason": self._finish(completion)}

    def _finish(self, completion: Completion) -> str:
        return self.personality.ends.get(completion.finish_reason, completion.finish_reason)

    @property
    def _thinking(self) -> Thinking | None:
        return self.personality.thinking

    @property
    def _field(self) -> str:
        """The field of message and delta for thoughts, "" if there is none."""
        thinking_form = self._thinking.shown if self._thinking else ""
        return thinking_form if thinking_form.startswith("reasoning") else ""


def event(data: Mapping[str, Any] | object) -> bytes:
    """One server-sent event."""
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _call_parts(call_index: int, call: FunctionCall) -> Iterator[Json]:
    """The call with its name, then its arguments in pieces; an object is sent as one piece."""
    arguments = call.as_sent()
    if not isinstance(arguments, str):
        yield {"index": call_index, **wire.tool_call(call.id, call.name, arguments)}
        return
    yield {"index": call_index, **wire.tool_call(call.id, call.name, "")}
    for start in range(0, len(arguments), ARGUMENT_PIECE):
        piece = arguments[start : start + ARGUMENT_PIECE]
        yield {"index": call_index, "function": {"arguments": piece}}


def _delta(index: int, delta: Json) -> Json:
    return {"index": index, "delta": delta, "logprobs": None, "finish_reason": None}
