"""Copies of users' tasks in other places, which other features keep in step with the agenda."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import structlog
from psycopg import AsyncConnection

from rich_agent.feature import loaded_features
from rich_agent.feature.database import Pool

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class TaskMirror:
    """A feature's extension of the agenda: a copy of users' tasks, such as a list on a server."""

    note_change: Callable[[AsyncConnection[Any], int], Awaitable[None]]
    """Called when a user's tasks change, with the connection whose transaction changed them, and
    the user's id. It has three seconds, in which the user's memory is locked: add due work, not
    more. An error undoes only what the function did."""
    refresh: Callable[[Pool, int], Awaitable[None]]
    """Brings a user's tasks up to date before they are read, given the application's database and
    the user's id. It has three seconds; an error is logged."""


def task_mirrors() -> Mapping[str, TaskMirror]:
    """The mirrors of this process's features, by the features' names."""
    mirrors: dict[str, TaskMirror] = {}
    for feature in loaded_features():
        load_mirror = feature.extensions.get("agenda")
        if load_mirror is None:
            continue
        try:
            mirror = load_mirror()
        except Exception:  # noqa: BLE001 - a feature ends its own part, not the turn
            _log.exception("tasks.mirror_not_loaded", feature=feature.name)
            continue
        if isinstance(mirror, TaskMirror):
            mirrors[feature.name] = mirror
        else:
            _log.error("tasks.mirror_not_loaded", feature=feature.name, type=type(mirror).__name__)
    return mirrors
