"""Servers whose tools are not the product's own: how each is reached, and what it offers."""

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
"""Seconds for a call: by default, and at most."""
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

    `tools` are the names of those that may be used, None for all. What a trusted server says of
    its tools is believed. `env` is all that a command gets besides PATH, HOME and the like.
    `rules` are the operator's, by the server's name of a tool; they count while it is trusted.
    `bounds` are what the kernel holds the command to, None for nothing.
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
        """Whether the operator lets this tool be used."""
        return self.tools is None or tool in self.tools


@dataclass(frozen=True, slots=True)
class ServerTool:
    """A tool as its server describes it; nothing of it is checked, and a hint may be a lie.

    Without hints a tool is taken to be destructive, and to act in an open world.
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
        """64 hex digits of all that the server says of the tool."""
        definition = json.dumps(asdict(self), sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(definition.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PinnedTool:
    """A tool as it was when it was first seen, or when an admin accepted it.

    `tool` is None for one that came later, and that nobody accepted yet.
    """

    tool: ServerTool | None
    digest: str


@dataclass(frozen=True, slots=True)
class ToolChange:
    """A server's description of a tool now, and the one that was pinned, if it was."""

    pinned: ServerTool | None
    current: ServerTool

    def parts(self) -> list[tuple[str, str, str]]:
        """Return each part that differs: its name as servers write it, as it was, and as it is."""
        texts = {
            name: (_text_of(self.pinned, field), _text_of(self.current, field))
            for field, name in _NAMES.items()
        }
        return [(name, *both) for name, both in texts.items() if both[0] != both[1]]

    def text(self) -> str:
        """The tool and what differs, with everything written out that nobody sees."""
        lines = [escape_invisible(f"{self.current.server}: {self.current.name}")]
        for name, before, now in self.parts():
            lines += [f"• {name}", *([f"− {escape_invisible(before)}"] if self.pinned else [])]
            lines.append(f"+ {escape_invisible(now)}")
        return "\n".join(lines)


def _text_of(tool: ServerTool | None, field: str) -> str:
    value = getattr(tool, field) if tool else ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def is_server_name(name: str) -> bool:
    """Whether a server may be called so: the name of each of its tools begins with it."""
    is_clean = bool(_CLEAN.fullmatch(name)) and len(name) <= _MOST_SERVER_NAME
    return is_clean and NAME_SEPARATOR not in f"{name}_"
