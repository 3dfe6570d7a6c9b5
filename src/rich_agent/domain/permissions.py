"""Permanent permissions of users: the stored call, and the later calls that it covers.

`rules.EFFECTS` tells which tools can have one, and how many calls a day it covers.
"""

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any

MOST_PERMISSIONS = 50
"""Limit of permissions of one user. A new one replaces the one that was unused for longest."""


@dataclass(frozen=True, slots=True)
class Permission:
    """A call that a user approved permanently."""

    id: int
    digest: str
    """Fingerprint of the tool."""
    arguments: Mapping[str, Any]
    """Arguments of the approved call."""
    fixed: Sequence[str] | None = None
    """Arguments that have to be the same in each call, as the user was told; None for all."""

    def new_arguments(
        self, arguments: Mapping[str, Any], constant: Sequence[str] | None
    ) -> AbstractSet[str] | None:
        """The names of arguments that differ from the approved call, None if one may not differ.

        Besides the `fixed` arguments, those that are `constant` under the present rule may not
        differ; None stands for all arguments.
        """
        all_names = arguments.keys() | self.arguments.keys()
        new_names = {name for name in all_names if not self._has(name, arguments)}
        if not new_names:
            return new_names
        if constant is None or self.fixed is None or new_names & {*constant, *self.fixed}:
            return None
        return new_names

    def _has(self, name: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a call's argument is the same as in the approved call."""
        is_in_both = name in arguments and name in self.arguments
        return is_in_both and exact(arguments[name]) == exact(self.arguments[name])


@dataclass(frozen=True, slots=True)
class KeptPermission:
    """A stored permission, as its user sees it."""

    id: int
    server: str
    tool: str
    digest: str
    """Fingerprint of the tool when the permission was given."""
    title: str
    """Name of the tool on the card that asked for approval."""
    arguments: Mapping[str, Any]
    """Arguments of the approved call."""
    fixed: Sequence[str] | None
    """Arguments that have to be the same in each call, None for all."""
    given_at: datetime
    used: int = 0
    """Number of calls that the permission has let run."""
    used_at: datetime | None = None
    """Time of the last such call."""
    is_current: bool = True
    """Whether the tool is unchanged since the permission was given."""

    def keeps(self, name: str) -> bool:
        """Whether this argument has to be the same in each call."""
        return self.fixed is None or name in self.fixed


@dataclass(frozen=True, slots=True)
class NewPermission:
    """A permission to be stored. Its fields are as in `KeptPermission`."""

    user_id: int
    server: str
    tool: str
    digest: str
    title: str
    arguments: Mapping[str, Any]
    fixed: Sequence[str] | None = None


def exact(value: Any) -> str:  # noqa: ANN401 - JSON
    """A JSON value as text. The texts of 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
