"""Types of what a feature gives back that is opened; loads none of what they refer to."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich_agent.chat_commands.preferences import ZoneMove
    from rich_agent.chat_commands.replies import CommandAnswer, PressAnswer
    from rich_agent.domain.dated_entry import DatedEntries
    from rich_agent.domain.media import MediaKind
    from rich_agent.graph.services import BelowAnswer
    from rich_agent.notices import WordNotice
    from rich_agent.ports.due_work import DueWork
    from rich_agent.ports.media import MediaReader
    from rich_agent.ports.search_engines import SearchEngine
    from rich_agent.ports.session_leads import SessionLead
    from rich_agent.ports.task_changes import FreshenTasks
    from rich_agent.ports.tools import ToolSource
    from rich_agent.telegram.deliver.messenger import FollowUp
    from rich_agent.tools.tool import Tool
    from rich_agent.web.access import SignIn
    from rich_agent.web.routes import GuardedRoute, OpenRoute

Loop = Callable[[asyncio.Event], Coroutine[Any, Any, None]]
"""It runs until the event is set."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a check of `doctor`: what was found, and what to do if it is not well.

    It is a warning, unless it `is_failure`: then `doctor` ends with an error. `name` is what was
    checked, "" for the feature.
    """

    detail: str
    hint: str = ""
    is_well: bool = True
    is_failure: bool = False
    name: str = ""


OpenPages = Callable[[int], Awaitable[bool]]
"""Whether a user may have a page open that shows their conversations, wherever they go on."""
Check = Callable[[], Awaitable[Finding | Sequence[Finding]]]


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of a feature, joined with the core's and the other features' by the core.

    `tool_sources` have tools that come and go while the bot runs.
    `commands` are answers by their names, `presses` those by the verbs of buttons, which end in a
    number. `work` are kinds of due work, whose names begin with the feature's; `add_due` adds rows
    to do. `notices` word what users are told without having asked, by kinds that begin with the
    feature's name, too; `add_notice` adds one. `search` are search engines of the web: of those of
    all features the first is used. `loops` run in processes that answer. `dated_entries` give what
    users have planned; `zone_moves` have it go by other clocks. `below_answer` adds lines.
    `follow_ups` make messages that follow an answer in Telegram. `freshen_tasks` bring a user's
    tasks up to date before they are read. `media` are readers of kinds of messages, such as
    recordings, by the Bot API's names. `session_leads` lead guided sessions. `checks` are made by
    `rich-agent doctor`, under the feature's name. `sign_ins` are ways in which requests over HTTP
    tell whose they are. `routes` are addresses that each of these opens, whichever feature has it;
    `open_routes` are for everybody, and check by themselves who asks.
    What is said in Telegram is written down as it goes for users of whom one of `open_pages` says
    that they have pages open.
    """

    tools: "Sequence[Tool]" = ()
    tool_sources: "Sequence[ToolSource]" = ()
    commands: "Mapping[str, CommandAnswer]" = field(default_factory=dict)
    presses: "Mapping[str, PressAnswer]" = field(default_factory=dict)
    work: "Mapping[str, DueWork]" = field(default_factory=dict)
    notices: "Mapping[str, WordNotice]" = field(default_factory=dict)
    search: "Sequence[SearchEngine]" = ()
    loops: Sequence[Loop] = ()
    dated_entries: "Sequence[DatedEntries]" = ()
    zone_moves: "Sequence[ZoneMove]" = ()
    below_answer: "Sequence[BelowAnswer]" = ()
    session_leads: "Sequence[SessionLead]" = ()
    follow_ups: "Sequence[FollowUp]" = ()
    freshen_tasks: "Sequence[FreshenTasks]" = ()
    media: "Mapping[MediaKind, MediaReader]" = field(default_factory=dict)
    checks: Sequence[Check] = ()
    sign_ins: "Sequence[SignIn]" = ()
    routes: "Sequence[GuardedRoute]" = ()
    open_routes: "Sequence[OpenRoute]" = ()
    open_pages: Sequence[OpenPages] = ()
