"""Talks of users as their files tell them, and what a good planner makes of each message."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

_FILES = Path(__file__).parent / "talks"
Json = dict[str, Any]
As = Literal[
    "bot", "call", "docs", "file", "leave", "number", "picture", "session", "small", "talk", "wait"
]
"""What a message is: about the bot, for a tool, for documents, about the file or the picture that
came, the end or a step of a session, a sum, small talk, talk, or material that waits for words."""
_READING = frozenset({"get_tasks", "list_files"})


@dataclass(frozen=True, slots=True)
class Turn:
    """A message, what it is, and what has to be in the answer or must not be.

    `kind` is None for a command. `query` is what documents are searched for, the message itself
    where it is empty; `language` that of the answer, where it is another one. `answer` is what a
    model says, "" for what it usually says. A `spoken` message is a recording. Before the message,
    the reminder `comes` has to be there. `shows_time` is the time zone whose time the prompt has to
    tell. `laughs` says why the demo's stand-in is laughed at.
    """

    say: str = ""
    kind: As | None = None
    query: str = ""
    language: str = ""
    answer: str = ""
    call: str = ""
    arguments: Json = field(default_factory=dict)
    teaches: bool = False
    file: str = ""
    photo: tuple[str, ...] = ()
    forward: str = ""
    spoken: bool = False
    comes: str = ""
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    shows_time: str = ""
    laughs: str = ""

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> "Turn":
        """The turn as a file has it. Raises: TypeError for an unknown key."""
        values: Json = {"kind" if name == "as" else name: value for name, value in told.items()}
        for name in {"photo", "shows", "hides"} & values.keys():
            values[name] = tuple(values[name])
        return cls(**values)

    @property
    def is_material(self) -> bool:
        """Whether it is no text: what comes within two seconds would join it."""
        return bool(self.file or self.photo or self.forward)

    @property
    def is_answered_by_results(self) -> bool:
        """Whether the answer is what a tool found, which only the model's own words can tell."""
        return self.call in _READING


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation of one user."""

    name: str
    language: str
    answer: str
    turns: Sequence[Turn]


def load(languages: Sequence[str] = ()) -> list[Talk]:
    """The talks in these languages, all without any. Raises: OSError for an unknown one."""
    chosen = languages or sorted(path.stem for path in _FILES.glob("*.toml"))
    return [talk for language in chosen for talk in _read(_FILES / f"{language}.toml")]


def _read(path: Path) -> list[Talk]:
    told = tomllib.loads(path.read_text("utf-8"))
    return [
        Talk(one["name"], told["language"], told["answer"], tuple(map(Turn.read, one["turns"])))
        for one in told["talk"]
    ]


def plan_of(turn: Turn, talk: Talk) -> str:
    """The JSON of a good plan for the message."""
    language = turn.language or talk.language
    plan: Json = {"intent": "general_question", "plan": "direct", "web": "never", "reason": ""}
    plan |= {"language": language, "teaches": turn.teaches}
    match turn.kind:
        case "docs":
            plan |= {"plan": "rag", "query": turn.query or turn.say}
        case "bot":
            plan |= {"intent": "about_this_bot", "plan": "rag", "query": turn.say}
        case "file":
            plan |= {"files": [1], "query": turn.say}
        case "call":
            plan |= {"action": True}
        case "small":
            plan |= {"intent": "smalltalk_or_short"}
        case "leave":
            plan |= {"intent": "smalltalk_or_short", "leaves_session": True}
        case "wait":
            plan |= {"clarification": True}
    return json.dumps(plan, ensure_ascii=False)
