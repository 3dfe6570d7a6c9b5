"""Factories: what a test varies is an argument, everything else has a sensible value."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from httpx2 import AsyncClient
from langchain_core.messages import HumanMessage

from rich_agent.domain.memory.items import LongTermMemory
from rich_agent.domain.message import IncomingMessage, Photo, TurnRequest, User, thread_of
from rich_agent.domain.model_role import ModelRole
from rich_agent.domain.model_speed import ModelSpeed, OptionalCalls
from rich_agent.domain.retrieval.fusion import impact, slowness
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.routing.plan import Domain
from rich_agent.graph.services import Limits, NodeContext, Services
from rich_agent.graph.state import JsonObject, TurnState
from rich_agent.ports.memories import Memories
from rich_agent.ports.personas import FindPersonas, no_personas
from rich_agent.ports.tools import ToolExecutions, Tools
from rich_agent.ports.turns import TurnRecord
from rich_agent.runtime.reranking import Reranking
from rich_agent.tools.all_tools import AllTools
from rich_agent.tools.tool import Tool
from rich_agent.tools.toolbox import Toolbox, ToolChooser
from rich_agent.upstreams.models.form_sizes import schema_tokens
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities, ModelAccess
from tests.scripted import (
    ScriptedCatalogue,
    ScriptedChat,
    ScriptedChooser,
    ScriptedEmbeddings,
    ScriptedExtractor,
    ScriptedFileReader,
    ScriptedFiles,
    ScriptedPages,
    ScriptedPassages,
    ScriptedPlanner,
    ScriptedSpaces,
    ScriptedSummarizer,
    ScriptedVision,
    ScriptedWeb,
)
from tests.twins.approvals import InMemoryApprovals
from tests.twins.archive import InMemoryArchive
from tests.twins.clarifications import InMemoryClarifications
from tests.twins.conversations import InMemoryTranscript
from tests.twins.erasure import InMemoryErasure
from tests.twins.knowledge import (
    InMemoryDecisions,
    InMemoryImageAnswers,
    InMemoryImageSummaries,
)
from tests.twins.lessons import InMemoryLessons
from tests.twins.memories import InMemoryMemories
from tests.twins.session_leads import InMemoryLead
from tests.twins.tools import InMemoryToolExecutions
from tests.twins.user_files import InMemoryFileIndex, InMemoryUserFiles

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DOMAIN = Domain("solana_defi_trade", "Solana and DeFi", ("What is staking?",))


def own_tools(tools: Sequence[Tool], executions: ToolExecutions) -> AllTools:
    """The product's own tools, without any of a server."""
    return AllTools(Toolbox(tools, executions), (), ToolChooser(None))


@dataclass(slots=True)
class Fakes:
    """Scripted upstreams and in-memory repositories, to be varied and looked at."""

    chat: ScriptedChat = field(default_factory=ScriptedChat)
    planner: ScriptedPlanner = field(default_factory=ScriptedPlanner)
    chooser: ScriptedChooser = field(default_factory=ScriptedChooser)
    vision: ScriptedVision = field(default_factory=ScriptedVision)
    extractor: ScriptedExtractor = field(default_factory=ScriptedExtractor)
    summarizer: ScriptedSummarizer = field(default_factory=ScriptedSummarizer)
    embeddings: ScriptedEmbeddings | None = field(default_factory=ScriptedEmbeddings)
    web: ScriptedWeb | None = field(default_factory=ScriptedWeb)
    reranking: Reranking | None = None
    files: ScriptedFiles = field(default_factory=ScriptedFiles)
    memories: InMemoryMemories = field(default_factory=InMemoryMemories)
    lessons: InMemoryLessons = field(default_factory=InMemoryLessons)
    transcript: InMemoryTranscript = field(default_factory=InMemoryTranscript)
    archive: InMemoryArchive = field(init=False)
    erasure: InMemoryErasure = field(init=False)
    passages: ScriptedPassages = field(default_factory=ScriptedPassages)
    catalogue: ScriptedCatalogue = field(default_factory=ScriptedCatalogue)
    spaces: ScriptedSpaces = field(default_factory=ScriptedSpaces)
    summaries: InMemoryImageSummaries = field(default_factory=InMemoryImageSummaries)
    image_answers: InMemoryImageAnswers = field(default_factory=InMemoryImageAnswers)
    decisions: InMemoryDecisions = field(default_factory=InMemoryDecisions)
    clarifications: InMemoryClarifications = field(default_factory=InMemoryClarifications)
    approvals: InMemoryApprovals = field(default_factory=InMemoryApprovals)
    tools: Tools = field(default_factory=lambda: own_tools((), InMemoryToolExecutions()))
    sessions: InMemoryLead = field(default_factory=InMemoryLead)
    user_files: InMemoryUserFiles = field(default_factory=InMemoryUserFiles)
    file_reader: ScriptedFileReader = field(default_factory=ScriptedFileReader)
    file_index: InMemoryFileIndex = field(default_factory=InMemoryFileIndex)
    pages: ScriptedPages = field(default_factory=ScriptedPages)
    find_personas: FindPersonas = no_personas
    approval_intents: frozenset[str] = frozenset()
    domain: Domain = DOMAIN
    limits: Limits = field(default_factory=Limits)
    optional_calls: OptionalCalls = field(default_factory=OptionalCalls)

    def __post_init__(self) -> None:
        """The archive writes the summary where the memories are."""
        self.archive = InMemoryArchive(self.memories)
        self.erasure = InMemoryErasure(
            self.transcript, self.archive, self.decisions, self.image_answers, self.lessons
        )

    def services(self) -> Services:
        """The services made of this cast."""
        parts = {part.name: getattr(self, part.name) for part in dataclasses.fields(self)}
        leads = [parts.pop("sessions")]
        return Services(
            **parts,
            session_leads=leads,
            now=lambda: NOW,
            schema_tokens=schema_tokens(),
        )

    def context(self) -> NodeContext:
        """The context in which a node of this cast runs."""
        return NodeContext(self.services())


@dataclass(slots=True)
class FakeRuntime:
    """The runtime of LangGraph as a node sees it; `written` is what it streamed."""

    context: NodeContext
    written: list[dict[str, Any]] = field(default_factory=list)
    execution_info: None = None

    def stream_writer(self, event: dict[str, Any]) -> None:
        """Keep the event."""
        self.written.append(event)


def slow_server() -> OptionalCalls:
    """Optional calls as measured on a laptop: 50 tokens a second read, 5 written."""
    return OptionalCalls("auto", *2 * [lambda: ModelSpeed(50.0, 5.0)])


def runtime(cast: Fakes | None = None) -> Any:
    """A runtime for calling a node directly."""
    return FakeRuntime((cast or Fakes()).context())


def access(
    base_url: str, http: AsyncClient, model: str = "sandbox-chat", **changes: Any
) -> ModelAccess:
    """A model of which nothing is known yet, in a role with these changes."""
    role = ModelRole(model, base_url, "any", **changes)
    return ModelAccess(role, http, LearnedCapabilities(role.server, model))


def passage(number: int = 1, **changes: Any) -> Passage:
    """A near passage of a document."""
    made = Passage(
        id=f"chk_{number}",
        kind="document",
        content=f"Sentence {number}.",
        source_url=f"https://docs.example/{number}",
        title=f"Page {number}",
        section="Top",
        score=0.8,
    )
    return dataclasses.replace(made, **changes)


async def store_memory(memories: Memories, user_id: int, memory: LongTermMemory) -> None:
    """Have this remembered of a user, and nothing else."""
    await memories.change(user_id, lambda _: memory)


def turn_record(request_id: str = "r0", question: str = "Why?") -> TurnRecord:
    """A finished turn of user 42."""
    return TurnRecord(42, "tg:42", request_id, question, "It is so.", {})


def state(text: str = "What is staking?", **changes: Any) -> TurnState:
    """The state of a turn before it is planned."""
    made: TurnState = {
        "messages": [HumanMessage(text, id="r1:user")],
        "request": stored(text),
        "user": {"telegram_user_id": 42, "locale": "en"},
        "input": {"text": text},
        "vision": {},
        "rag": {},
        "memory": {},
        "routing": {"intent": "general_question", "plan": "rag", "reason": "r"},
        "answer": {},
        "latency_ms": {},
        "node_log": {},
    }
    return {**made, **changes}  # type: ignore[typeddict-item]


def stored(text: str = "What is staking?", **user: Any) -> JsonObject:
    """A request as the state holds it; `user` are facts of its user, besides the id."""
    return {
        "thread_id": "tg:42",
        "request_id": "r1",
        "user": {"telegram_user_id": 42, "first_name": "", "language_code": None, **user},
        "text": text,
    }


def request(
    text: str = "What is staking?",
    *,
    user_id: int = 42,
    request_id: str = "r1",
    photos: tuple[str, ...] = (),
    **changes: Any,
) -> TurnRequest:
    """A turn's request; `photos` are file ids."""
    message = IncomingMessage(User(user_id, "Ann"), text, tuple(Photo(p) for p in photos))
    made = TurnRequest(thread_of(user_id), request_id, message)
    return dataclasses.replace(made, **changes)


def impacts(counts: Mapping[int, int], average_length: float) -> dict[int, float]:
    """The BM25 impacts of a text's terms, each worked out by itself."""
    slow = slowness(sum(counts.values()), average_length)
    return {term: impact(float(count), slow) for term, count in counts.items()}
