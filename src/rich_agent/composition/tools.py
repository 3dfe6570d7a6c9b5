"""Which tools a model may call, and on which repositories and servers these act."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from starlette.types import ASGIApp

from rich_agent.composition.mcp import OnTrouble, make_mcp_tools, unreported
from rich_agent.composition.repositories import Repositories
from rich_agent.composition.user_files import make_table_engine
from rich_agent.graph.services import FILES_AT_ONCE
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.knowledge import WebSearch
from rich_agent.ports.mcp import McpServers
from rich_agent.ports.models import EmbeddingModel
from rich_agent.prompts.session_templates import load_templates
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.settings.settings import Settings
from rich_agent.task_lists.freshness import FreshTasks
from rich_agent.tools.agenda.agenda_tools import agenda_tools, names_of_ids
from rich_agent.tools.all_tools import AllTools
from rich_agent.tools.asking import Searching
from rich_agent.tools.fitting import ToolChooser
from rich_agent.tools.reminders import ReminderTools
from rich_agent.tools.sessions import SessionTools
from rich_agent.tools.tables import TableTools
from rich_agent.tools.tool import Tool
from rich_agent.tools.toolbox import Toolbox
from rich_agent.upstreams.web_search import TavilyWebSearch
from rich_agent.web.agui.undoing import UndoEndpoint
from rich_agent.web.routes import handled_by


@asynccontextmanager
async def open_web_search(settings: Settings) -> AsyncIterator[WebSearch | None]:
    """The web search, None without a key."""
    if settings.tools.tavily_api_key is None:
        yield None
        return
    key = settings.tools.tavily_api_key.get_secret_value()
    async with TavilyWebSearch(key, settings.tools.tavily_base_url) as search:
        yield search


@dataclass(frozen=True, slots=True)
class ToolUpstreams:
    """The services that tools reach outside; tools of those that are not there are not offered.

    `on_trouble` is told when a server changes its tools.
    """

    web: WebSearch | None = None
    servers: McpServers | None = None
    files: ImageFiles | None = None
    on_trouble: OnTrouble = unreported
    file_slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FILES_AT_ONCE))


def make_tools(
    settings: Settings,
    repositories: Repositories,
    embeddings: EmbeddingModel | None,
    outside: ToolUpstreams,
) -> AllTools:
    """All tools of this process."""
    wanted = settings.turn.retrieval
    documents = DocumentSearch(repositories.knowledge.passages, embeddings)
    searching = Searching(documents, outside.web, wanted.passages, wanted.web_results)
    reminders = ReminderTools(repositories.reminders, repositories.accounts)
    templates = load_templates(settings.turn.session_templates_dir)
    in_sessions = SessionTools(repositories.sessions, templates, _now)
    own = [
        *_planning(repositories),
        *reminders.tools(),
        *in_sessions.tools(),
        *searching.tools(),
        *_computing(repositories, outside),
    ]
    executions = repositories.tool_executions
    names = {**names_of_ids(repositories.agenda), "schedule_id": reminders.name}
    return AllTools(
        Toolbox(own, executions, settings.tools.policies, names),
        make_mcp_tools(settings, outside.servers, repositories, outside.on_trouble),
        ToolChooser(embeddings),
    )


@asynccontextmanager
async def open_undoing(settings: Settings, repositories: Repositories) -> AsyncIterator[ASGIApp]:
    """Open the app that takes back what tools did, over HTTP; it searches and calls nothing."""
    tools = make_tools(settings, repositories, None, ToolUpstreams())
    yield handled_by(UndoEndpoint(tools).undo)


def make_button_tools(repositories: Repositories) -> AllTools:
    """Make the tools for buttons that change tasks; policies are for what models want to do."""
    own = Toolbox(_planning(repositories), repositories.tool_executions)
    return AllTools(own, None, ToolChooser(None))


def _computing(repositories: Repositories, outside: ToolUpstreams) -> Sequence[Tool]:
    if outside.files is None:
        return ()
    stored, engine = repositories.knowledge.user_files, make_table_engine()
    return TableTools(stored, outside.files, engine, outside.file_slots).tools()


def _planning(repositories: Repositories) -> Sequence[Tool]:
    fresh = FreshTasks(repositories.task_lists)
    return agenda_tools(repositories.agenda, fresh, _now)


def _now() -> datetime:
    return datetime.now(UTC)
