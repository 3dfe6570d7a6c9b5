"""Types of what the core hands to a feature that is opened, and of what that gives back."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from rich_agent.chat_commands.replies import CommandAnswer, PressAnswer
from rich_agent.domain.access import Access
from rich_agent.graph.services import BelowAnswer
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.due_work import DueWork
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.turns.past_turns import PostgresPastTurns
from rich_agent.settings.fields import Group
from rich_agent.settings.settings import Settings
from rich_agent.tools.tool import Tool

G = TypeVar("G", bound=Group)
Loop = Callable[[asyncio.Event], Coroutine[Any, Any, None]]
"""It runs until the event is set."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a check of `doctor`: what was found, and what to do if it is not well."""

    detail: str
    hint: str = ""
    is_well: bool = True


Check = Callable[[], Awaitable[Finding]]


@dataclass(frozen=True, slots=True)
class Core:
    """Services that features share. It grows only when two of them need the same thing.

    `databases` are the application's and the documents'; statements run in a transaction of
    `checkout`. `access` knows who may use the bot, `accounts` how users want to be spoken to,
    `past_turns` what was asked and answered. `now` gives the time, with its zone.
    """

    settings: Settings
    databases: Databases
    accounts: Accounts
    access: Access
    past_turns: PostgresPastTurns
    now: Callable[[], datetime]

    def section(self, group: type[G]) -> G:
        """The feature's own settings."""
        return self.settings.section(group)


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of a feature, joined with the core's and the other features' by the core.

    `commands` are answers by their names, `presses` those by the verbs of buttons, which end in a
    number. `work` are kinds of due work, whose names begin with the feature's; `add_due` adds rows
    to do. `loops` run in processes that answer. `below_answer` adds lines. `checks` are made by
    `rich-agent doctor`, under the feature's name.
    """

    tools: Sequence[Tool] = ()
    commands: Mapping[str, CommandAnswer] = field(default_factory=dict)
    presses: Mapping[str, PressAnswer] = field(default_factory=dict)
    work: Mapping[str, DueWork] = field(default_factory=dict)
    loops: Sequence[Loop] = ()
    below_answer: Sequence[BelowAnswer] = ()
    checks: Sequence[Check] = ()
