"""Requests to a chat model as a server reads them: joined by a template, with form and tools."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

ANSWER = "answer"
FURTHER_ANSWER = "further answer"
"""An answer of a turn that has one: after a call of a tool, or corrected."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a chat model.

    - `kind`: the name of the form that it asks for, its first fields if the form has no name, and
      `ANSWER` without a form.
    - `messages`: rendered by ChatML, the template of many open models.
    - `form`: the JSON of the form and of the tools, "" without any.
    """

    turn: int
    kind: str
    messages: tuple[str, ...]
    form: str

    @classmethod
    def read(cls, turn: int, body: Mapping[str, Any]) -> "Request":
        """The request with this body."""
        extras = {name: body[name] for name in ("response_format", "tools") if body.get(name)}
        return cls(
            turn,
            _kind(body),
            tuple(_rendered(message) for message in body["messages"]),
            json.dumps(extras, ensure_ascii=False) if extras else "",
        )

    @property
    def text(self) -> str:
        """All messages, in order."""
        return "".join(self.messages)

    @property
    def conversation(self) -> Sequence[str]:
        """The messages between the instructions and the last one."""
        return self.messages[1:-1]


def pages(requests: Iterable[Request]) -> str:
    """The requests as a text to read."""
    return "\n".join(
        f"===== turn {one.turn}: {one.kind}\n{one.text}\n{one.form}" for one in requests
    )


def with_further_answers(requests: Iterable[Request]) -> list[Request]:
    """The requests, with a kind of their own for all answers of a turn but its first."""
    answered = set[int]()
    marked = list[Request]()
    for request in requests:
        is_further = request.kind == ANSWER and request.turn in answered
        marked.append(replace(request, kind=FURTHER_ANSWER) if is_further else request)
        if request.kind == ANSWER:
            answered.add(request.turn)
    return marked


def shared_prefix(before: Request, after: Request) -> str:
    """The characters that both begin with."""
    pairs = enumerate(zip(before.text, after.text, strict=False))
    end = next((place for place, (ours, theirs) in pairs if ours != theirs), None)
    return min(before.text, after.text, key=len) if end is None else after.text[:end]


def kept_messages(before: Request, after: Request) -> int:
    """The number of conversation messages of the earlier request that are in the shared prefix.

    A message counts only if everything that stands before it is the same, too.
    """
    shared = 0
    for ours, theirs in zip(before.messages[:-1], after.messages[:-1], strict=False):
        if ours != theirs:
            break
        shared += 1
    return max(0, shared - 1)


def _kind(body: Mapping[str, Any]) -> str:
    form = body.get("response_format") or {}
    if body.get("tool_choice") == "required":  # the form is the only tool
        return str(body["tools"][0]["function"]["name"])
    named = form.get("json_schema", {}).get("name")
    fields = list(form.get("schema", {}).get("properties", ()))
    return str(named or ", ".join(fields[:2]) or form.get("type") or ANSWER)


def _rendered(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    calls = message.get("tool_calls")
    return f"<|im_start|>{message['role']}\n{text}{json.dumps(calls) if calls else ''}<|im_end|>\n"
