"""The Responses API: the same model with items instead of messages.

Source: https://platform.openai.com/docs/api-reference/responses/create and …/responses-streaming.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import JSONResponse, Response

from rich_agent_sandbox.exchange import Exchange, PieceStream
from rich_agent_sandbox.model.completion import pieces_of
from rich_agent_sandbox.openai.servers.refusing import Refused, refusal
from rich_agent_sandbox.openai.servers.serving import Answered, ModelServer

Json = dict[str, Any]
_FIELDS = """
background conversation include input instructions max_output_tokens max_tool_calls metadata model
parallel_tool_calls previous_response_id prompt prompt_cache_key reasoning safety_identifier
service_tier store stream stream_options text tool_choice tools top_logprobs truncation user
temperature top_p
"""
_KNOWN = frozenset(_FIELDS.split())
_TEXT_PARTS = ("input_text", "output_text", "text")
_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}


@dataclass(frozen=True, slots=True)
class Responding:
    """`POST /responses` of a server."""

    server: ModelServer

    async def respond(self, call: Exchange) -> Response:
        """Answer one request, as a whole or as events."""
        body = call.body
        self.server.check(body, self.server.personality.rules)
        if unknown := next((name for name in body if name not in _KNOWN), None):
            told = f"Unknown parameter: '{unknown}'."
            refused = Refused(400, told, param=unknown, code="unknown_parameter")
            raise refusal(self.server.personality.form, refused)
        answered = await self.server.answered(call, chat_body(body))
        response = _Response.of(body, answered, call.started_at)
        if not body.get("stream"):
            await self.server.think()
            return JSONResponse(response.to_json(response.status, response.output))
        pieces = max(1, answered.choice.length)
        delay_s = self.server.delay_s(call, pieces)
        cut, breaks = call.shows("truncated"), call.shows("error_chunk")
        return PieceStream(self._events(response, delay_s, cut=cut, breaks=breaks), cut=cut)

    async def _events(
        self, response: "_Response", delay_s: float, *, cut: bool, breaks: bool
    ) -> AsyncIterator[bytes]:
        number = 0
        for kind in ("response.created", "response.in_progress"):
            yield _event(kind, number, {"response": response.to_json("in_progress", [])})
            number += 1
        await self.server.think()
        events = list(response.events())
        for kind, told in events[: len(events) // 2] if cut or breaks else events:
            yield _event(kind, number, told)
            number += 1
            if kind.endswith(".delta"):
                await asyncio.sleep(delay_s)
        if breaks:
            error = {"code": "server_error", "message": "The server had an error.", "param": None}
            yield _event("error", number, error)
        elif not cut:
            last = response.to_json(response.status, response.output)
            yield _event(f"response.{response.status}", number, {"response": last})


@dataclass(frozen=True, slots=True)
class _Response:
    """A response: its output items, and the fields that all its stages share."""

    asked: Mapping[str, Any]
    answered: Answered
    created_at: float
    id: str

    @classmethod
    def of(cls, asked: Mapping[str, Any], answered: Answered, created_at: float) -> "_Response":
        return cls(asked, answered, created_at, f"resp_{secrets.token_hex(16)}")

    @property
    def status(self) -> str:
        return "incomplete" if self._incomplete else "completed"

    @property
    def _incomplete(self) -> str | None:
        return _INCOMPLETE.get(self.answered.choice.finish_reason)

    @property
    def output(self) -> list[Json]:
        """The items in order: thoughts, words, calls."""
        said = self.answered.choice
        own = self.id.removeprefix("resp_")
        items: list[Json] = []
        if said.thought:
            items.append({"id": f"rs_{own}", "type": "reasoning", "summary": []})
        if said.text or said.refusal or not said.calls:
            part = {"type": "refusal", "refusal": said.refusal}
            items.append(
                {
                    "id": f"msg_{own}",
                    "type": "message",
                    "status": "completed",
                    "role": "assistant",
                    "content": [part if said.refusal else _text_part(said.text)],
                }
            )
        for number, call in enumerate(said.calls):
            item = {"id": f"fc_{own}{number}", "type": "function_call", "status": "completed"}
            told = {} if call.id is None else {"call_id": call.id}
            items.append({**item, **told, "name": call.name, "arguments": call.arguments})
        return items

    def events(self) -> Iterator[tuple[str, Json]]:
        """The events of all output items, in order."""
        for index, item in enumerate(self.output):
            at = {"output_index": index}
            begun = item | ({} if item["type"] == "reasoning" else {"status": "in_progress"})
            where = {**at, "item_id": item["id"]}
            if item["type"] == "function_call":
                begun["arguments"] = ""
                inner = _deltas("function_call_arguments", where, "arguments", item["arguments"])
            elif item["type"] == "message":
                begun["content"] = []
                inner = _part_events(where, item["content"][0])
            else:
                inner = iter(())
            yield "response.output_item.added", {**at, "item": begun}
            yield from inner
            yield "response.output_item.done", {**at, "item": item}

    def to_json(self, status: str, output: Sequence[Json]) -> Json:
        """The response object at a stage; usage is reported at the end."""
        usage = self.answered.usage
        told = {
            "input_tokens": usage.prompt_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": usage.completion_tokens,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
            "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        }
        is_over = status != "in_progress"
        reason = self._incomplete if is_over else None
        return {
            "id": self.id,
            "object": "response",
            "created_at": int(self.created_at),
            "status": status,
            "error": None,
            "incomplete_details": {"reason": reason} if reason else None,
            "instructions": self.asked.get("instructions"),
            "max_output_tokens": self.asked.get("max_output_tokens"),
            "model": self.asked["model"],
            "output": list(output),
            "parallel_tool_calls": True,
            "previous_response_id": None,
            "reasoning": {"effort": "medium", "summary": None},
            "store": self.asked.get("store", True),
            "temperature": 1.0,
            "text": self.asked.get("text") or {"format": {"type": "text"}},
            "tool_choice": self.asked.get("tool_choice", "auto"),
            "tools": self.asked.get("tools") or [],
            "top_p": 1.0,
            "truncation": "disabled",
            "usage": told if is_over else None,
            "metadata": {},
        }


def _part_events(where: Json, part: Json) -> Iterator[tuple[str, Json]]:
    """The one part of a message."""
    where = {**where, "content_index": 0}
    kind, field = part["type"], "text" if part["type"] == "output_text" else "refusal"
    yield "response.content_part.added", {**where, "part": part | {field: ""}}
    yield from _deltas(kind, where, field, part[field])
    yield "response.content_part.done", {**where, "part": part}


def _deltas(kind: str, where: Json, field: str, text: str) -> Iterator[tuple[str, Json]]:
    more: Json = {"logprobs": []} if kind == "output_text" else {}
    for piece in pieces_of(text):
        yield f"response.{kind}.delta", {**where, "delta": piece, **more}
    yield f"response.{kind}.done", {**where, field: text, **more}


def chat_body(body: Mapping[str, Any]) -> Json:
    """The body of the equivalent chat completion request."""
    given = body.get("input", "")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    messages = [message for item in items if (message := _message(item))]
    if body.get("instructions"):
        messages.insert(0, {"role": "system", "content": body["instructions"]})
    asked: Json = {"model": body.get("model", ""), "messages": messages}
    if body.get("max_output_tokens"):
        asked["max_completion_tokens"] = body["max_output_tokens"]
    if tools := body.get("tools"):
        asked["tools"] = [_tool(tool) for tool in tools]
        asked["tool_choice"] = _tool_choice(body.get("tool_choice"))
    if wanted := (body.get("text") or {}).get("format"):
        asked["response_format"] = _format(wanted)
    return asked


def _message(item: Mapping[str, Any]) -> Json | None:
    kind = item.get("type", "message")
    if kind == "function_call_output":
        output = {"tool_call_id": item.get("call_id"), "content": str(item.get("output", ""))}
        return {"role": "tool", **output}
    if kind == "function_call":
        function = {"name": item.get("name"), "arguments": item.get("arguments")}
        call = {"id": item.get("call_id"), "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    if kind != "message":
        return None
    content = item.get("content")
    if not isinstance(content, str):
        content = [_part(part) for part in content or ()]
    return {"role": item.get("role", "user"), "content": content}


def _part(part: Mapping[str, Any]) -> Json:
    if part.get("type") in _TEXT_PARTS:
        return {"type": "text", "text": part.get("text", "")}
    if part.get("type") == "input_image":
        return {"type": "image_url", "image_url": {"url": part.get("image_url")}}
    return dict(part)


def _tool(tool: Mapping[str, Any]) -> Json:
    function = {name: value for name, value in tool.items() if name != "type"}
    return {"type": tool.get("type"), "function": function}


def _tool_choice(choice: object) -> object:
    if isinstance(choice, dict):
        return {"type": "function", "function": {"name": choice.get("name")}}
    return choice


def _format(wanted: Mapping[str, Any]) -> Json:
    if wanted.get("type") != "json_schema":
        return dict(wanted)
    schema = {name: value for name, value in wanted.items() if name != "type"}
    return {"type": "json_schema", "json_schema": schema}


def _text_part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _event(kind: str, number: int, told: Mapping[str, Any]) -> bytes:
    data = {"type": kind, "sequence_number": number, **told}
    return f"event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
