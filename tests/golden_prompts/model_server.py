"""A model server that answers what a situation has it answer, and keeps what it was sent."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import httpx2

from rich_agent.domain.model_role import ModelRole
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities, ModelAccess

Json = dict[str, Any]
Reply = str | Json | Sequence[tuple[str, Json]]
"""A text, an object of the form that is wanted, or calls as (name, arguments)."""

BEGINNINGS = {
    "N3_vision_summarize": "You describe one image",
    "N4_choose_forgotten": "A user wants something forgotten",
    "N4_look_closer": "You answer one question about one image",
    "N5_rank": "Put passages into the order",
    "N5_read_part": "You read one part of a long file",
    "N6_plan_calls": "You say which of these tools",
    "N7_persist_alone": "You keep the long-term memory",
    "N7_persist_summary": "Fold the turns of a conversation",
    "N10_take_answer": "A bot asked its user whether",
    "N13_read_page": "You transcribe one page",
    "client_errand": "A chat program asks for a short text",
    "client_shape": "A program asked a question",
    "describe_domain": "A chat assistant answers from registered documents",
    "doctor": "Answer with one word",
}
"""The first words of each prompt that is no call of a turn."""
TASKS = {
    "N4_build_effective_query": "\nPlan this message",
    "N6_synthesize": "\nAnswer ",
    "N7_persist": "\nDo not answer. Say what",
    "N14_search_further": "\nDo not answer yet. Say whether",
}
"""The words with which the task of each call of a turn begins, in its last message."""
_REQUESTS = {
    "N4_ask_back": "The subject of that message",
    "N4_name_forgotten": "The user wants something forgotten",
    "N4_recall_past": "The user asks what was said",
    "N6_check": "Do not answer any further",
    "N6_continue": "Your last message was cut off",
    "N6_repair": "Correct your last message",
}
"""The first words of each request that continues another prompt."""
_IN_WORDS = "\nYou can call these tools:\n"


@dataclass(slots=True)
class RecordingServer:
    """A server of chat completions: `requests` have the prompt's name and the request's body.

    Each prompt is answered by the next of its `replies`, the last one again and again. Without
    `takes_tools` a request with tools is refused, and without `has_end` an answer is cut once.
    """

    replies: Mapping[str, Sequence[Reply]] = field(default_factory=dict)
    beginnings: Mapping[str, str] = field(default_factory=lambda: BEGINNINGS)
    takes_tools: bool = True
    has_end: bool = True
    requests: list[tuple[str, Json]] = field(default_factory=list)

    def begin(self, replies: Mapping[str, Sequence[Reply]], *, has_end: bool = True) -> Self:
        """The server as it is for a new situation."""
        self.replies, self.has_end = replies, has_end
        self.requests.clear()
        return self

    def access(self) -> ModelAccess:
        """The way to it, with nothing known of the model."""
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(self.answer))
        role = ModelRole("model", "http://server/v1", "key")
        return ModelAccess(role, http, LearnedCapabilities(role.server, role.model))

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        """The reply to a request."""
        body = json.loads(request.content)
        if body.get("tools") and not self.takes_tools:
            refusal = {"message": "this model does not support tools"}
            return httpx2.Response(400, json={"error": refusal})
        name = name_of(body, self.beginnings)
        self.requests.append((name, body))
        replies = self.replies.get(name, [{}])
        before = sum(known == name for known, _ in self.requests) - 1
        reply = replies[min(before, len(replies) - 1)]
        ending = "stop" if self.has_end or name == "N6_continue" else "length"
        return _streamed(reply, ending) if body.get("stream") else _whole(reply)


def name_of(body: Json, beginnings: Mapping[str, str] = BEGINNINGS) -> str:
    """The name of the prompt that a request was made of."""
    texts = {one["role"]: text_of(one) for one in body["messages"]}
    for name, beginning in _REQUESTS.items():
        if texts.get("user", "").startswith(beginning):
            return name
    if _IN_WORDS in texts.get("system", ""):
        return "N6_tools_in_words"
    for name, beginning in beginnings.items():
        if texts.get("system", "").startswith(beginning):
            return name
    for text in (text_of(one) for one in reversed(body["messages"]) if one["role"] == "user"):
        for name, task in TASKS.items():
            if task in text:
                return name
    raise LookupError(f"no prompt begins so: {texts}")


def text_of(message: Json) -> str:
    """The text of a message; of an image its place."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", f"[{part['type']}]") for part in content)


def _message(reply: Reply) -> Json:
    if isinstance(reply, str):
        return {"content": reply}
    if isinstance(reply, dict):
        return {"content": json.dumps(reply)}
    calls = [
        {
            "index": place,
            "id": f"call{place}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for place, (name, arguments) in enumerate(reply)
    ]
    return {"content": None, "tool_calls": calls}


def _whole(reply: Reply) -> httpx2.Response:
    message = {"role": "assistant", **_message(reply)}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    about = {"id": "1", "object": "chat.completion", "created": 1, "model": "model"}
    return httpx2.Response(200, json={**about, "choices": [choice]})


def _streamed(reply: Reply, ending: str) -> httpx2.Response:
    about = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "model"}
    deltas: list[tuple[Json, str | None]] = [(_message(reply), None), ({}, ending)]
    chunks = [
        {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": end}]}
        for delta, end in deltas
    ]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    content = "".join([*lines, "data: [DONE]\n\n"])
    return httpx2.Response(200, content=content, headers={"content-type": "text/event-stream"})
