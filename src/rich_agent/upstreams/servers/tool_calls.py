"""Tool calls on the wire: sends tools and results, and reads the model's calls.

Servers differ: calls arrive whole or in pieces, or without an id. Arguments may be an object. Calls
arrive as text if the server or its template does not support tools.
"""

import ast
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
"""A longer call is truncated; the arguments of the product's tools are much shorter."""
_MOST_PYTHON = 4_000
_MOST_PIECES = 100
"""Further calls of one reply are dropped; a turn has far fewer."""
_MARK = "```"
_START = re.compile(r"[{\[]|functions\.")
_MAY_START = re.compile(r"f[unctions]{0,8}\Z")
_NAMED = re.compile(r"(?:functions\.|<function=)([\w-]{1,64})\s{0,8}[(>]\s{0,8}\Z")
_NAMES = ("name", "tool", "tool_name", "function")
_ARGUMENTS = ("arguments", "parameters", "args", "input")
# Sources: the chat templates of Qwen Coder, Seed-OSS, MiniMax, DeepSeek 3.2 and GLM.
_INVOKED = re.compile(
    r"<(?:[|｜]DSML[|｜])?(?:function=|invoke name=)\"?([\w.-]{1,64})\"?>"
    r"|<tool_call>\s{0,4}([\w.-]{1,64})\s{0,4}(?=<arg_key>)"
)
_PARAMETER = re.compile(
    r"<(?:[|｜]DSML[|｜])?parameter(?:=| name=)\"?([\w.-]{1,64})\"?[^<>\n]{0,32}>"
    r"|<arg_key>\s{0,4}([\w.-]{1,64})\s{0,4}</arg_key>\s{0,4}<arg_value>"
)
_PARAMETER_END = re.compile(r"</(?:(?:[|｜]DSML[|｜])?parameter|arg_value)>")
_TAG = re.compile(r"<[^<>\n]{1,72}>|\[TOOL_CALLS?\]")
_WORD = re.compile(r"[\w-]{1,64}")


def function_of(tool: ToolSpec) -> dict[str, Any]:
    """A tool in the form of chat completions."""
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
    }
    return {"type": "function", "function": function}


def round_messages(tool_round: ToolRound) -> Iterator[BaseMessage]:
    """The messages of a round: the tool calls, then the result of each call."""
    yield AIMessage(
        tool_round.text,
        tool_calls=[
            {"name": call.name, "args": dict(call.arguments), "id": call.id, "type": "tool_call"}
            for call in tool_round.calls
        ],
    )
    for call, result in zip(tool_round.calls, tool_round.results, strict=True):
        yield ToolMessage(result, tool_call_id=call.id)


def in_words(prompt: Prompt) -> Prompt:
    """The prompt for a server that accepts no tools: tools, calls and results become text."""
    tools = [json.dumps(function_of(tool)["function"], ensure_ascii=False) for tool in prompt.tools]
    description = render_prompt("N6_tools_in_words", tools=tools).system
    return rounds_in_words(replace(prompt, system=f"{prompt.system}\n\n{description}"))


def rounds_in_words(prompt: Prompt) -> Prompt:
    """The prompt with its rounds of calls as text, for a request that offers no tools."""
    messages = [*prompt.history, ("user", prompt.user)]
    for tool_round in prompt.rounds:
        calls = [
            {"name": call.name, "arguments": dict(call.arguments)} for call in tool_round.calls
        ]
        messages.append(("assistant", json.dumps(calls, ensure_ascii=False)))
        messages.append(("user", "\n".join(tool_round.results)))
    *history, (_, last_text) = messages
    return replace(prompt, history=tuple(history), user=last_text, rounds=())


@dataclass(slots=True)
class ToolCallReader:
    """Collects the tool calls of a streamed reply from their pieces."""

    _pieces: dict[str | int, dict[str, str]] = field(default_factory=dict)

    def feed(self, chunk: AIMessageChunk) -> Iterator[GrowingCall]:
        """Read the pieces of calls in a chunk; yield the calls that have grown."""
        growing = set[int]()
        for piece in chunk.tool_call_chunks:
            index = piece.get("index")
            key = index if index is not None else piece.get("id") or len(self._pieces)
            if len(self._pieces) >= _MOST_PIECES and key not in self._pieces:
                continue
            call = self._pieces.setdefault(key, {"id": "", "name": "", "args": ""})
            if piece.get("id") and call["id"] not in ("", piece["id"]):
                # This server gives all its calls the same index.
                call = self._pieces.setdefault(str(piece["id"]), {"id": "", "name": "", "args": ""})
            previous_call = dict(call)
            call["id"] = call["id"] or piece.get("id") or ""
            call["name"] = call["name"] or piece.get("name") or ""
            call["args"] += (piece.get("args") or "")[: _MOST_CHARS - len(call["args"])]
            if call != previous_call:
                growing.add(id(call))
        calls = [call_so_far for call_so_far in self._pieces.values() if call_so_far["name"]]
        for position, call_so_far in enumerate(calls):
            if id(call_so_far) in growing:
                yield GrowingCall(position, call_so_far["name"], call_so_far["args"])

    def read(self) -> list[ToolCall]:
        """The complete calls, in their order; the caller assigns its own ids."""
        return [
            _call(index, call["name"], call["args"])
            for index, call in enumerate(self._pieces.values())
            if call["name"]
        ]


@dataclass(slots=True)
class ProseCallReader:
    """Holds back text that may be a tool call; without `names`, it holds back nothing."""

    names: frozenset[str]
    _blanks: list[str] = field(default_factory=list)
    _open: str = ""
    _held: list[str] = field(default_factory=list)
    _has_begun: bool = False

    def feed(self, piece: str) -> str:
        """Read a piece; return the text that is certainly not part of a call."""
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
        if (mark_start := text.find(_MARK)) >= 0:
            self._held.append(text[mark_start:])
            return text[:mark_start]
        partial_mark_start = len(text) - next((n for n in (2, 1) if text.endswith(_MARK[:n])), 0)
        self._open = text[partial_mark_start:]
        return text[:partial_mark_start]

    def read(self) -> list[ToolCall]:
        """The tool calls in the text that was held back."""
        text = "".join(self._held)[:_MOST_CHARS]
        calls = (_call_in(value, text_before, self.names) for value, text_before in _objects(text))
        return _number_calls(filter(None, calls))

    def rest(self) -> str:
        """The held-back text, for the case that it is not a call."""
        return "".join([*self._blanks, self._open, *self._held])


def template_calls(sections: Sequence[str], tools: Sequence[ToolSpec]) -> list[ToolCall]:
    """The calls of these tools in the template text of an answer.

    A section holds tags for each parameter, JSON that contains or follows a name, or Python.
    """
    tools_by_name = {tool.name: tool for tool in tools}
    return _number_calls(
        call for section in sections for call in _section_calls(section, tools_by_name)
    )


def _section_calls(section: str, tools: Mapping[str, ToolSpec]) -> Iterator[tuple[str, object]]:
    section = section.replace('<|"|>', '"')  # Gemma's
    if _PARAMETER.search(section):
        yield from _tagged_calls(section, tools)
        return
    objects = list(_objects(section))
    for value, text_before in objects:
        words = reversed(_WORD.findall(text_before))
        name = next((word for word in words if word in tools), "")
        if call := (name, value) if name else _call_in(value, text_before, tools.keys()):
            yield call
    if not objects:
        yield from _python_calls(_TAG.sub(" ", section).strip(), tools.keys())


def _tagged_calls(section: str, tools: Mapping[str, ToolSpec]) -> Iterator[tuple[str, object]]:
    """The calls whose parameters have tags; each value is read by its parameter's type."""
    from rich_agent.runtime.json_schema import text_arguments  # noqa: PLC0415 - loads a library

    openings = list(_INVOKED.finditer(section))
    call_names = {opening[1] or opening[2] for opening in openings} & tools.keys()
    text_arguments_by_tool = {name: text_arguments(tools[name].parameters) for name in call_names}
    for opening, following in zip(openings, [*openings[1:], None], strict=True):
        name = opening[1] or opening[2]
        if name not in tools:
            continue
        section_body = section[opening.end() : following.start() if following else len(section)]
        _, *split_parts = _PARAMETER.split(section_body)
        parameter_names = (
            tag_name or key_name
            for tag_name, key_name in zip(split_parts[::3], split_parts[1::3], strict=True)
        )
        values = (_PARAMETER_END.split(part, maxsplit=1)[0] for part in split_parts[2::3])
        yield (
            name,
            {
                parameter_name: _read_value(
                    text, is_text=parameter_name in text_arguments_by_tool[name]
                )
                for parameter_name, text in zip(parameter_names, values, strict=True)
            },
        )


def _read_value(text: str, *, is_text: bool) -> object:
    text = text.strip("\n")
    if is_text:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _python_calls(text: str, names: Collection[str]) -> Iterator[tuple[str, object]]:
    """The calls in an expression such as `[remind(text="tea")]`, or in a name alone."""
    if text in names:
        yield text, {}
    try:
        body = ast.parse(text[:_MOST_PYTHON], mode="eval").body
        for call in body.elts if isinstance(body, ast.List) else [body]:
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            if (
                call.func.id in names
                and not call.args
                and all(keyword.arg for keyword in call.keywords)
            ):
                arguments = {
                    keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords
                }
                yield call.func.id, json.loads(json.dumps(arguments, allow_nan=False))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return


def _call_in(
    value: Mapping[str, Any], text_before: str, names: Collection[str]
) -> tuple[str, object] | None:
    match = _NAMED.search(text_before)
    if match:
        return (match[1], value) if match[1] in names else None
    function_value = value.get("function")
    if isinstance(function_value, Mapping):
        value = function_value
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), "")
    arguments: Any = next((value[key] for key in _ARGUMENTS if key in value), {})
    return (name, arguments) if name in names else None


def _number_calls(calls: Iterable[tuple[str, object]]) -> list[ToolCall]:
    return [_call(index, name, arguments) for index, (name, arguments) in enumerate(calls)]


def _objects(text: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The JSON objects in a text, each with the text right before it."""
    decoder, start, end = json.JSONDecoder(), text.find("{"), 0
    while start >= 0:
        text_before = text[max(end, start - 96) : start]
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value, end = _repair_json(text[start : text.rfind("}") + 1]), len(text)
        if isinstance(value, Mapping):
            yield value, text_before
        start = text.find("{", end)


def _call(index: int, name: str, arguments: object) -> ToolCall:
    """A call with its arguments, which are repaired if they are not valid JSON."""
    call_id = f"call{index}"
    if isinstance(arguments, Mapping):
        return ToolCall(call_id, name, dict(arguments))
    text = str(arguments or "").strip()
    try:
        content = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        content = _repair_json(text)
    if isinstance(content, dict):
        return ToolCall(call_id, name, content)
    return ToolCall(call_id, name, problem="they have to be one JSON object")


def _repair_json(text: str) -> object:
    """Read malformed JSON tolerantly; None if it is truncated, because half a call is no call."""
    if not 0 < text.count("{") <= text.count("}"):
        return None
    try:
        return json_repair.loads(text.replace("```", ""))
    except (ValueError, RecursionError):
        return None
