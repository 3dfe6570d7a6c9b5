"""The composition root of `ingest`: opens databases, models and rerankers by the settings."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from ingest.sync.scans import PageReading
from rich_agent.composition.connections import make_source_registration
from rich_agent.composition.live_settings import load_live_settings
from rich_agent.composition.storage import locate_databases, open_databases
from rich_agent.documents.extract.pdf.ocr import OcrUnavailableError, find_ocr
from rich_agent.documents.registry.registration import SourceRegistration
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.domain.retrieval.local_models import is_local
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import UnfitServerError
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Databases, Pool
from rich_agent.repositories.setting_changes import PostgresSettingChanges
from rich_agent.runtime.logs import configure_logging
from rich_agent.runtime.reranking import Reranking
from rich_agent.settings.settings import Settings

# A sync holds its locks on one connection, stores on another, and reads on a third.
_CONNECTIONS = 4


@dataclass(frozen=True, slots=True)
class Ingest:
    """The resources that all commands use.

    `space` is the vector space of the configured model, None with `EMBEDDING_MODEL=none`.
    """

    settings: Settings
    databases: Databases
    sources: PostgresSources
    space: VectorSpace | None

    @property
    def pool(self) -> Pool:
        """The database of documents."""
        return self.databases.rag


@asynccontextmanager
async def open_ingest(
    settings: Settings | None = None, *, migrates: bool = False
) -> AsyncIterator[Ingest]:
    """Open the databases; create an embedded one if it is missing.

    Without `settings`, the settings are read from the environment. With `migrates`, tables are also
    created in a database that has a URL.

    Raises: SettingsError, DatabaseUnavailableError, SchemaError, UnfitServerError.
    """
    settings = settings or Settings.load()
    settings.forget_secrets()
    configure_logging(settings.logs.format, "error", settings.secrets)
    storage, embedding = settings.storage, settings.models.embedding
    if migrates and storage.database_url:
        with locate_databases(settings) as urls:
            await asyncio.to_thread(urls.migrate)
    ingest_settings = settings.with_changes(
        "storage",
        database_pool_size=max(settings.pool_size, _CONNECTIONS),
        # Locks and settings of a sync last for many statements.
        database_url=storage.database_direct_url or storage.database_url,
    )
    async with open_databases(ingest_settings) as databases:
        if not databases.rag.keeps_sessions:
            raise UnfitServerError(
                "a pooler in transaction mode stands before the documents' database, where the "
                "locks of a sync do not last",
                hint="For `ingest`, let RAG_DATABASE_URL lead to PostgreSQL itself.",
            )
        changes = PostgresSettingChanges(databases.app)
        yield Ingest(
            settings=(await load_live_settings(settings, changes)).now,
            databases=databases,
            sources=PostgresSources(databases.rag),
            space=embedding.vector_space if embedding.is_used else None,
        )


def registration_of(ingest: Ingest) -> SourceRegistration:
    """The registration of sources in these databases."""
    return make_source_registration(ingest.settings, ingest.databases)


async def keep_space(settings: Settings, pool: Pool) -> None:
    """Have a model that nobody named make no vectors beside those of a server.

    Raises: SettingsError without the key of that server.
    """
    embedding = settings.models.embedding
    if embedding.local is None or "model" in embedding.model_fields_set:
        return
    # Searching takes long to load, and most commands do not search.
    from rich_agent.repositories.knowledge.passages import PostgresPassages  # noqa: PLC0415 - see above

    space = await PostgresPassages(pool).space()
    if space and not is_local(space):
        settings.models.require_api_key()


@asynccontextmanager
async def open_embedding_model(settings: Settings) -> AsyncIterator[EmbeddingModel | None]:
    """Open the configured embedding model; None with `EMBEDDING_MODEL=none`.

    Raises: SettingsError without a key.
    """
    if not settings.models.embedding.is_used:
        yield None
        return
    # The model's client takes a second to load, and most commands do not need it.
    from rich_agent.composition.model_server import make_embedding_model, open_models  # noqa: PLC0415 - see above

    async with open_models() as access:
        yield make_embedding_model(settings, access)


@asynccontextmanager
async def open_page_reading(settings: Settings) -> AsyncIterator[PageReading]:
    """Open what reads pages without text; no vision model with `INGEST_SCANNED_PAGES=0`.

    Raises: SettingsError without a key.
    """
    reading = _without_model(settings)
    most_pages = settings.documents.sync_scanned_pages
    if not most_pages:
        yield reading
        return
    # Models that chat take a second to load.
    from rich_agent.composition.model_server import open_models  # noqa: PLC0415 - see above
    from rich_agent.upstreams.models.vision import OpenAIVisionModel  # noqa: PLC0415 - see above

    async with open_models() as access:
        vision = OpenAIVisionModel(access(settings.models.role("vision")))
        yield replace(reading, vision=vision, most_pages=most_pages)


def _without_model(settings: Settings) -> PageReading:
    """OCR, or the reason why there is none."""
    try:
        return PageReading(ocr=find_ocr(settings.documents.ocr_languages))
    except OcrUnavailableError as error:
        return PageReading(no_ocr=str(error))


@asynccontextmanager
async def open_reranking(settings: Settings) -> AsyncIterator[Reranking | None]:
    """Open the configured reranker; None without RERANK_MODEL. Raises: SettingsError."""
    if settings.models.rerank.model is None:
        yield None
        return
    from rich_agent.composition.model_server import make_reranking, open_models  # noqa: PLC0415 - as above

    async with open_models() as access:
        yield make_reranking(settings, access)
