"""Messages listed in a file, and what the stand-in understands, learns and calls for each.

`turns.toml` lists those of the demo; a test adds its own file in SANDBOX_TURNS.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from rich_agent_sandbox.model.listed import listed
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.reminding import (
    REMIND_TOOL,
    call_for,
    is_wish,
    planned_reminders,
)
from rich_agent_sandbox.model.request import FunctionSpec
from rich_agent_sandbox.model.tables import QUERY_TOOL, query_for

KINDS = ("facts", "preferences", "tasks")
_BY = ("begins", "ends")
_MOST_READ = 500  # characters
_ENDS = " \n.!?¿¡。！？؟"
_WITH_CAPITAL = ("text", "title")
_SLOT = re.compile(r"\{(\w+)\}")

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Intended:
    """A call that the model decides to make."""

    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Understood:
    """A listed turn, with the words of the message in its slots."""

    told: Json

    @property
    def lessons(self) -> list[str]:
        """The texts of the items that are learned from it."""
        return [item["text"] for kind in KINDS for item in self.told.get(kind, ())]

    @property
    def teaches(self) -> bool:
        """Whether an item is learned, or a task was done."""
        return bool(self.lessons or self.told.get("done"))

    @property
    def call(self) -> Intended | None:
        """The call of a tool that it asks for."""
        tool = self.told.get("tool")
        return Intended(tool, self.told.get("arguments", {})) if tool else None

    def past(self, prompt: Prompt) -> Json | None:
        """The search for earlier messages that it asks for; `days_ago` becomes a date."""
        past_query = self.told.get("past")
        if past_query is None:
            return None
        day = _day(prompt, past_query.get("days_ago"), -1)
        order = past_query.get("order", "nearest")
        return {"query": past_query.get("query", ""), "order": order, "since": day, "until": day}


def understand(text: str) -> Understood:
    """The first listed turn that matches; an empty one if there is none."""
    message = text[:_MOST_READ].strip(_ENDS).replace("’", "'")
    for pattern, turn in _patterns():
        if match := pattern.fullmatch(message):
            return Understood(_filled(turn, {**match.groupdict(), "said": message}))
    return Understood({})


def may_act(prompt: Prompt) -> bool:
    """Whether the message asks for an action of a tool that the prompt names."""
    if not asks_for_action(prompt.question):
        return False
    call = understand(prompt.question).call
    requested_tool = call.name if call else REMIND_TOOL if is_wish(prompt.question) else ""
    return bool(prompt.offered_tools) and (
        not requested_tool or requested_tool in prompt.offered_tools
    )


def asks_for_action(text: str) -> bool:
    """Whether the message asks for an action, or for a search in the user's own data."""
    message = text[:_MOST_READ].strip(_ENDS)
    beginnings, endings = (
        tuple(phrase for file in listed() for phrase in file.get(name, ())) for name in _BY
    )
    is_request = message.casefold().startswith(beginnings) or message.endswith(endings)
    return is_request or understand(message).call is not None or is_wish(text)


def next_call(prompt: Prompt, offered: Sequence[FunctionSpec]) -> Intended | None:
    """The call that the message asks for, None if its tool is missing or was called."""
    if reminder := call_for(prompt, offered):
        return Intended(*reminder)
    can_query = QUERY_TOOL in {spec.name for spec in offered} and not prompt.acts
    if can_query and (arguments := query_for(prompt)):
        return Intended(QUERY_TOOL, arguments)
    call = understand(prompt.question).call
    is_offered = call is not None and call.name in {spec.name for spec in offered}
    return call if is_offered and not prompt.acts else None


def planned_calls(prompt: Prompt) -> Sequence[Json]:
    """The calls of described tools that a message asks for, in the form of a planner of calls."""
    message = prompt.question
    call = understand(message).call
    if call is None or call.name not in {tool["name"] for tool in prompt.tools}:
        return planned_reminders(message)
    texts = {name: value for name, value in call.arguments.items() if isinstance(value, str)}
    places = {name: message.casefold().find(value.casefold()) for name, value in texts.items()}
    quotes = [
        {"argument": name, "value": message[start : start + len(texts[name])]}
        for name, start in places.items()
        if start >= 0
    ]
    written = [name for name, start in places.items() if start < 0]
    return [{"tool": call.name, "given": quotes, "written": written, "repeats": False}]


def learned(prompt: Prompt) -> dict[str, Any]:
    """The items to store: new items, the entries that they replace, and tasks that were done.

    An item replaces the entry that contains its `replaces`; a done task contains the text `done`.
    """
    turn, learned_items = understand(prompt.question).told, dict[str, Any]()
    defaults = {"said": prompt.question, "about": "user", "holds": "now"}
    entries = {f"[{entry.kind}] {entry.text}": entry for entry in prompt.entries}
    retracted: list[str] = []
    for kind in KINDS:
        learned_items[kind] = []
        for item in turn.get(kind, ()):
            start = item.get("replaces")
            old_entry = next((line for line in _lines(prompt) if start and start in line), "")
            old_entry = "" if old_entry.endswith((")", f"] {item['text']}")) else old_entry
            number = entries[old_entry].number if old_entry in entries else 0
            action = {"action": "replace" if old_entry else "add", "number": number}
            due = _day(prompt, item.get("due_in_days"), 1) or ""
            learned_items[kind].append({**defaults, "due": due, **item, **action})
            retracted += [old_entry] if old_entry else []
    done_entries = [
        entry for entry in prompt.entries if turn.get("done") and turn["done"] in entry.text
    ]
    learned_items["tasks"] += [
        {**defaults, "text": entry.text, "topic": "", "action": "remove", "number": entry.number}
        for entry in done_entries
    ]
    retracted += [f"[{entry.kind}] {entry.text}" for entry in done_entries]
    return {**learned_items, "retract": retracted, "forget": retracted}


def chosen(prompt: Prompt) -> list[int]:
    """The numbers of the entries with a word from the list at the end of the question."""
    words = prompt.question.casefold().rpartition("(")[2].rstrip(")").split(", ")
    return [
        entry.number
        for entry in prompt.entries
        if any(word in entry.text.casefold() for word in words)
    ]


def _day(prompt: Prompt, days: int | None, step: int) -> str | None:
    """The date `days` before or after the day that the prompt names as today."""
    return (
        (prompt.today + step * timedelta(days)).isoformat()
        if prompt.today and days is not None
        else None
    )


def _lines(prompt: Prompt) -> Sequence[str]:
    return [f"[{entry.kind}] {entry.text}" for entry in prompt.entries] or prompt.memory


def _filled(value: Any, words: Mapping[str, str], name: str = "") -> Any:  # noqa: ANN401 - of a file
    """The value with the words in its slots; a text or a title begins with a capital letter."""
    if isinstance(value, Mapping):
        return {
            key: _filled(inner_value, words, key)
            for key, inner_value in value.items()
            if key != "says"
        }
    if isinstance(value, list):
        return [_filled(inner_value, words) for inner_value in value]
    if not isinstance(value, str):
        return value
    text = _SLOT.sub(lambda slot: words.get(slot[1], slot[0]), value)
    return text[:1].upper() + text[1:] if name in _WITH_CAPITAL else text


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Json], ...]:
    return tuple(
        (re.compile(_pattern(form), re.IGNORECASE | re.DOTALL), turn)
        for file in listed()
        for turn in file.get("turn", ())
        for form in turn["says"]
    )


def _pattern(form: str) -> str:
    escaped_form = re.escape(form.strip(_ENDS))
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", escaped_form)
