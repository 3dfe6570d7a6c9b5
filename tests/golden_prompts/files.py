"""The files of golden prompts: what they hold, and where they lie."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rich_agent.composition.feature_names import CORE_TOOLS
from tests.golden_prompts.model_server import text_of
from tests.own_tools import TOOLS_OF_FEATURES

FOLDER = Path(__file__).parent
FEATURES = FOLDER.parent / "unit" / "features"
PLAIN_FIELDS = frozenset(
    {"intent", "plan", "web", "language", "query", "queries", "described", "reason"}
    | {"teaches", "action", "about_the_past", "forget", "clarification"}
)
"""The fields of the plan of a message that uses no feature."""
Json = dict[str, Any]


def as_files(
    situation: str, requests: Iterable[tuple[str, Json]], folder: Path = FOLDER
) -> dict[Path, str]:
    """Each request as a file of its prompt, with files for the tools and forms that it names.

    A tool of the core or of a feature in `TOOLS_OF_FEATURES` has its file with those of its owner.
    """
    files: dict[Path, str] = {}
    for name, body in requests:
        files.update(_tools_and_forms(body, folder))
        files[folder / name / f"{situation}.txt"] = "\n".join(_lines(body)) + "\n"
    return files


def _lines(body: Json) -> Iterator[str]:
    for message in body["messages"]:
        about = " ".join(f"{key}={message[key]}" for key in ("tool_call_id",) if key in message)
        yield f"======== {message['role']} {about}".rstrip()
        if text := text_of(message):
            yield text
        for call in message.get("tool_calls") or ():
            yield f"[call {call['id']}] {call['function']['name']}({call['function']['arguments']})"
    if tools := body.get("tools"):
        yield f"======== tools ({_choice(body)}), each in tools/"
        yield ", ".join(tool["function"]["name"] for tool in tools)
    if form := body.get("response_format"):
        yield f"======== form, in forms/: {_form_name(form['json_schema'])}"


def _form_name(form: Json) -> str:
    """The name of a form; of a plan also the fields that a plain message's plan has not, or has."""
    if form["name"] != "PlannedTurn":
        return str(form["name"])
    fields = form["schema"]["properties"].keys()
    additions = [f"+{name}" for name in sorted(fields - PLAIN_FIELDS)]
    omissions = [f"-{name}" for name in sorted(PLAIN_FIELDS - fields)]
    return "".join(["PlannedTurn", *additions, *omissions])


def _choice(body: Json) -> str:
    return str(body.get("tool_choice", "auto"))


def _tools_and_forms(body: Json, folder: Path) -> Iterator[tuple[Path, str]]:
    for tool in body.get("tools") or ():
        about = tool["function"]
        yield _owner_folder(about["name"], folder) / "tools" / f"{about['name']}.txt", _json(about)
    if form := body.get("response_format"):
        about = form["json_schema"]
        yield folder / "forms" / f"{_form_name(about)}.txt", _json(about)


def _owner_folder(tool: str, folder: Path) -> Path:
    """The folder of the tool's owner, by default the given one."""
    for feature, tools in TOOLS_OF_FEATURES.items():
        if tool in {own_tool.name for own_tool in tools}:
            return FEATURES / feature / "golden"
    return FOLDER if tool in CORE_TOOLS else folder


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
