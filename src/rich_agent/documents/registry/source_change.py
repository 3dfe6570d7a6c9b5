"""Changes of sources by commands, in words and as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from rich_agent.documents.registry.source_clocks import Clock
from rich_agent.documents.source import Source

Outcome = Literal[
    "added",
    "updated",
    "unchanged",
    "removed",
    "active",
    "inactive",
    "connected",
    "reconnected",
    "scheduled",
]

_WORDS: Mapping[Outcome, str] = {
    "added": "added {}; `ingest sync` reads it",
    "updated": "already registered, updated: {}",
    "unchanged": "already registered: {}",
    "removed": "removed {} and its documents",
    "active": "active: {}",
    "inactive": "inactive: {}",
    "connected": "connected: {}",
    "reconnected": "already connected, updated: {}",
}


@dataclass(frozen=True, slots=True)
class SourceChange:
    """A change of a source by a command.

    `clocks`: when workers sync it, None if the command was not about that.
    `summary`: what its service says of it.
    `hook`: the address and the new secret for events, None without a new secret.
    """

    outcome: Outcome
    source: Source
    clocks: tuple[Clock, ...] | None = None
    summary: str = ""
    hook: "NewHook | None" = None

    def to_json(self) -> dict[str, Any]:
        """The change as the commands print it with `--json`."""
        fields: dict[str, Any] = {**asdict(self.source), "outcome": self.outcome}
        if self.clocks is not None:
            fields["clocks"] = [clock.to_json() for clock in self.clocks]
        if self.summary:
            fields["summary"] = self.summary
        if self.hook is not None:
            fields["hook"] = self.hook.to_json()
        return fields

    def in_words(self) -> str:
        """The change for a person, one line or more."""
        lines = []
        if self.outcome in _WORDS:
            lines.append(_WORDS[self.outcome].format(self._described()))
        lines += [self.summary] if self.summary else []
        lines += [self.hook.in_words()] if self.hook else []
        if self.clocks is not None:
            times = [clock.in_words() for clock in self.clocks] or ["only by `ingest sync`"]
            lines += [f"{self.source.name}: {time}" for time in times]
        return "\n".join(lines)

    def _described(self) -> str:
        service, _, _ = self.source.root_url.partition(":")
        kind = service if self.source.type == "connected" else self.source.type
        return f"{self.source.name} ({kind}, {self.source.id})"


@dataclass(frozen=True, slots=True)
class NewHook:
    """The address for events of a source, and its secret, which is shown only once."""

    address: str
    secret: str
    needs_public_url: bool

    def to_json(self) -> dict[str, Any]:
        """The hook as `ingest schedule --json` prints it."""
        return asdict(self)

    def in_words(self) -> str:
        """The lines to enter at the service."""
        lines = [f"address for events: {self.address}", f"secret, shown only now: {self.secret}"]
        if self.needs_public_url:
            lines.append("Put the public address of the bot before it, and set PUBLIC_URL to that.")
        return "\n".join(lines)
