"""Messages that a file lists, with what the stand-in understands, learns and calls by each.

`turns.toml` has those of the demo; a test adds a file of its own in SANDBOX_TURNS.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.reminding import REMIND_TOOL, call_for, is_wish
from rich_agent_sandbox.model.request import FunctionSpec

KINDS = ("facts", "preferences", "tasks")
_BY = ("begins", "ends")
_MOST_READ = 500  # characters
_ENDS = " \n.!?。！？؟"
_WITH_CAPITAL = ("text", "title")
_SLOT = re.compile(r"\{(\w+)\}")

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Intended:
    """A call that the model wants made."""

    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Understood:
    """A listed turn, with the words of the message in its slots."""

    told: Json

    @property
    def lessons(self) -> list[str]:
        """The texts of what is learned from it."""
        return [item["text"] for kind in KINDS for item in self.told.get(kind, ())]

    @property
    def teaches(self) -> bool:
        """Whether something is learned, or a task was done."""
        return bool(self.lessons or self.told.get("done"))

    @property
    def call(self) -> Intended | None:
        """The call of a tool that it wishes for."""
        tool = self.told.get("tool")
        return Intended(tool, self.told.get("arguments", {})) if tool else None

    def past(self, prompt: Prompt) -> Json | None:
        """The earlier messages that it asks about; `days_ago` becomes a date."""
        wanted = self.told.get("past")
        if wanted is None:
            return None
        day = _day(prompt, wanted.get("days_ago"), -1)
        order = wanted.get("order", "nearest")
        return {"query": wanted.get("query", ""), "order": order, "since": day, "until": day}


def understand(text: str) -> Understood:
    """The first listed turn that fits; an empty one if none does."""
    said = text[:_MOST_READ].strip(_ENDS).replace("’", "'")
    for pattern, turn in _patterns():
        if found := pattern.fullmatch(said):
            return Understood(_filled(turn, {**found.groupdict(), "said": said}))
    return Understood({})


def may_act(prompt: Prompt) -> bool:
    """Whether the message asks for something that one of the tools named in the prompt does."""
    if not asks_for_action(prompt.question):
        return False
    call = understand(prompt.question).call
    requested_tool = call.name if call else REMIND_TOOL if is_wish(prompt.question) else ""
    return bool(prompt.offered_tools) and (
        not requested_tool or requested_tool in prompt.offered_tools
    )


def asks_for_action(text: str) -> bool:
    """Whether something is to be done, or looked up among what the user keeps here."""
    said = text[:_MOST_READ].strip(_ENDS)
    begins, ends = (tuple(one for file in _files() for one in file.get(name, ())) for name in _BY)
    is_request = said.casefold().startswith(begins) or said.endswith(ends)
    return is_request or understand(said).call is not None or is_wish(text)


def next_call(prompt: Prompt, offered: Sequence[FunctionSpec]) -> Intended | None:
    """Return the call that the message wishes for, None if its tool is missing or was called."""
    if reminder := call_for(prompt, offered):
        return Intended(*reminder)
    call = understand(prompt.question).call
    is_offered = call is not None and call.name in {spec.name for spec in offered}
    return call if is_offered and not prompt.acts else None


def learned(prompt: Prompt) -> dict[str, Any]:
    """Return what to remember: new items, what they replace, and tasks that were done.

    An item replaces the entry that begins with its `replaces`; a done task holds the words `done`.
    """
    told, kept = understand(prompt.question).told, dict[str, Any]()
    plain = {"said": prompt.question, "about": "user", "holds": "now"}
    entries = {f"[{one.kind}] {one.text}": one for one in prompt.entries}
    retracted: list[str] = []
    for kind in KINDS:
        kept[kind] = []
        for item in told.get(kind, ()):
            start = item.get("replaces")
            old = next((line for line in _lines(prompt) if start and start in line), "")
            old = "" if old.endswith((")", f"] {item['text']}")) else old
            number = entries[old].number if old in entries else 0
            action = {"action": "replace" if old else "add", "number": number}
            due = _day(prompt, item.get("due_in_days"), 1) or ""
            kept[kind].append({**plain, "due": due, **item, **action})
            retracted += [old] if old else []
    done = [one for one in prompt.entries if told.get("done") and told["done"] in one.text]
    kept["tasks"] += [
        {**plain, "text": one.text, "topic": "", "action": "remove", "number": one.number}
        for one in done
    ]
    retracted += [f"[{one.kind}] {one.text}" for one in done]
    return {**kept, "retract": retracted, "forget": retracted}


def chosen(prompt: Prompt) -> list[int]:
    """The numbers of the entries with one of the words that are listed behind the question."""
    listed = prompt.question.casefold().rpartition("(")[2].rstrip(")").split(", ")
    return [
        entry.number
        for entry in prompt.entries
        if any(word in entry.text.casefold() for word in listed)
    ]


def _day(prompt: Prompt, days: int | None, step: int) -> str | None:
    """The day so many days before or after the one that the prompt gives as today."""
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
        return {one: _filled(inner, words, one) for one, inner in value.items() if one != "says"}
    if isinstance(value, list):
        return [_filled(inner, words) for inner in value]
    if not isinstance(value, str):
        return value
    text = _SLOT.sub(lambda slot: words.get(slot[1], slot[0]), value)
    return text[:1].upper() + text[1:] if name in _WITH_CAPITAL else text


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Json], ...]:
    return tuple(
        (re.compile(_pattern(form), re.IGNORECASE | re.DOTALL), turn)
        for file in _files()
        for turn in file.get("turn", ())
        for form in turn["says"]
    )


def _pattern(form: str) -> str:
    spelt = re.escape(form.strip(_ENDS))
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", spelt)


@cache
def _files() -> tuple[Json, ...]:
    """The files of turns, that of a test first."""
    return tuple(tomllib.loads(text) for text in _texts())


def _texts() -> Iterator[str]:
    if more := os.environ.get("SANDBOX_TURNS"):
        yield Path(more).read_text(encoding="utf-8")
    yield files(__package__).joinpath("turns.toml").read_text(encoding="utf-8")
