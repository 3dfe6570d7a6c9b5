"""The model servers as the settings say; loads neither the graph nor a chat model."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import openai

from rich_agent.model_role import ModelRole
from rich_agent.settings import Settings
from rich_agent.upstreams.access import ModelAccess
from rich_agent.upstreams.embeddings import OpenAIEmbeddingModel

OpenModel = Callable[[ModelRole], ModelAccess]


@asynccontextmanager
async def open_models() -> AsyncIterator[OpenModel]:
    """How the model of a role is reached, over connections that all models share."""
    async with openai.DefaultAsyncHttpxClient() as http:
        yield lambda role: ModelAccess(role, http)


def make_embedding_model(settings: Settings, access: OpenModel) -> OpenAIEmbeddingModel | None:
    """The configured embedding model, None with `EMBEDDING_MODEL=none`.

    Raises: SettingsError without a key.
    """
    if not settings.uses_embeddings:
        return None
    return OpenAIEmbeddingModel(
        access(settings.role("embedding")), dimensions=settings.embedding_dimensions
    )
