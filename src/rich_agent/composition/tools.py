"""The tools that a model may call, and the repositories and servers on which these act."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from starlette.types import ASGIApp

from rich_agent.composition.repositories import Repositories
from rich_agent.documents.user_files.pages import GuardedPages
from rich_agent.documents.user_files.private_index import PrivateIndex
from rich_agent.documents.user_files.reading import IsolatedFileReader
from rich_agent.documents.user_files.workers import IsolatedTables
from rich_agent.domain.approving.cards import ApprovalCard
from rich_agent.domain.intranet import Intranet
from rich_agent.domain.mcp import McpServer
from rich_agent.domain.permissions import Permission
from rich_agent.domain.rules import MOST_CHANGES_AT_ONCE, Ruling, SpentToday
from rich_agent.domain.tools import (
    ASK_TOOL,
    MOST_TOOLS,
    TABLE_TOOL,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from rich_agent.domain.words import Words
from rich_agent.errors import UpstreamError
from rich_agent.graph.services import FILES_AT_ONCE
from rich_agent.ports.agenda import Agenda
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.knowledge import WebSearch
from rich_agent.ports.mcp import McpServers
from rich_agent.ports.models import EmbeddingModel
from rich_agent.ports.task_lists import TaskFreshness
from rich_agent.ports.tools import Asker
from rich_agent.ports.user_files import FileIndex, FileReader, Pages, TableEngine
from rich_agent.prompts.session_templates import load_templates
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.reranking import Reranking
from rich_agent.settings.settings import Settings
from rich_agent.task_lists.freshness import FreshTasks
from rich_agent.tools.agenda.plans import GoalTools, NoteTools, ProjectTools
from rich_agent.tools.agenda.schedule import ScheduleTools
from rich_agent.tools.agenda.tasks import TaskTools
from rich_agent.tools.arguments import Clock
from rich_agent.tools.asking import Searching
from rich_agent.tools.files import FileTools
from rich_agent.tools.reminders import ReminderTools
from rich_agent.tools.sessions import SessionTools
from rich_agent.tools.tables import TableTools
from rich_agent.tools.tool import Tool
from rich_agent.tools.toolbox import Naming, Toolbox, ToolChooser
from rich_agent.tools.undoing import TakingBack
from rich_agent.upstreams.web_search import TavilyWebSearch
from rich_agent.web.agui.interrupts import UndoEndpoint
from rich_agent.web.routes import handled_by

if TYPE_CHECKING:
    from rich_agent.tools.mcp.mcp_tools import McpTools

OnTrouble = Callable[[UpstreamError], Awaitable[bool]]
OpenServers = Callable[[Sequence[McpServer], OnTrouble], AbstractAsyncContextManager[McpServers]]


async def unreported(_trouble: UpstreamError) -> bool:
    """Nobody is told."""
    return False


@asynccontextmanager
async def open_mcp_servers(
    settings: Settings, on_trouble: OnTrouble = unreported
) -> AsyncIterator[McpServers | None]:
    """The configured servers, None without any; they are connected when they are needed.

    `on_trouble` is told once when a server is away for long, or refuses the login.
    """
    servers = settings.tools.mcp_servers.servers
    if not servers:
        yield None
        return
    # In a thread: what comes meanwhile is received and stored.
    open_servers = await asyncio.to_thread(_load)
    async with open_servers(servers, on_trouble) as opened:
        yield opened


def _load() -> OpenServers:
    from rich_agent.upstreams.mcp.servers import open_mcp_servers  # noqa: PLC0415 - takes a second

    return open_mcp_servers


def make_mcp_tools(
    settings: Settings,
    servers: McpServers | None,
    repositories: Repositories,
    on_trouble: OnTrouble,
) -> "McpTools | None":
    """The tools of these servers, None without servers."""
    if servers is None:
        return None
    from rich_agent.tools.mcp.mcp_tools import McpTools  # noqa: PLC0415 - the same

    return McpTools(
        servers=servers,
        executions=repositories.tool_executions,
        permissions=repositories.permissions,
        pins=repositories.tool_pins,
        on_change=on_trouble,
        policies=settings.tools.policies,
    )


FOREIGN_PLACES = 6
"""Places in a prompt that are kept for tools of servers when there are too many of both."""
ALWAYS_OFFERED = frozenset(
    {
        *("get_tasks", "create_task", "update_task", "delete_task", "create_note"),
        *("get_recent_notes", "remind", "list_reminders", "cancel_reminder", "snooze_reminder"),
        *("list_files", "undo_last_change", "search_documents", ASK_TOOL, TABLE_TOOL),
    }
)
"""What most messages are about: an embedding model that knows their language badly leaves it in."""
MOST_FOREIGN_CHARS = 16_000
"""Of descriptions and schemas of servers in one prompt: about 4,000 tokens."""


@dataclass(frozen=True, slots=True)
class AllTools:
    """Implements `Tools`: a call goes to whom its name belongs."""

    own: Toolbox
    foreign: "McpTools | None"
    chooser: ToolChooser

    async def offered(self, asker: Asker) -> Sequence[ToolSpec]:
        """See `Tools.offered`; the product's own come first."""
        own = list(await self.own.offered(asker))
        foreign = list(await self.foreign.offered(asker)) if self.foreign and asker.acts else []
        room = MOST_TOOLS - min(len(foreign), FOREIGN_PLACES)
        own = await self._fitting(own, asker, room)
        return [*own, *await self._fitting(foreign, asker, MOST_TOOLS - len(own))]

    async def names(self, asker: Asker) -> Sequence[str]:
        """See `Tools.names`; the product's own come first."""
        foreign = await self.foreign.offered(asker) if self.foreign else ()
        return [*await self.own.allowed_names(asker), *(tool.name for tool in foreign)]

    async def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """See `Tools.plannable`: what the product does itself has rules of its own."""
        found = list(await self.foreign.plannable(asker)) if self.foreign else []
        return await self._fitting(found, asker, MOST_TOOLS)

    def words(self) -> Sequence[Words]:
        """See `Tools.words`."""
        return self.foreign.words() if self.foreign else ()

    async def _fitting(self, tools: list[ToolSpec], asker: Asker, most: int) -> list[ToolSpec]:
        """The tools that fit best, in the order in which they were given."""
        sizes = {tool.name: _size_of(tool) for tool in tools if tool.origin}
        if len(tools) <= most and sum(sizes.values()) <= MOST_FOREIGN_CHARS:
            return tools
        chosen: set[str] = set()
        left = MOST_FOREIGN_CHARS
        ranked = await self.chooser.best_first(tools, asker.words)
        for tool in sorted(ranked, key=lambda one: one.name not in ALWAYS_OFFERED):
            size = sizes.get(tool.name, 0)
            if len(chosen) < most and size <= left:
                chosen.add(tool.name)
                left -= size
        return [tool for tool in tools if tool.name in chosen]

    async def spent(self, calls: Sequence[ToolCall], asker: Asker) -> Mapping[str, SpentToday]:
        """See `Tools.spent`."""
        found = {
            call.name: await (self._owner_of(call) or self.own).spent(call, asker)
            for call in {call.name: call for call in calls}.values()
        }
        return {name: spent for name, spent in found.items() if spent is not None}

    async def permitted(self, calls: Sequence[ToolCall], asker: Asker) -> tuple[Permission, ...]:
        """See `Tools.permitted`: only tools of servers have permissions."""
        if self.foreign is None or not any(map(self._owner_of, calls)):
            return ()
        return await self.foreign.permissions.of(asker.user_id)

    async def permit(
        self, call: ToolCall, asker: Asker, digest: str, fixed: Sequence[str] | None
    ) -> None:
        """See `Tools.permit`."""
        if foreign := self._owner_of(call):
            await foreign.permit(call, asker, digest, fixed)

    async def use(self, permission: int, asker: Asker) -> None:
        """See `Tools.use`."""
        if self.foreign:
            await self.foreign.permissions.use(permission, asker.user_id)

    def decide(self, calls: Sequence[ToolCall], asker: Asker) -> Sequence[Ruling]:
        """See `Tools.decide`; several changes at once ask, wherever they are made."""
        sight = asker.sight()
        several = sum(map(self._changes, calls)) > MOST_CHANGES_AT_ONCE
        found = [(self._owner_of(call) or self.own).decide(call, asker, sight) for call in calls]
        return [
            Ruling("ask", "several")
            if several and decision.policy == "auto" and self._changes(call)
            else decision
            for call, decision in zip(calls, found, strict=True)
        ]

    def _changes(self, call: ToolCall) -> bool:
        foreign = self._owner_of(call)
        return not foreign.only_reads(call.name) if foreign else self.own.changes(call.name)

    def only_read(self, names: Sequence[str]) -> bool:
        """See `Tools.only_read`."""
        return all(
            self.foreign.only_reads(name)
            if self.foreign and self.foreign.has(name)
            else self.own.only_read([name])
            for name in names
        )

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """See `Tools.parameters_of`."""
        foreign = self.foreign if self.foreign and self.foreign.has(name) else None
        return (foreign or self.own).parameters_of(name)

    def problem_with(self, call: ToolCall) -> str:
        """See `Tools.problem_with`."""
        return (self._owner_of(call) or self.own).problem_with(call)

    async def card(self, call: ToolCall, asker: Asker) -> ApprovalCard:
        """See `Tools.card`."""
        if foreign := self._owner_of(call):
            return foreign.card(call)
        return await self.own.card(call, asker)

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """See `Tools.run`."""
        return await (self._owner_of(call) or self.own).run(call, asker)

    async def undo(self, user_id: int, request_id: str, locale: str) -> Sequence[str]:
        """See `Tools.undo`; what a server did cannot be taken back."""
        return await self.own.undo(user_id, request_id, locale)

    def _owner_of(self, call: ToolCall) -> "McpTools | None":
        """The tools of servers if the call is for one of them, None if it is for our own."""
        return self.foreign if self.foreign and self.foreign.has(call.name) else None


def _size_of(tool: ToolSpec) -> int:
    return len(tool.description) + len(json.dumps(dict(tool.parameters), ensure_ascii=False))


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
    reranking: Reranking | None = None
    file_slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FILES_AT_ONCE))


def make_tools(
    settings: Settings,
    repositories: Repositories,
    embeddings: EmbeddingModel | None,
    outside: ToolUpstreams,
) -> AllTools:
    """All tools of this process."""
    wanted = settings.turn.retrieval
    documents = DocumentSearch(repositories.knowledge.passages, embeddings, outside.reranking)
    searching = Searching(documents, outside.web, wanted.passages, wanted.web_results)
    reminders = ReminderTools(repositories.reminders, repositories.accounts)
    templates = load_templates(settings.turn.session_templates_dir)
    in_sessions = SessionTools(repositories.sessions, templates, _now)
    executions = repositories.tool_executions
    own = [
        *_planning(repositories),
        *reminders.tools(),
        *in_sessions.tools(),
        *searching.tools(),
        *_computing(repositories, outside),
        *FileTools(repositories.knowledge.user_files).tools(),
    ]
    own.append(TakingBack(own, executions).tool())
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


def make_file_reader() -> FileReader:
    """Make the reader of files of strangers."""
    return IsolatedFileReader()


def make_table_engine() -> TableEngine:
    """Make the engine that computes over their tables."""
    return IsolatedTables()


def make_file_index(repositories: Repositories, model: EmbeddingModel | None) -> FileIndex:
    """Make the index that makes them searchable; without a model, by words."""
    return PrivateIndex(repositories.databases.rag, model)


def make_pages(private_hosts: Sequence[str]) -> Pages:
    """Make the client that fetches the pages that users name."""
    return GuardedPages(Intranet.parse(private_hosts))


def agenda_tools(stored: Agenda, fresh: TaskFreshness, now: Clock) -> Sequence[Tool]:
    """The tools for tasks, projects, goals, notes and the schedule."""
    return (
        *TaskTools(stored.tasks, stored.projects, fresh, now).tools(),
        *ProjectTools(stored.projects).tools(),
        *GoalTools(stored.goals).tools(),
        *ScheduleTools(stored.schedule, stored.tasks, now).tools(),
        *NoteTools(stored.notes).tools(),
    )


def names_of_ids(stored: Agenda) -> Mapping[str, Naming]:
    """Functions that name what ids of these tools stand for, by the arguments that hold them."""

    async def task(user_id: int, task_id: int) -> str:
        found = await stored.tasks.find(user_id, task_id)
        return found.title if found else ""

    async def project(user_id: int, project_id: int) -> str:
        found = await stored.projects.find(user_id, project_id)
        return found.name if found else ""

    async def goal(user_id: int, goal_id: int) -> str:
        found = await stored.goals.all(user_id)
        return next((one.title for one in found if one.id == goal_id), "")

    async def folder(user_id: int, folder_id: int) -> str:
        found = await stored.notes.folders(user_id)
        return next((one.name for one in found if one.id == folder_id), "")

    return {
        "task_id": task,
        "parent_id": task,
        "project_id": project,
        "goal_id": goal,
        "folder_id": folder,
    }
