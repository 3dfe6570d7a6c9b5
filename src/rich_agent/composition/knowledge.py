"""The registered documents as programs and browsers read them; loaded at the first request."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from starlette.types import ASGIApp

from rich_agent.composition.model_server import make_embedding_model, make_reranking, open_models
from rich_agent.composition.repositories import Repositories
from rich_agent.errors import SettingsError
from rich_agent.feature.core import Documents
from rich_agent.ports.models import EmbeddingModel
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.reach import log_failure
from rich_agent.runtime.reranking import Reranking
from rich_agent.settings.settings import Settings
from rich_agent.web.passages import PassagePage
from rich_agent.web.routes import handled_by

_log = structlog.get_logger()


@asynccontextmanager
async def open_documents(
    settings: Settings, repositories: Repositories
) -> AsyncIterator[Documents]:
    """Open the documents; without a model for embeddings, they are searched by words."""
    async with open_models(repositories.capabilities) as access:
        embeddings: EmbeddingModel | None = None
        reranking: Reranking | None = None
        try:
            embeddings = make_embedding_model(settings, access)
            reranking = make_reranking(settings, access)
        except SettingsError as error:
            log_failure("web.searches_words_only", error)
        yield Documents(
            DocumentSearch(repositories.knowledge.passages, embeddings, reranking),
            repositories.knowledge.catalogue,
        )


@asynccontextmanager
async def open_passage_page(
    _settings: Settings, repositories: Repositories
) -> AsyncIterator[ASGIApp]:
    """The page of a passage."""
    yield handled_by(PassagePage(repositories.knowledge.catalogue).show)
