"""The models of the settings, but for those that chat; loads neither these nor the graph."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache

import httpx2
import openai

from rich_agent.domain.access import UserTags
from rich_agent.domain.model_role import ModelRole
from rich_agent.domain.retrieval.local_models import is_local, local_model_of
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import SettingsError
from rich_agent.ports.models import CapabilityStore, EmbeddingModel
from rich_agent.runtime.reranking import Reranking
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.local_embeddings.model import (
    AbsentModel,
    LocalEmbeddingModel,
    LocalProcesses,
    ModelOfSpaces,
)
from rich_agent.upstreams.models.embeddings import OpenAIEmbeddingModel
from rich_agent.upstreams.models.reranking import RerankServer
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities, ModelAccess

TIMEOUT_S = 15.0
IDLE_S = 4.0
"""How long an unused connection is kept. uvicorn, which serves vLLM and many others, closes one
after 5 s, and a request that meets the closing is lost. Source: uvicorn, `timeout_keep_alive`.
"""
OpenModel = Callable[[ModelRole], ModelAccess]


@asynccontextmanager
async def open_models(
    store: CapabilityStore | None = None, cache_tags: UserTags | None = None
) -> AsyncIterator[OpenModel]:
    """Open the connections that all models share; yield the function that reaches a role's model.

    What is learned of a model counts for all of its roles, and is kept in `store`. `cache_tags`:
    see `ModelAccess`.
    """
    capabilities: dict[tuple[str, str], LearnedCapabilities] = {}
    limits = httpx2.Limits(
        max_connections=openai.DEFAULT_CONNECTION_LIMITS.max_connections,
        max_keepalive_connections=openai.DEFAULT_CONNECTION_LIMITS.max_keepalive_connections,
        keepalive_expiry=IDLE_S,
    )
    async with openai.DefaultAsyncHttpxClient(limits=limits) as http:

        def access(role: ModelRole) -> ModelAccess:
            key = role.server, role.model
            of_model = capabilities.setdefault(key, LearnedCapabilities(*key, store))
            return ModelAccess(role, http, of_model, cache_tags)

        yield access


def make_embedding_model(settings: Settings, access: OpenModel) -> EmbeddingModel | None:
    """The configured embedding model, None with `EMBEDDING_MODEL=none`.

    Raises: SettingsError without a key, if a server makes the vectors.
    """
    embedding = settings.models.embedding
    if not embedding.is_used:
        return None

    def of_server() -> OpenAIEmbeddingModel:
        role = access(settings.models.role("embedding"))
        return OpenAIEmbeddingModel(role, embedding.vector_space, embedding.prefixes)

    # Once for each space, because a model on this machine keeps processes.
    @cache
    def earlier(space: VectorSpace) -> EmbeddingModel:
        if is_local(space):
            local = local_model_of(space)
            return LocalEmbeddingModel(LocalProcesses(local)) if local else AbsentModel(space)
        try:
            return of_server().in_space(space)
        except SettingsError:
            return AbsentModel(space)

    return ModelOfSpaces(make_local_model(settings) or of_server(), earlier)


def make_local_model(settings: Settings) -> EmbeddingModel | None:
    """The configured embedding model if it runs on this machine."""
    local = settings.models.embedding.local
    return LocalEmbeddingModel(LocalProcesses(local)) if local else None


def make_reranking(settings: Settings, access: OpenModel) -> Reranking | None:
    """Make the reranking of searches, None without RERANK_MODEL. Raises: SettingsError."""
    rerank = settings.models.rerank
    if rerank.model is None:
        return None
    if not rerank.is_by_planner:
        server = RerankServer(access(settings.models.role("rerank")))
        return Reranking(server, rerank.waits_s, rerank.candidates)
    # Models that chat take a second to load.
    from rich_agent.upstreams.models.choosing import RankingByModel  # noqa: PLC0415 - see above

    by_planner = RankingByModel(access(settings.models.role("planner")))
    return Reranking(by_planner, rerank.waits_s, rerank.candidates)


def open_client(base_url: str, api_key: str) -> openai.AsyncOpenAI:
    """A client for questions about models: it gives up soon, and asks once."""
    return openai.AsyncOpenAI(base_url=base_url, api_key=api_key, max_retries=0, timeout=TIMEOUT_S)
