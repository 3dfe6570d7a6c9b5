"""Servers of tools that are not the product's own: how to reach each, and the tools of each."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rich_agent.feature.confinement import CommandBounds
from rich_agent.feature.text import escape_invisible
from rich_agent.feature.tool_sources import NAME_SEPARATOR, Rule

TIMEOUT_S = 30.0
LONGEST_TIMEOUT_S = 300.0
"""Most seconds for a call; `TIMEOUT_S` is the default."""
_CLEAN = re.compile(r"[a-zA-Z0-9_-]+")
_MOST_SERVER_NAME = 31
_NAMES = {
    "title": "title",
    "description": "description",
    "parameters": "inputSchema",
    "is_read_only": "readOnlyHint",
    "is_destructive": "destructiveHint",
    "is_idempotent": "idempotentHint",
    "is_open_world": "openWorldHint",
}


@dataclass(frozen=True, slots=True)
class McpServer:
    """A server as the operator configured it: a `command` that is started, or a `url`.

    `env`: all variables that a command gets besides PATH, HOME and the like.
    `tools`: the names of the tools that may be used, None for all.
    `is_trusted`: whether the server's descriptions of its tools are believed.
    `rules`: the operator's rules, by the server's name of a tool. They count while it is trusted.
    `bounds`: limits that the kernel sets to the command, None for none.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    directory: str | None = None
    url: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    tools: frozenset[str] | None = None
    is_trusted: bool = False
    timeout_s: float = TIMEOUT_S
    rules: Mapping[str, Rule] = field(default_factory=dict)
    bounds: CommandBounds | None = None

    def allows(self, tool: str) -> bool:
        """Whether the operator permits the use of this tool."""
        return self.tools is None or tool in self.tools


@dataclass(frozen=True, slots=True)
class ServerTool:
    """A tool as its server describes it.

    Nothing in it is checked, and a hint may be a lie. Without hints, a tool counts as destructive,
    and as acting in an open world.
    """

    server: str
    name: str
    title: str = ""
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    is_read_only: bool = False
    is_destructive: bool = True
    is_idempotent: bool = False
    is_open_world: bool = True

    @property
    def digest(self) -> str:
        """The SHA-256, in hex, of all that the server says about the tool."""
        definition = json.dumps(asdict(self), sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(definition.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PinnedTool:
    """A tool in the form in which it was first seen, or accepted by an admin.

    `tool` is None for a tool that was added later and that no admin has accepted yet.
    """

    tool: ServerTool | None
    digest: str


@dataclass(frozen=True, slots=True)
class ToolChange:
    """The present description of a tool, and the pinned description, None if there is none."""

    pinned: ServerTool | None
    current: ServerTool

    def parts(self) -> list[tuple[str, str, str]]:
        """Each part that differs: its name as servers write it, its pinned and its present text."""
        texts_by_name = {
            name: (_text_of(self.pinned, field), _text_of(self.current, field))
            for field, name in _NAMES.items()
        }
        return [
            (name, *texts_of_part)
            for name, texts_of_part in texts_by_name.items()
            if texts_of_part[0] != texts_of_part[1]
        ]

    def text(self) -> str:
        """The tool and its differences, with invisible characters written out."""
        lines = [escape_invisible(f"{self.current.server}: {self.current.name}")]
        for name, pinned_text, current_text in self.parts():
            lines += [f"• {name}", *([f"− {escape_invisible(pinned_text)}"] if self.pinned else [])]
            lines.append(f"+ {escape_invisible(current_text)}")
        return "\n".join(lines)


def _text_of(tool: ServerTool | None, field: str) -> str:
    value = getattr(tool, field) if tool else ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def is_server_name(name: str) -> bool:
    """Whether a server may have this name, with which the names of its tools begin."""
    is_clean = bool(_CLEAN.fullmatch(name)) and len(name) <= _MOST_SERVER_NAME
    return is_clean and NAME_SEPARATOR not in f"{name}_"
