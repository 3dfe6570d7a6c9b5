"""The door: all that a feature may import. What does not stand here may change at any time.

Modules below it give more of one subject, such as `rich_agent.feature.terminal`.

A feature is a package with one `Feature`, which an entry point of the group `rich_agent.features`
names. Declaring it is cheap: models, the graph and optional libraries are loaded when it is opened.
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

    from rich_agent.chat_commands.replies import CommandRequest as CommandRequest
    from rich_agent.chat_commands.replies import PressReply as PressReply
    from rich_agent.chat_commands.replies import PressRequest as PressRequest
    from rich_agent.chat_commands.replies import Reply as Reply
    from rich_agent.documents.connectors.kinds import ConnectorKind as ConnectorKind
    from rich_agent.domain.answer.attachments import Attachment as Attachment
    from rich_agent.domain.answer.attachments import Draw as Draw
    from rich_agent.domain.dated_entry import DatedEntries as DatedEntries
    from rich_agent.domain.dated_entry import DatedEntry as DatedEntry
    from rich_agent.domain.model_role import ModelRole as ModelRole
    from rich_agent.domain.rules import Rule as Rule
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
    from rich_agent.notices import NoticeRequest as NoticeRequest
    from rich_agent.notices import UserNotice as UserNotice
    from rich_agent.phrases import say as say
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
    from rich_agent.ports.task_changes import OnTaskChange as OnTaskChange
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
    from rich_agent.web.access import Caller as Caller
    from rich_agent.web.refusals import RequestRefusedError as RequestRefusedError
    from rich_agent.web.routes import GuardedRoute as GuardedRoute
    from rich_agent.web.routes import OpenRoute as OpenRoute
    from rich_agent.web.routes import handled_by as handled_by

DOOR_VERSION: Final = 1
"""It grows when something that stands here changes its meaning or goes."""
_EXPORTS: Final = {
    "rich_agent.chat_commands.replies": ("CommandRequest", "PressReply", "PressRequest", "Reply"),
    "rich_agent.documents.connectors.kinds": ("ConnectorKind",),
    "rich_agent.domain.answer.attachments": ("Attachment", "Draw"),
    "rich_agent.domain.dated_entry": ("DatedEntries", "DatedEntry"),
    "rich_agent.domain.model_role": ("ModelRole",),
    "rich_agent.domain.rules": ("Rule",),
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
    "rich_agent.graph.services": ("AnsweredTurn",),
    "rich_agent.notices": ("UserNotice", "NoticeRequest"),
    "rich_agent.phrases": ("say",),
    "rich_agent.ports.task_changes": ("OnTaskChange",),
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
    "rich_agent.upstreams.servers.output_shapes": ("ModelOutput",),
    "rich_agent.web.access": ("Caller",),
    "rich_agent.web.refusals": ("RequestRefusedError",),
    "rich_agent.web.routes": ("GuardedRoute", "OpenRoute", "handled_by"),
}
_MODULE_OF: Final = {name: module for module, names in _EXPORTS.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    """Load what is exported when it is first used: a declaration needs none of it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A command in menus and in /help, described by the phrase `command-<name>`.

    One that `needs_telegram` is not offered on other surfaces. One that is not available with the
    settings is left out. Where words that follow it are a password or the like, it `holds_secret`:
    before it is answered they are deleted from chat, inbox and runs, and over HTTP it is refused.
    """

    name: str
    for_admins: bool = False
    needs_telegram: bool = False
    is_available: "Callable[[Settings], bool] | None" = None
    holds_secret: bool = False


@asynccontextmanager
async def no_parts(_core: "Core") -> AsyncIterator["Parts"]:
    """A feature that has nothing to open."""
    yield import_module("rich_agent.feature.parts").Parts()


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A feature, declared; whatever is left out it does not have.

    `name` is that of its entry point. `open` gives what it does in a process that serves. `menu`
    lists its commands. `settings` is a section of the settings, or a function that loads it; the
    names of its fields get the feature's before them. `locales` is a folder with a file of phrases
    for each language, `en.ftl` at least; the names of phrases begin with the feature's, but for
    `command-`, `tool-`, `doing-`, `argument-` and `picture-`. `migrations` is a folder of Alembic's
    revisions for the application's database, a chain of its own. `tables` gives the declarations of
    its tables, and is called by `migrate` alone, which records whose rows they hold (`UserData`).
    `prompts` is a folder of prompts, a Markdown file each. `cli` adds commands to `rich-agent`,
    which load what they need when they are given. `pictures` are functions that draw attachments,
    by the kinds of these; they load what they need when they are called. So does `on_task_change`,
    which is called with the connection and the user in the transaction that changed their tasks.
    Its parts stand behind those of the features that it names in `after`.
    """

    name: str
    open: Callable[["Core"], AbstractAsyncContextManager["Parts"]] = no_parts
    menu: tuple[MenuEntry, ...] = ()
    settings: "type[BaseModel] | Callable[[], type[BaseModel]] | None" = None
    locales: Path | None = None
    migrations: Path | None = None
    tables: Callable[[], "MetaData"] | None = None
    prompts: Path | None = None
    cli: Callable[["Typer", "Shell"], None] | None = None
    pictures: "Mapping[str, Draw]" = field(default_factory=dict, hash=False)
    on_task_change: "OnTaskChange | None" = None
    after: tuple[str, ...] = ()


def loaded_features() -> tuple[Feature, ...]:
    """The declarations of the features of this process, in their order."""
    return cast("tuple[Feature, ...]", installed_features().features)
