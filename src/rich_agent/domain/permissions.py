"""Permissions that users give for good: what is kept of a call, and which calls that covers.

Which tools may have one, and how often a day it counts, stands in `rules.EFFECTS`.
"""

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any

MOST_PERMISSIONS = 50
"""Of one user; the one that was used longest ago makes room for another."""


@dataclass(frozen=True, slots=True)
class Permission:
    """A call that a user approved for good: its arguments, and the fingerprint of its tool.

    `fixed` are the arguments that the user was told are the same each time, None for all.
    """

    id: int
    digest: str
    arguments: Mapping[str, Any]
    fixed: Sequence[str] | None = None

    def new_arguments(
        self, arguments: Mapping[str, Any], constant: Sequence[str] | None
    ) -> AbstractSet[str] | None:
        """The names of arguments that differ from the approved call, None if one may not differ.

        Those that are `constant` now too are the same, None for all.
        """
        names = arguments.keys() | self.arguments.keys()
        new = {name for name in names if not self._has(name, arguments)}
        if new and (constant is None or self.fixed is None or new & {*constant, *self.fixed}):
            return None
        return new

    def _has(self, name: str, arguments: Mapping[str, Any]) -> bool:
        is_there = name in arguments and name in self.arguments
        return is_there and exact(arguments[name]) == exact(self.arguments[name])


@dataclass(frozen=True, slots=True)
class KeptPermission:
    """A permission as its user reads it; `is_current` while the tool is what it was then.

    `title` names the tool as its card did; `server`, `tool` and `digest` are as in `NewPermission`,
    and `fixed` as in `Permission`. `used` counts the calls that it let run.
    """

    id: int
    server: str
    tool: str
    digest: str
    title: str
    arguments: Mapping[str, Any]
    fixed: Sequence[str] | None
    given_at: datetime
    used: int = 0
    used_at: datetime | None = None
    is_current: bool = True

    def keeps(self, name: str) -> bool:
        """Whether this argument is the same each time."""
        return self.fixed is None or name in self.fixed


@dataclass(frozen=True, slots=True)
class NewPermission:
    """A permission to be kept: whose, for which tool of which server, as it is pinned."""

    user_id: int
    server: str
    tool: str
    digest: str
    title: str
    arguments: Mapping[str, Any]
    fixed: Sequence[str] | None = None


def exact(value: Any) -> str:  # noqa: ANN401 - JSON
    """A JSON value as one text; 1, 1.0 and true differ in it."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
