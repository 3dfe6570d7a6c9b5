"""The door: all names that a feature may import. Every other name may change at any time.

Each module of this package has more names, of one subject: see `rich_agent.feature.terminal`.

A feature is a package with one `Feature`, which an entry point of the group `rich_agent.features`
names. A declaration loads quickly: models, the graph and optional libraries are loaded when the
feature is opened.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from rich_agent.installed import installed_features

if TYPE_CHECKING:
    from pydantic import BaseModel
    from sqlalchemy import MetaData
    from typer import Typer

    from rich_agent.attachments import drawable as drawable
    from rich_agent.chat_commands.replies import CommandRequest as CommandRequest
    from rich_agent.chat_commands.replies import PressReply as PressReply
    from rich_agent.chat_commands.replies import PressRequest as PressRequest
    from rich_agent.chat_commands.replies import Reply as Reply
    from rich_agent.documents.connectors.kinds import ConnectorKind as ConnectorKind
    from rich_agent.domain.answer.attachments import Attachment as Attachment
    from rich_agent.domain.answer.attachments import Draw as Draw
    from rich_agent.domain.answer.attachments import MakeBlock as MakeBlock
    from rich_agent.domain.answer.citation import CommandOffer as CommandOffer
    from rich_agent.domain.dated_entry import MOST_DATED_ENTRIES as MOST_DATED_ENTRIES
    from rich_agent.domain.dated_entry import DatedEntries as DatedEntries
    from rich_agent.domain.dated_entry import DatedEntry as DatedEntry
    from rich_agent.domain.memory.kinds import MemoryKind
    from rich_agent.domain.model_role import ModelRole as ModelRole
    from rich_agent.domain.rules import Rule as Rule
    from rich_agent.domain.tokens import SCOPES as SCOPES
    from rich_agent.domain.tokens import Scope as Scope
    from rich_agent.errors import DatabaseUnavailableError as DatabaseUnavailableError
    from rich_agent.errors import RichAgentError as RichAgentError
    from rich_agent.errors import SettingsError as SettingsError
    from rich_agent.errors import UpstreamError as UpstreamError
    from rich_agent.errors import UpstreamRateLimitedError as UpstreamRateLimitedError
    from rich_agent.errors import UpstreamRefusedError as UpstreamRefusedError
    from rich_agent.errors import UpstreamTimeoutError as UpstreamTimeoutError
    from rich_agent.errors import UpstreamUnavailableError as UpstreamUnavailableError
    from rich_agent.feature.core import AlertAdmins as AlertAdmins
    from rich_agent.feature.core import Core as Core
    from rich_agent.feature.core import TellAdmins as TellAdmins
    from rich_agent.feature.parts import Check as Check
    from rich_agent.feature.parts import Finding as Finding
    from rich_agent.feature.parts import Parts as Parts
    from rich_agent.feature.shell import FormModel as FormModel
    from rich_agent.feature.shell import Shell as Shell
    from rich_agent.graph.services import AnsweredTurn as AnsweredTurn
    from rich_agent.graph.services import FeaturePassage as FeaturePassage
    from rich_agent.graph.services import PassageRequest as PassageRequest
    from rich_agent.graph.services import RecordedTurn as RecordedTurn
    from rich_agent.notices import NoticeRequest as NoticeRequest
    from rich_agent.notices import UserNotice as UserNotice
    from rich_agent.phrases import say as say
    from rich_agent.ports.accounts import AnswerRating as AnswerRating
    from rich_agent.ports.bot_api import Button as Button
    from rich_agent.ports.due_work import DueRow as DueRow
    from rich_agent.ports.due_work import DueWork as DueWork
    from rich_agent.ports.due_work import NewWork as NewWork
    from rich_agent.ports.due_work import NextRun as NextRun
    from rich_agent.ports.operations import AdminAlert as AdminAlert
    from rich_agent.ports.search_engines import SearchEngine as SearchEngine
    from rich_agent.ports.search_engines import WebResult as WebResult
    from rich_agent.ports.session_leads import SessionGuide as SessionGuide
    from rich_agent.ports.session_leads import SessionLead as SessionLead
    from rich_agent.ports.session_leads import SessionState as SessionState
    from rich_agent.ports.tools import Asker as Asker
    from rich_agent.ports.turns import StoredTurn as StoredTurn
    from rich_agent.ports.user_data import NobodysData as NobodysData
    from rich_agent.ports.user_data import UserData as UserData
    from rich_agent.prompts import render_prompt as render_prompt
    from rich_agent.repositories.database.pools import checkout as checkout
    from rich_agent.repositories.database.repository import PostgresRepository as PostgresRepository
    from rich_agent.repositories.database.repository import fetch_all as fetch_all
    from rich_agent.repositories.database.repository import fetch_one as fetch_one
    from rich_agent.repositories.due_work import add_due as add_due
    from rich_agent.repositories.due_work import hasten_due as hasten_due
    from rich_agent.repositories.inbox.storing import add_notice as add_notice
    from rich_agent.repositories.memory_store import MemoryRows
    from rich_agent.runtime.logs import configure_logging as configure_logging
    from rich_agent.settings.fields import Group as Group
    from rich_agent.settings.fields import SectionSecrets as SectionSecrets
    from rich_agent.settings.fields import setting as setting
    from rich_agent.settings.models import RoleSettings as RoleSettings
    from rich_agent.settings.settings import Settings as Settings
    from rich_agent.settings.settings import all_settings as all_settings
    from rich_agent.settings.types import Hosts as Hosts
    from rich_agent.settings.types import Secret as Secret
    from rich_agent.settings.types import Url as Url
    from rich_agent.times import Clocks as Clocks
    from rich_agent.tools.tool import Arguments as Arguments
    from rich_agent.tools.tool import Outcome as Outcome
    from rich_agent.tools.tool import Tool as Tool
    from rich_agent.tools.tool import ToolRefusedError as ToolRefusedError
    from rich_agent.turns.rehearsal import Rehearsal as Rehearsal
    from rich_agent.turns.rehearsal import RehearsedTurn as RehearsedTurn
    from rich_agent.upstreams.servers.output_shapes import ModelOutput as ModelOutput
    from rich_agent.upstreams.servers.output_shapes import MostChars as MostChars
    from rich_agent.upstreams.servers.output_shapes import MostItems as MostItems
    from rich_agent.web.access import Caller as Caller
    from rich_agent.web.refusals import RequestRefusedError as RequestRefusedError
    from rich_agent.web.routes import GuardedRoute as GuardedRoute
    from rich_agent.web.routes import OpenRoute as OpenRoute
    from rich_agent.web.routes import handled_by as handled_by

DOOR_VERSION: Final = 1
"""A number that grows when a name of the door changes its meaning or is removed."""
_EXPORTS: Final = {
    "rich_agent.attachments": ("drawable",),
    "rich_agent.chat_commands.replies": ("CommandRequest", "PressReply", "PressRequest", "Reply"),
    "rich_agent.documents.connectors.kinds": ("ConnectorKind",),
    "rich_agent.domain.answer.attachments": ("Attachment", "Draw", "MakeBlock"),
    "rich_agent.domain.answer.citation": ("CommandOffer",),
    "rich_agent.domain.dated_entry": ("MOST_DATED_ENTRIES", "DatedEntries", "DatedEntry"),
    "rich_agent.domain.model_role": ("ModelRole",),
    "rich_agent.domain.rules": ("Rule",),
    "rich_agent.domain.tokens": ("SCOPES", "Scope"),
    "rich_agent.errors": (
        "DatabaseUnavailableError",
        "RichAgentError",
        "SettingsError",
        "UpstreamError",
        "UpstreamRateLimitedError",
        "UpstreamRefusedError",
        "UpstreamTimeoutError",
        "UpstreamUnavailableError",
    ),
    "rich_agent.feature.core": ("AlertAdmins", "Core", "TellAdmins"),
    "rich_agent.feature.parts": ("Check", "Finding", "Parts"),
    "rich_agent.feature.shell": ("FormModel", "Shell"),
    "rich_agent.graph.services": (
        *("AnsweredTurn", "FeaturePassage", "PassageRequest", "RecordedTurn"),
    ),
    "rich_agent.notices": ("UserNotice", "NoticeRequest"),
    "rich_agent.phrases": ("say",),
    "rich_agent.ports.accounts": ("AnswerRating",),
    "rich_agent.ports.bot_api": ("Button",),
    "rich_agent.ports.due_work": ("DueRow", "DueWork", "NewWork", "NextRun"),
    "rich_agent.ports.operations": ("AdminAlert",),
    "rich_agent.ports.search_engines": ("SearchEngine", "WebResult"),
    "rich_agent.ports.session_leads": ("SessionGuide", "SessionLead", "SessionState"),
    "rich_agent.ports.tools": ("Asker",),
    "rich_agent.ports.turns": ("StoredTurn",),
    "rich_agent.ports.user_data": ("NobodysData", "UserData"),
    "rich_agent.prompts": ("render_prompt",),
    "rich_agent.repositories.database.pools": ("checkout",),
    "rich_agent.repositories.database.repository": ("PostgresRepository", "fetch_all", "fetch_one"),
    "rich_agent.repositories.due_work": ("add_due", "hasten_due"),
    "rich_agent.repositories.inbox.storing": ("add_notice",),
    "rich_agent.runtime.logs": ("configure_logging",),
    "rich_agent.settings.fields": ("Group", "SectionSecrets", "setting"),
    "rich_agent.settings.models": ("RoleSettings",),
    "rich_agent.settings.settings": ("Settings", "all_settings"),
    "rich_agent.settings.types": ("Hosts", "Secret", "Url"),
    "rich_agent.times": ("Clocks",),
    "rich_agent.tools.tool": ("Arguments", "Outcome", "Tool", "ToolRefusedError"),
    "rich_agent.turns.rehearsal": ("Rehearsal", "RehearsedTurn"),
    "rich_agent.upstreams.servers.output_shapes": ("ModelOutput", "MostChars", "MostItems"),
    "rich_agent.web.access": ("Caller",),
    "rich_agent.web.refusals": ("RequestRefusedError",),
    "rich_agent.web.routes": ("GuardedRoute", "OpenRoute", "handled_by"),
}
_MODULE_OF: Final = {name: module for module, names in _EXPORTS.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    """Load an exported name when it is first used: a declaration needs none of them."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A command in menus and in /help, described by the phrase `command-<name>`."""

    name: str
    """Name of the command, without its slash."""
    for_admins: bool = False
    """Whether only admins see the command and may use it."""
    needs_telegram: bool = False
    """Whether the command is offered in Telegram only."""
    is_available: "Callable[[Settings], bool] | None" = None
    """Tells whether the menu lists the command with these settings; None: always."""
    holds_secret: bool = False
    """Whether the words after the command are secret, such as a password. They are deleted from the
    chat, the inbox and the runs before the command is answered; over HTTP the command is refused.
    """
    in_groups: bool = False
    """Whether users may type the command in groups, where only they see the answer, without its
    buttons. For commands that show what is the user's own."""


@asynccontextmanager
async def no_parts(_core: "Core") -> AsyncIterator["Parts"]:
    """Open a feature that has no parts."""
    yield import_module("rich_agent.feature.parts").Parts()


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """The declaration of a feature. Every field but `name` is optional.

    The functions of a declaration import the libraries that they need when they are called.
    """

    name: str
    """Name of the feature; its entry point has the same."""
    open: Callable[["Core"], AbstractAsyncContextManager["Parts"]] = no_parts
    """Opens the feature with the core's services, yields its parts, and closes it at the end."""
    menu: tuple[MenuEntry, ...] = ()
    """Commands for users, as menus and /help list them."""
    settings: "type[BaseModel] | Callable[[], type[BaseModel]] | None" = None
    """Section of the settings, or a function that loads the section. In the environment, the names
    of its fields begin with the feature's name."""
    locales: Path | None = None
    """Folder with a file of phrases for each language; `en.ftl` is required. The names of phrases
    begin with the feature's name, or with `command-`, `tool-`, `doing-`, `argument-`, `value-`,
    `picture-`."""
    migrations: Path | None = None
    """Folder with Alembic revisions for the application's database, in a chain of their own."""
    tables: Callable[[], "MetaData"] | None = None
    """Returns the tables. Only `migrate` calls it, and records whose rows they hold (`UserData`).
    It is required if there are `migrations`."""
    prompts: Path | None = None
    """Folder with prompts, one Markdown file each."""
    cli: Callable[["Typer", "Shell"], None] | None = None
    """Adds commands to `rich-agent`."""
    pictures: "Mapping[str, Draw]" = field(default_factory=dict, hash=False)
    """Functions that draw attachments, by the kind of attachment."""
    blocks: "Mapping[str, MakeBlock]" = field(default_factory=dict, hash=False)
    """Functions that make living blocks of attachments, by the kind of attachment."""
    memory_rows: "Mapping[MemoryKind, Callable[[], MemoryRows]]" = field(
        default_factory=dict, hash=False
    )
    """Functions that load the tables whose rows are items of users' memory, by the items' kind."""
    after: tuple[str, ...] = ()
    """Names of the features whose parts come before this feature's parts."""
    needs: tuple[str, ...] = ()
    """Names of the features without which this feature cannot be opened. They come before it too,
    and this feature may import their `public` modules."""
    extensions: "Mapping[str, Callable[[], object]]" = field(default_factory=dict, hash=False)
    """Functions that load what this feature adds to features that it needs, by the other features'
    names. The `public` module of the other feature defines what it takes."""


def loaded_features() -> tuple[Feature, ...]:
    """The declarations of this process's features, in the order in which they are opened."""
    return cast("tuple[Feature, ...]", installed_features().features)
