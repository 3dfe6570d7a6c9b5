"""The composition root of the ingest command: settings → databases, reader, embedding model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from ingest.registry import PostgresSources
from ingest.vectors import VectorSpace
from rich_agent.logs import configure_logging
from rich_agent.ports import EmbeddingModel
from rich_agent.repositories.database import Pool
from rich_agent.settings import Settings
from rich_agent.storage import open_databases


@dataclass(frozen=True, slots=True)
class Ingest:
    """What every command uses; `space` is None with `EMBEDDING_MODEL=none`."""

    settings: Settings
    pool: Pool
    sources: PostgresSources
    space: VectorSpace | None


@asynccontextmanager
async def open_ingest() -> AsyncIterator[Ingest]:
    """The database of documents, as the settings say; an embedded one is made when it is missing.

    Raises: SettingsError, DatabaseUnavailableError, SchemaError.
    """
    settings = Settings.load()
    configure_logging(settings.log_format, "error")
    space = VectorSpace(settings.embedding_model, settings.embedding_dimensions)
    async with open_databases(settings) as databases:
        yield Ingest(
            settings=settings,
            pool=databases.rag,
            sources=PostgresSources(databases.rag),
            space=space if settings.uses_embeddings else None,
        )


@asynccontextmanager
async def open_embedding_model(settings: Settings) -> AsyncIterator[EmbeddingModel | None]:
    """The configured embedding model, None with `EMBEDDING_MODEL=none`.

    Raises: SettingsError without a key.
    """
    if not settings.uses_embeddings:
        yield None
        return
    # The client of the model takes a second to load, which most commands need not wait for.
    from rich_agent.app import make_embedding_model, open_models  # noqa: PLC0415 - see above

    async with open_models(settings) as models:
        yield make_embedding_model(settings, models)
