"""The parts that a feature gives the core when it is opened; imports no types at run time."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prometheus_client.registry import Collector

    from rich_agent.chat_commands.preferences import ZoneMove
    from rich_agent.chat_commands.replies import CommandAnswer, PressAnswer
    from rich_agent.domain.dated_entry import DatedEntries
    from rich_agent.domain.media import MediaKind
    from rich_agent.feature.panels import Panel
    from rich_agent.graph.services import BelowAnswer, NoteTurn, SeekPassages
    from rich_agent.notices import WordNotice
    from rich_agent.ports.accounts import NoteRating, TakeStartCode
    from rich_agent.ports.due_work import DueWork
    from rich_agent.ports.media import MediaReader
    from rich_agent.ports.personas import FindPersonas
    from rich_agent.ports.search_engines import SearchEngine
    from rich_agent.ports.session_leads import SessionLead
    from rich_agent.ports.tools import ToolSource
    from rich_agent.runtime.memberships import Prepare
    from rich_agent.telegram.deliver.messenger import FollowUp
    from rich_agent.tools.tool import Tool
    from rich_agent.web.access import SignIn
    from rich_agent.web.pages.routes import PageLink
    from rich_agent.web.routes import GuardedRoute, OpenRoute
    from rich_agent.web.sign_in_links import SignInLink, SignInPhrases

Loop = Callable[[asyncio.Event], Coroutine[Any, Any, None]]
"""A coroutine function that runs until the event is set."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check by `rich-agent doctor`."""

    detail: str
    """State that the check found, in words."""
    hint: str = ""
    """Advice to the operator if the check is not `is_well`."""
    is_well: bool = True
    """Whether everything is in order. Otherwise `doctor` prints a warning or a failure."""
    is_failure: bool = False
    """Whether `doctor` ends with an error, not with a warning."""
    name: str = ""
    """Subject of the check; "" stands for the whole feature."""


OpenPages = Callable[[int], Awaitable[bool]]
"""Tells whether the user with this id may have a page open that shows their conversations."""
Check = Callable[[], Awaitable[Finding | Sequence[Finding]]]


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of an open feature. The core joins them with its own and with other features' parts."""

    tools: "Sequence[Tool]" = ()
    """Tools that the model may call."""
    tool_sources: "Sequence[ToolSource]" = ()
    """Sources whose tools come and go while the bot runs."""
    commands: "Mapping[str, CommandAnswer]" = field(default_factory=dict)
    """Functions that answer chat commands, by the commands' names; `Feature.menu` lists each."""
    start_codes: "Sequence[TakeStartCode]" = ()
    """Functions that take the codes of links to the bot (`https://t.me/NAME?start=CODE`)."""
    presses: "Mapping[str, PressAnswer]" = field(default_factory=dict)
    """Functions that answer presses of buttons, by the buttons' verbs; a verb ends in a number."""
    work: "Mapping[str, DueWork]" = field(default_factory=dict)
    """Kinds of due work, by names that begin with the feature's name; `add_due` adds a row."""
    notices: "Mapping[str, WordNotice]" = field(default_factory=dict)
    """Functions that word messages for which no user has asked, by kinds that begin with the
    feature's name; `add_notice` adds a message."""
    search: "Sequence[SearchEngine]" = ()
    """Search engines for the web. WEB_SEARCH orders the engines of all features."""
    loops: Sequence[Loop] = ()
    """Functions that run as long as a process answers messages."""
    dated_entries: "Sequence[DatedEntries]" = ()
    """Functions that list a user's plans."""
    zone_moves: "Sequence[ZoneMove]" = ()
    """Functions that move a user's plans to a new time zone."""
    passages: "Sequence[SeekPassages]" = ()
    """Functions that give passages for a question. The answer may rest on them and cites them."""
    below_answer: "Sequence[BelowAnswer]" = ()
    """Functions that add lines below an answer, and buttons that give a command."""
    recorded_turns: "Sequence[NoteTurn]" = ()
    """Functions that note a turn once it is stored, and again if its question is edited."""
    ratings: "Sequence[NoteRating]" = ()
    """Functions that note a rating of an answer once it is stored, or that it was withdrawn."""
    session_leads: "Sequence[SessionLead]" = ()
    """Guided sessions of the feature."""
    follow_ups: "Sequence[FollowUp]" = ()
    """Functions that make a message to send after an answer in Telegram."""
    media: "Mapping[MediaKind, MediaReader]" = field(default_factory=dict)
    """Readers that turn media, such as recordings, into text, by the Bot API's name of the kind."""
    metrics: "Sequence[Collector]" = ()
    """Collectors of Prometheus. The names of their metrics begin with `rich_agent_`, the feature's
    name and an underscore."""
    checks: Sequence[Check] = ()
    """Checks that `rich-agent doctor` makes and prints under the feature's name."""
    memberships: "Sequence[Prepare]" = ()
    """Functions that find out which groups a user is in now, before something is read for the
    user: a turn, a command, a request over HTTP. Most calls have to return at once."""
    sign_ins: "Sequence[SignIn]" = ()
    """Ways in which an HTTP request proves whose it is. They open the `routes` of all features."""
    sign_in_links: "Sequence[SignInLink]" = ()
    """Links to pages of the feature on which people sign in. Every page that asks to sign in shows
    them."""
    sign_in_phrases: "Sequence[SignInPhrases]" = ()
    """Phrases that say how to sign in where no link can lead. Every page that asks to sign
    in shows them."""
    privacy_phrases: Sequence[str] = ()
    """Keys of phrases that /privacy says after the core's: what else is kept, and who sees it."""
    page_links: "Sequence[PageLink]" = ()
    """Links to the feature's pages, which all other pages show."""
    routes: "Sequence[GuardedRoute]" = ()
    """HTTP addresses for callers who have signed in."""
    open_routes: "Sequence[OpenRoute]" = ()
    """HTTP addresses for everybody. Their answers check by themselves who asks."""
    personas: "Sequence[FindPersonas]" = ()
    """Functions that return the personas in effect; those of the first feature count."""
    open_pages: Sequence[OpenPages] = ()
    """Functions that tell whether a user has a page open. While one of them does, conversations in
    Telegram are recorded for the page as they go on."""
    panels: "Sequence[Panel]" = ()
    """Parts of the pages on which users see and change what the bot keeps for them."""
