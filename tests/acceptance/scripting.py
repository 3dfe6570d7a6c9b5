"""Scripts of what a model says: calls of tools as it should write them, and as it should not."""

import json
from typing import Any, Literal

Json = dict[str, Any]


def calling(name: str, /, **arguments: Any) -> Json:
    """A call of a tool, for `Sandbox.script`.

    Spoil it by changing its keys: `{**calling("remind"), "arguments": '{"text": "mi'}` is broken
    JSON, `"id": None` a call without an id, `"id": "call_1"` in two of them a duplicate,
    `"as_object": True` arguments that are no text. Nothing checks that the tool was offered.
    """
    return {"name": name, "arguments": arguments}


def in_prose(call: Json, way: Literal["fence", "tag", "code"]) -> str:
    """The same call as small models write it into their answer, instead of calling."""
    arguments = json.dumps(call["arguments"], ensure_ascii=False)
    whole = f'{{"name": "{call["name"]}", "arguments": {arguments}}}'
    match way:
        case "fence":
            return f"I will do that.\n\n```json\n{whole}\n```"
        case "tag":
            return f"<tool_call>\n{whole}\n</tool_call>"
        case "code":
            return f"functions.{call['name']}({arguments})"


def planning(text: str, **plan: Any) -> Json:
    """The fault by which the planner says this of a message."""
    told = {"intent": "smalltalk_or_short", "plan": "direct", "web": "never", "teaches": False}
    said = {"text": json.dumps({**told, **plan}), "containing": [text, "PlannedTurn"]}
    return {"method": "chat.completions", **said}
