"""Access of other programs to the documents; loaded when the first of them asks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from starlette.types import ASGIApp

from rich_agent.composition.model_server import make_embedding_model, make_reranking, open_models
from rich_agent.composition.repositories import Repositories
from rich_agent.errors import SettingsError
from rich_agent.ports.models import EmbeddingModel
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.metering import Billing
from rich_agent.runtime.reranking import Reranking
from rich_agent.settings.settings import Settings
from rich_agent.web.addresses import PassageAddresses
from rich_agent.web.chat.suggestions import SuggestedQuestions
from rich_agent.web.knowledge import Knowledge, PassagePage
from rich_agent.web.mcp_server import McpEndpoint
from rich_agent.web.routes import handled_by

_log = structlog.get_logger()


@asynccontextmanager
async def open_mcp_server(settings: Settings, repositories: Repositories) -> AsyncIterator[ASGIApp]:
    """The MCP server, with an embedding model of its own."""
    async with open_models(repositories.capabilities) as access:
        embeddings: EmbeddingModel | None = None
        reranking: Reranking | None = None
        try:
            embeddings = make_embedding_model(settings, access)
            reranking = make_reranking(settings, access)
        except SettingsError as error:
            _log.warning("web.searches_words_only", error=str(error))
        knowledge = Knowledge(
            DocumentSearch(repositories.knowledge.passages, embeddings, reranking),
            repositories.knowledge.catalogue,
            Billing(repositories.usage, settings.allowance, turn_tokens=0),
            PassageAddresses(settings.web.public_address),
        )
        yield McpEndpoint(knowledge)


@asynccontextmanager
async def open_passage_page(
    _settings: Settings, repositories: Repositories
) -> AsyncIterator[ASGIApp]:
    """The page of a passage."""
    yield handled_by(PassagePage(repositories.knowledge.catalogue).show)


@asynccontextmanager
async def open_suggestions(
    _settings: Settings, repositories: Repositories
) -> AsyncIterator[ASGIApp]:
    """The questions that the web chat offers."""
    yield handled_by(SuggestedQuestions(repositories.knowledge.catalogue).list)
