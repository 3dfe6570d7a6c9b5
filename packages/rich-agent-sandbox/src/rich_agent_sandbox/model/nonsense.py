"""The output of a model of random weights whose server keeps it to a form: valid, and senseless."""

import json
import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich_agent_sandbox.model.completion import Completion, FunctionCall, babble
from rich_agent_sandbox.model.request import ChatRequest, NamedToolChoice
from rich_agent_sandbox.model.schema import Schema

_LETTERS = "abcdefghijklmnopqrstuvwxyz  "
_LONGEST_TEXT, _MOST_ITEMS, _LARGEST, _EVEN = 30, 2, 20, 0.5


def senseless(request: ChatRequest) -> Completion:
    """Valid JSON where the request wants a form, else letters without an end."""
    letters = random.Random(zlib.crc32(str(request.messages).encode()))  # noqa: S311 - no secret
    wanted = request.response_format
    if wanted and wanted.json_schema:
        return Completion(json.dumps(_value(wanted.json_schema.schema_, letters)))
    if wanted and wanted.type == "json_object":
        return Completion(json.dumps({_text(letters): _text(letters)}))
    if request.tools and request.tool_choice not in (None, "none", "auto"):
        choice = request.tool_choice
        named = choice.function.name if isinstance(choice, NamedToolChoice) else ""
        functions = [tool.function for tool in request.tools]
        one = next((each for each in functions if each.name == named), functions[0])
        arguments = json.dumps(_value(one.parameters, letters))
        return Completion("", "tool_calls", (FunctionCall(one.name, arguments),))
    return Completion(babble())


def _value(part: Schema, letters: random.Random) -> Any:  # noqa: ANN401 - JSON
    alternatives = part.get("anyOf") or part.get("oneOf")
    if alternatives:
        return _value(letters.choice(alternatives), letters)
    if "const" in part or "enum" in part:
        return part.get("const", letters.choice(part.get("enum", [None])))
    made: Mapping[str, Callable[[], Any]] = {
        "object": lambda: {
            name: _value(inner, letters) for name, inner in part.get("properties", {}).items()
        },
        "array": lambda: [
            _value(part.get("items", {}), letters) for _ in range(letters.randint(0, _MOST_ITEMS))
        ],
        "integer": lambda: letters.randint(part.get("minimum", 0), part.get("maximum", _LARGEST)),
        "boolean": lambda: letters.random() < _EVEN,
        "null": lambda: None,
    }
    return made.get(_kind(part, letters), lambda: _text(letters))()


def _kind(part: Schema, letters: random.Random) -> str:
    kind: str | Sequence[str] = part.get("type", "object" if "properties" in part else "string")
    return kind if isinstance(kind, str) else letters.choice(list(kind))


def _text(letters: random.Random) -> str:
    return "".join(letters.choices(_LETTERS, k=letters.randint(1, _LONGEST_TEXT)))
