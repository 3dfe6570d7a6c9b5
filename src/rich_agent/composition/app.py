"""The composition root: implementations are chosen here, the repositories in `repositories.py`."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from rich_agent.composition.features import NO_FEATURES, OpenFeatures
from rich_agent.composition.model_server import (
    OpenModel,
    make_embedding_model,
    make_reranking,
    open_models,
)
from rich_agent.composition.repositories import Repositories
from rich_agent.composition.telegram_server import IMAGE_LIMITS
from rich_agent.composition.tools import (
    ToolUpstreams,
    make_file_index,
    make_file_reader,
    make_pages,
    make_tools,
    make_web_search,
)
from rich_agent.domain.access import UserTags
from rich_agent.domain.memory.items import LongTermMemory
from rich_agent.domain.message import Audience
from rich_agent.domain.model_role import ModelRole
from rich_agent.domain.model_speed import OptionalCalls
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.routing.plan_odds import PlanOdds
from rich_agent.domain.user_files import NewUserFile, UserFile
from rich_agent.errors import UpstreamError
from rich_agent.graph.build import build_graph
from rich_agent.graph.services import Limits, Services
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.knowledge import PassageQuery, Passages
from rich_agent.ports.user_files import FileRefusedError
from rich_agent.repositories.read_only import (
    no_decisions,
    read_only,
    read_only_memories,
    read_only_summaries,
)
from rich_agent.repositories.turns.strict_msgpack import require_strict_msgpack
from rich_agent.runs.service import UploadedFiles
from rich_agent.runtime.metering import Billing, UseObserver
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.turns.events import NodeEnded, ignore_node
from rich_agent.turns.idle import ErasureEverywhere, IdleConversations
from rich_agent.turns.rehearsal import Rehearsal
from rich_agent.turns.runner import GraphTurns, Tune
from rich_agent.upstreams.local_files import LocalImageFiles
from rich_agent.upstreams.models.chat import OpenAIChatModel, OpenAISummarizer
from rich_agent.upstreams.models.choosing import OpenAIChooser
from rich_agent.upstreams.models.form_sizes import schema_tokens
from rich_agent.upstreams.models.memory_extraction import OpenAIMemoryExtractor
from rich_agent.upstreams.models.planning import OpenAIPlanner
from rich_agent.upstreams.models.vision import OpenAIVisionModel
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.context_windows import ServerWindows
from rich_agent.upstreams.servers.tokenizer import ModelTokenizer, encoding_for

OnTrouble = Callable[[UpstreamError], Awaitable[bool]]
"""It learns of errors that may concern the admins; whether one of them was reached now."""


async def report_nothing(_error: UpstreamError) -> bool:
    """Report to nobody."""
    return False


@dataclass(frozen=True, slots=True)
class Observers:
    """The observers of each call of a model or a search, each node, and trouble.

    `checkpoint_size` gets the bytes of each checkpoint.
    """

    use: UseObserver | None = None
    node: Callable[[NodeEnded], None] = ignore_node
    trouble: OnTrouble = report_nothing
    checkpoint_size: Callable[[int], object] = lambda _size_bytes: None


NO_OBSERVERS = Observers()
_SILENCES = 5
"""Of a model in one turn, each as long as it may be: for a plan, the answer, a repair, tools."""


@asynccontextmanager
async def open_services(
    live: LiveSettings,
    repositories: Repositories,
    files: ImageFiles,
    on_trouble: OnTrouble = report_nothing,
    features: OpenFeatures = NO_FEATURES,
) -> AsyncIterator[Services]:
    """Everything that the graph's nodes use; `on_trouble` is told of what servers fail at.

    They have the settings that are in effect now; `make_tuning` gives them those of a later turn.

    Raises: SettingsError without a key.
    """
    settings = live.now
    async with AsyncExitStack() as stack:
        models = open_models(repositories.capabilities, _cache_tags(settings))
        access = await stack.enter_async_context(models)
        web = make_web_search(settings, features)
        own = UploadedFiles(repositories.uploads, files)
        tools = ToolUpstreams(web, make_reranking(settings, access))
        outside = _Upstreams(access, tools, own, features)
        services = _make_services(live, repositories, outside)
        answering = [access(settings.models.role("chat")), access(settings.models.role("planner"))]
        window = await _open_window(settings, answering)
        is_used = settings.models.speculation == "on"
        plan_odds = PlanOdds(is_used, settings.turn.domain.intent)
        yield replace(
            services,
            below_answer=features.parts.below_answer,
            recorded_turns=features.parts.recorded_turns,
            passage_seekers=features.parts.passages,
            session_leads=features.parts.session_leads,
            find_personas=features.find_personas,
            window=window,
            alarm=on_trouble,
            plan_odds=plan_odds,
            reranking=tools.reranking,
            optional_calls=_optional_calls(settings, access),
        )


def _cache_tags(settings: Settings) -> UserTags | None:
    """Other tags than those in the log; None without a secret."""
    token = settings.telegram.bot_token
    return UserTags(f"prompt-cache:{token.get_secret_value()}") if token else None


def _optional_calls(settings: Settings, access: OpenModel) -> OptionalCalls:
    """Decide on optional calls by the speed of the models' last calls."""
    planner, chat = (access(settings.models.role(name)) for name in ("planner", "chat"))
    return OptionalCalls(
        settings.models.optional_calls,
        planner.capabilities.speed.speed,
        chat.capabilities.speed.speed,
    )


@dataclass(frozen=True, slots=True)
class _Upstreams:
    """The resources that are opened and closed again: models, what tools reach, files, features."""

    access: Callable[[ModelRole], ModelAccess]
    tools: ToolUpstreams
    files: ImageFiles
    features: OpenFeatures


def _make_services(live: LiveSettings, repositories: Repositories, outside: _Upstreams) -> Services:
    settings = live.now
    access, models, knowledge = outside.access, settings.models, repositories.knowledge
    planner, embeddings = access(models.role("planner")), make_embedding_model(settings, access)
    return Services(
        schema_tokens=schema_tokens(),
        chat=OpenAIChatModel(access(models.role("chat"))),
        planner=OpenAIPlanner(planner),
        chooser=OpenAIChooser(planner),
        vision=OpenAIVisionModel(access(models.role("vision"))),
        extractor=OpenAIMemoryExtractor(planner),
        summarizer=OpenAISummarizer(planner),
        embeddings=embeddings,
        web=outside.tools.web,
        files=outside.files,
        memories=repositories.graph.memories,
        lessons=repositories.lessons,
        transcript=repositories.transcript,
        archive=repositories.graph.archive,
        erasure=ErasureEverywhere(repositories.erasure, make_idle(repositories)),
        passages=knowledge.passages,
        catalogue=knowledge.catalogue,
        spaces=repositories.spaces,
        summaries=repositories.image_summaries,
        image_answers=repositories.image_answers,
        decisions=repositories.decisions,
        clarifications=repositories.clarifications,
        approvals=repositories.approvals,
        tools=make_tools(live, repositories, embeddings, outside.tools, outside.features),
        user_files=knowledge.user_files,
        file_reader=make_file_reader(),
        file_index=make_file_index(settings, repositories, embeddings),
        pages=make_pages(settings.tools.link_private_hosts),
        approval_intents=frozenset(settings.access.approval_intents),
        domain=settings.turn.domain,
        limits=_limits(settings),
        now=lambda: datetime.now(UTC),
        count_tokens=ModelTokenizer(encoding_for(models.tokenizer, models.chat.model)),
    )


def without_effects(services: Services) -> Services:
    """The services, whose repositories read what is stored and write nothing."""
    return replace(
        services,
        memories=read_only_memories(services.memories),
        erasure=read_only(services.erasure, "turns"),
        transcript=read_only(services.transcript),
        summaries=read_only_summaries(services.summaries),
        image_answers=read_only(services.image_answers, "find"),
        decisions=no_decisions(services.decisions),
        clarifications=read_only(services.clarifications),
        approval_intents=frozenset(),
        tools=read_only(services.tools, "names", instead={"specs": _nothing, "words": tuple}),
        session_leads=(),
        below_answer=(),
        recorded_turns=(),
        passage_seekers=(),
        user_files=read_only(
            *(services.user_files, "find_same", "readable", "all_of", "find", "units"),
            instead={"store": _forgotten},
        ),
    )


async def _forgotten(_file: NewUserFile) -> UserFile:
    raise FileRefusedError("gone", "the file was forgotten since")


@asynccontextmanager
async def open_rehearsal(
    live: LiveSettings,
    repositories: Repositories,
    features: OpenFeatures,
    files: ImageFiles | None = None,
) -> AsyncIterator[Rehearsal]:
    """The whole bot for questions of no user; nothing is stored.

    Without `files` it reads images on this machine. Raises: SettingsError without a key.
    """
    images = files or LocalImageFiles(IMAGE_LIMITS.max_bytes)
    async with open_services(live, repositories, images, features=features) as services:
        yield Rehearsal(without_effects(services), live.now.prices)


def for_groups(services: Services) -> Services:
    """The services for questions in groups: they know nobody and leave no trace."""
    return replace(
        services,
        memories=read_only(services.memories, instead={"load": _no_memory}),
        lessons=read_only(services.lessons),
        transcript=read_only(services.transcript),
        archive=read_only(services.archive, instead={"awaiting": _nothing, "to_fold": _nothing}),
        erasure=read_only(services.erasure),
        decisions=no_decisions(services.decisions),
        clarifications=read_only(services.clarifications),
        tools=read_only(
            services.tools, instead={"specs": _nothing, "names": _nothing, "words": tuple}
        ),
        session_leads=(),
        passages=_without_private(services.passages),
        below_answer=(),
        recorded_turns=(),
        passage_seekers=(),
        user_files=read_only(
            services.user_files,
            instead=dict.fromkeys(("readable", "all_of", "find", "units"), _nothing),
        ),
    )


def _without_private(passages: Passages) -> Passages:
    async def search(query: PassageQuery) -> Sequence[Passage]:
        return await passages.search(replace(query, files=False))

    reads = ("names", "hold_word", "space")
    return read_only(passages, *reads, instead={"search": search})


async def _no_memory(_: object) -> LongTermMemory:
    return LongTermMemory()


async def _nothing(*_: object) -> Sequence[Any]:
    return ()


async def _open_window(
    settings: Settings, accesses: Sequence[ModelAccess]
) -> Callable[[], Awaitable[int | None]]:
    async def as_set() -> int | None:
        return settings.models.context_window

    if settings.models.context_window:
        for one in accesses:
            one.capabilities.window = settings.models.context_window
        return as_set
    windows = ServerWindows(accesses)
    await windows.smallest()  # now, so that no turn has to wait for it
    return windows.smallest


def make_tuning(live: LiveSettings) -> Tune:
    """Make what gives services the settings that are in effect as a turn begins."""
    limits = live.derived(_limits)

    def tune(services: Services, audience: Audience) -> Services:
        settings = live.now
        services.plan_odds.turn_to(settings.turn.domain.intent)
        is_without_web = audience != "user" and not settings.access.guest_web
        calls = replace(services.optional_calls, policy=settings.models.optional_calls)
        return replace(
            services,
            web=None if is_without_web else services.web,
            approval_intents=frozenset(settings.access.approval_intents),
            domain=settings.turn.domain,
            limits=limits(),
            optional_calls=calls,
        )

    return tune


def _limits(settings: Settings) -> Limits:
    return Limits(
        max_context_tokens=settings.models.max_context_tokens,
        recent_turns=settings.turn.recent_turns,
        model_budget_s=settings.models.budget_s,
        turn_s=Limits().answer_s + _SILENCES * settings.models.budget_s,
        retrieval=settings.turn.retrieval,
        images=IMAGE_LIMITS,
        scanned_pages=settings.documents.scanned_pages,
        links=settings.tools.links_per_message,
        checked_share=settings.turn.check_answers,
        check_s=settings.turn.check_answers_s,
    )


@asynccontextmanager
async def open_turns(
    live: LiveSettings,
    repositories: Repositories,
    files: ImageFiles,
    observers: Observers = NO_OBSERVERS,
    features: OpenFeatures = NO_FEATURES,
) -> AsyncIterator[GraphTurns]:
    """The agent: the graph on its checkpointer, with its services.

    Raises: SettingsError without a key.
    """
    require_strict_msgpack()
    checkpointer = repositories.graph.checkpointer
    checkpointer.on_stored = observers.checkpoint_size
    trouble = observers.trouble
    async with open_services(live, repositories, files, trouble, features) as services:
        yield GraphTurns(
            build_graph(checkpointer),
            services,
            checkpointer,
            billing=Billing(repositories.usage, live.allowance, observers.use),
            observe=observers.node,
            group_services=for_groups(services),
            tune=make_tuning(live),
        )


def make_idle(repositories: Repositories) -> IdleConversations:
    """Make the service that archives the running state of conversations."""
    graph = repositories.graph
    return IdleConversations(repositories.idle_threads, graph.archive, graph.checkpointer)
