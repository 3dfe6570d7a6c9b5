"""The model server as the settings say; loads neither the graph nor a chat model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import openai

from rich_agent.settings import Settings
from rich_agent.upstreams.access import ModelAccess
from rich_agent.upstreams.embeddings import OpenAIEmbeddingModel


@asynccontextmanager
async def open_models(settings: Settings) -> AsyncIterator[ModelAccess]:
    """How the model server is reached, over connections that all models share.

    Raises: SettingsError without a key.
    """
    api_key = settings.require_api_key()
    async with openai.DefaultAsyncHttpxClient() as http:
        yield ModelAccess(settings.openai_base_url, api_key, http, settings.model_timeout_s)


def make_embedding_model(settings: Settings, models: ModelAccess) -> OpenAIEmbeddingModel | None:
    """The configured embedding model, None with `EMBEDDING_MODEL=none`."""
    if not settings.uses_embeddings:
        return None
    return OpenAIEmbeddingModel(
        models, settings.embedding_model, dimensions=settings.embedding_dimensions
    )
