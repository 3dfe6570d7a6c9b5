"""Calls of tools on the wire: how tools and results are sent, and how calls are read.

Servers differ: calls come whole or in pieces, without an id, with their arguments as an object, or
as text, because the server or its template knows no tools.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import json_repair
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ToolMessage,
)

from rich_agent.domain.tools import ToolCall, ToolSpec
from rich_agent.ports.models import GrowingCall, Prompt, ToolRound
from rich_agent.prompts import render_prompt

_MOST_CHARS = 50_000
"""A longer call is cut: no arguments of ours are near to it."""
_MOST_PIECES = 100
"""Further calls of one reply are left out; a turn runs far fewer."""
_LONGEST_MARK = 15
# Sources: the chat templates of Hermes and Qwen, Llama 3, Mistral; fences and JSON from the start
# are what models write that were told of tools in words.
_MARK = re.compile(r"<tool_call>|<\|python_tag\|>|<function=|\[TOOL_CALLS\]|```", re.IGNORECASE)
_START = re.compile(r"[{\[]|functions\.")
_MAY_START = re.compile(r"f[unctions]{0,8}\Z")
_NAMED = re.compile(r"(?:functions\.|<function=)([\w-]{1,64})\s{0,8}[(>]\s{0,8}\Z")
_NAMES = ("name", "tool", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "input")


def function_of(tool: ToolSpec) -> dict[str, Any]:
    """A tool as chat completions take it."""
    about = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
    }
    return {"type": "function", "function": about}


def round_messages(one: ToolRound) -> Iterator[BaseMessage]:
    """The calls of a round and what each gave."""
    yield AIMessage(
        one.text,
        tool_calls=[
            {"name": call.name, "args": dict(call.arguments), "id": call.id, "type": "tool_call"}
            for call in one.calls
        ],
    )
    for call, result in zip(one.calls, one.results, strict=True):
        yield ToolMessage(result, tool_call_id=call.id)


def in_words(prompt: Prompt) -> Prompt:
    """The prompt for a server that takes no tools: they, and what they gave, are described."""
    tools = [json.dumps(function_of(tool)["function"], ensure_ascii=False) for tool in prompt.tools]
    described = render_prompt("N6_tools_in_words", tools=tools).system
    said = [*prompt.history, ("user", prompt.user)]
    for one in prompt.rounds:
        calls = [{"name": call.name, "arguments": dict(call.arguments)} for call in one.calls]
        said.append(("assistant", json.dumps(calls, ensure_ascii=False)))
        said.append(("user", "\n".join(one.results)))
    *history, (_, last) = said
    return replace(
        prompt,
        system=f"{prompt.system}\n\n{described}",
        history=tuple(history),
        user=last,
        rounds=(),
    )


@dataclass(slots=True)
class ToolCallReader:
    """Gathers the calls of a streamed reply from their pieces."""

    _pieces: dict[str | int, dict[str, str]] = field(default_factory=dict)

    def feed(self, chunk: AIMessageChunk) -> Iterator[GrowingCall]:
        """Take what a chunk tells of calls; those that have grown."""
        grown = set[int]()
        for piece in chunk.tool_call_chunks:
            index = piece.get("index")
            key = index if index is not None else piece.get("id") or len(self._pieces)
            if len(self._pieces) >= _MOST_PIECES and key not in self._pieces:
                continue
            known = self._pieces.setdefault(key, {"id": "", "name": "", "args": ""})
            if piece.get("id") and known["id"] not in ("", piece["id"]):
                # A server that gives all its calls the same index.
                known = self._pieces.setdefault(
                    str(piece["id"]), {"id": "", "name": "", "args": ""}
                )
            before = dict(known)
            known["id"] = known["id"] or piece.get("id") or ""
            known["name"] = known["name"] or piece.get("name") or ""
            known["args"] += (piece.get("args") or "")[: _MOST_CHARS - len(known["args"])]
            if known != before:
                grown.add(id(known))
        named = [found for found in self._pieces.values() if found["name"]]
        for place, found in enumerate(named):
            if id(found) in grown:
                yield GrowingCall(place, found["name"], found["args"])

    def read(self) -> list[ToolCall]:
        """The calls, in their order; their ids are for the caller to give."""
        return [
            _call(number, found["name"], found["args"])
            for number, found in enumerate(self._pieces.values())
            if found["name"]
        ]


@dataclass(slots=True)
class ProseCallReader:
    """Holds back what may be a call written as text; without `names` it holds back nothing."""

    names: frozenset[str]
    _blanks: list[str] = field(default_factory=list)
    _open: str = ""
    _held: list[str] = field(default_factory=list)
    _has_begun: bool = False

    def feed(self, piece: str) -> str:
        """Read a piece; return the text that is surely no call."""
        if not self.names:
            return piece
        if self._held:
            self._held.append(piece)
            return ""
        text, self._open = self._open + piece, ""
        return self._speak(text) if self._has_begun else self._begin(text)

    def _begin(self, text: str) -> str:
        start = text.lstrip()
        self._blanks.append(text[: len(text) - len(start)])
        if _START.match(start):
            self._held.append(start)
        elif not start or _MAY_START.match(start):
            self._open = start
        else:
            self._has_begun, text = True, "".join([*self._blanks, start])
            self._blanks.clear()
            return self._speak(text)
        return ""

    def _speak(self, text: str) -> str:
        if mark := _MARK.search(text):
            self._held.append(text[mark.start() :])
            return text[: mark.start()]
        tail = max(0, len(text) - _LONGEST_MARK)
        begun = min((at for sign in "<[`" if (at := text.find(sign, tail)) >= 0), default=len(text))
        self._open = text[begun:]
        return text[:begun]

    def read(self) -> list[ToolCall]:
        """The calls in what was held back."""
        held = "".join(self._held)[:_MOST_CHARS]
        calls = (self._call_in(value, before) for value, before in _objects(held))
        number = count()
        return [_call(next(number), name, arguments) for name, arguments in filter(None, calls)]

    def rest(self) -> str:
        """The text that was held back and is no call after all."""
        return "".join([*self._blanks, self._open, *self._held])

    def _call_in(self, value: Mapping[str, Any], before: str) -> tuple[str, Any] | None:
        named = _NAMED.search(before)
        if named:
            return (named[1], value) if named[1] in self.names else None
        inner = value.get("function")
        if isinstance(inner, Mapping):
            value = inner
        name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), "")
        arguments: Any = next((value[key] for key in _ARGUMENTS if key in value), {})
        return (name, arguments) if name in self.names else None


def _objects(text: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The JSON objects in a text, each with what stands right before it."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        before = text[max(0, at - 96) : at]
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value, end = _repaired(text[at : text.rfind("}") + 1]), len(text)
        if isinstance(value, Mapping):
            yield value, before
        at = text.find("{", end)


def _call(number: int, name: str, arguments: object) -> ToolCall:
    """A call whose arguments are read as far as they can be."""
    call_id = f"call{number}"
    if isinstance(arguments, Mapping):
        return ToolCall(call_id, name, dict(arguments))
    text = str(arguments or "").strip()
    try:
        read = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        read = _repaired(text)
    if isinstance(read, dict):
        return ToolCall(call_id, name, read)
    return ToolCall(call_id, name, problem="they have to be one JSON object")


def _repaired(text: str) -> object:
    """Broken JSON, read tolerantly; None for what is cut short, since half a call is no call."""
    if not 0 < text.count("{") <= text.count("}"):
        return None
    try:
        return json_repair.loads(text.replace("```", ""))
    except (ValueError, RecursionError):
        return None
