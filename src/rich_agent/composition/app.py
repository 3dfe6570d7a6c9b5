"""The composition root: implementations are chosen here, those of storage in `storage.py`."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime

from rich_agent.composition.model_server import make_embedding_model, open_models
from rich_agent.composition.storage import tags_of_forgotten
from rich_agent.composition.telegram_server import IMAGE_LIMITS
from rich_agent.graph.build import build_graph
from rich_agent.graph.services import Limits, Services
from rich_agent.ports.images import ImageFiles
from rich_agent.repositories.approvals import PostgresApprovals
from rich_agent.repositories.capabilities import PostgresCapabilities
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.image_answers import PostgresImageAnswers
from rich_agent.repositories.images import PostgresImageSummaries
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from rich_agent.repositories.lessons import PostgresLessons
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.turns.archive import PostgresArchive
from rich_agent.repositories.turns.checkpoints import make_checkpointer
from rich_agent.repositories.turns.clarifications import PostgresClarifications
from rich_agent.repositories.turns.decisions import PostgresDecisions
from rich_agent.repositories.turns.idle_threads import PostgresIdleThreads
from rich_agent.repositories.turns.strict_msgpack import require_strict_msgpack
from rich_agent.repositories.turns.transcript import PostgresTranscript
from rich_agent.repositories.usage import PostgresUsageLedger
from rich_agent.runtime.metering import Billing, UseObserver
from rich_agent.settings.settings import Settings
from rich_agent.turns.idle import IdleConversations
from rich_agent.turns.node_events import NodeEnded, unobserved
from rich_agent.turns.runner import GraphTurns
from rich_agent.upstreams.models.chat import OpenAIChatModel, OpenAISummarizer
from rich_agent.upstreams.models.choosing import OpenAIChooser
from rich_agent.upstreams.models.memory_extraction import OpenAIMemoryExtractor
from rich_agent.upstreams.models.planning import OpenAIPlanner
from rich_agent.upstreams.models.prompt_leaks import LeakProofChatModel, LeakProofPlanner
from rich_agent.upstreams.models.vision import OpenAIVisionModel
from rich_agent.upstreams.servers.access import ModelAccess
from rich_agent.upstreams.servers.context_windows import ServerWindows
from rich_agent.upstreams.servers.tokenizer import ModelTokenizer, encoding_for
from rich_agent.upstreams.web_search import TavilyWebSearch


@asynccontextmanager
async def open_services(
    settings: Settings, databases: Databases, files: ImageFiles
) -> AsyncIterator[Services]:
    """Everything that the graph's nodes use.

    Raises: SettingsError without a key.
    """
    async with AsyncExitStack() as stack:
        access = await stack.enter_async_context(open_models(PostgresCapabilities(databases.app)))
        chat, planner = access(settings.role("chat")), access(settings.role("planner"))
        yield Services(
            chat=LeakProofChatModel(OpenAIChatModel(chat)),
            planner=LeakProofPlanner(OpenAIPlanner(planner)),
            chooser=OpenAIChooser(planner),
            vision=OpenAIVisionModel(access(settings.role("vision"))),
            extractor=OpenAIMemoryExtractor(planner),
            summarizer=OpenAISummarizer(planner),
            embeddings=make_embedding_model(settings, access),
            web=await _open_web_search(settings, stack),
            files=files,
            memories=PostgresMemories(databases.app),
            lessons=PostgresLessons(databases.app),
            transcript=PostgresTranscript(databases.app),
            archive=PostgresArchive(databases.app),
            erasure=PostgresErasure(databases),
            passages=PostgresPassages(databases.rag),
            catalogue=PostgresSourceCatalogue(databases.rag),
            summaries=PostgresImageSummaries(databases.rag, databases.app),
            image_answers=PostgresImageAnswers(databases.rag, databases.app),
            decisions=PostgresDecisions(databases.rag, databases.app),
            clarifications=make_clarifications(settings, databases),
            approvals=PostgresApprovals(databases.app),
            approval_intents=frozenset(settings.approval_intents),
            domain=settings.domain,
            window=await _open_window(settings, [chat, planner]),
            limits=_limits(settings),
            now=lambda: datetime.now(UTC),
            count_tokens=ModelTokenizer(encoding_for(settings.tokenizer, settings.chat_model)),
        )


def make_clarifications(settings: Settings, databases: Databases) -> PostgresClarifications:
    """The questions that the bot asked back, as long as the settings let them wait."""
    return PostgresClarifications(databases.app, settings.question_expires_h * 3600)


def make_idle_conversations(databases: Databases) -> IdleConversations:
    """What puts the running state of silent conversations away."""
    app = databases.app
    return IdleConversations(PostgresIdleThreads(app), PostgresArchive(app), make_checkpointer(app))


async def _open_web_search(settings: Settings, stack: AsyncExitStack) -> TavilyWebSearch | None:
    if settings.tavily_api_key is None:
        return None
    key = settings.tavily_api_key.get_secret_value()
    return await stack.enter_async_context(TavilyWebSearch(key, settings.tavily_base_url))


async def _open_window(
    settings: Settings, accesses: Sequence[ModelAccess]
) -> Callable[[], Awaitable[int | None]]:
    async def as_set() -> int | None:
        return settings.context_window

    if settings.context_window:
        return as_set
    windows = ServerWindows(accesses)
    await windows.smallest()  # now, so that no turn has to wait for it
    return windows.smallest


def _limits(settings: Settings) -> Limits:
    return Limits(
        max_context_tokens=settings.max_context_tokens,
        recent_turns=settings.recent_turns,
        model_budget_s=settings.model_budget_s,
        retrieval=settings.retrieval,
        images=IMAGE_LIMITS,
    )


@asynccontextmanager
async def open_turns(
    settings: Settings,
    databases: Databases,
    files: ImageFiles,
    use: UseObserver | None = None,
    observe_node: Callable[[NodeEnded], None] = unobserved,
) -> AsyncIterator[GraphTurns]:
    """The agent: the graph on its checkpointer, with its services.

    `use` is told of every call of a model or a search, `observe_node` of every node.

    Raises: SettingsError without a key.
    """
    require_strict_msgpack()
    checkpointer = make_checkpointer(databases.app)
    ledger = PostgresUsageLedger(databases.app, tags_of_forgotten(settings))
    async with open_services(settings, databases, files) as services:
        yield GraphTurns(
            build_graph(checkpointer),
            services,
            checkpointer,
            billing=Billing(ledger, settings.allowance, use),
            observe=observe_node,
        )
