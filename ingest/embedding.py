"""`ingest embed`: makes the vectors that a sync left to the running bot."""

import asyncio

from ingest.app import Ingest, keep_space, open_embedding_model, open_ingest
from ingest.terminal_progress import open_progress
from rich_agent.documents.index.filling import VectorFilling
from rich_agent.domain.retrieval.passage import VectorProgress, VectorSpace
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.knowledge.vector_search import read_progress

_LOOK_S = 2.0


async def embed_now() -> VectorProgress:
    """Make all missing vectors, and return what there is then.

    Raises: SettingsError, DatabaseUnavailableError, UpstreamError.
    """
    async with open_ingest() as ingest:
        return await embed_missing(ingest)


async def embed_missing(ingest: Ingest) -> VectorProgress:
    """As `embed_now`; nothing if a server makes the vectors, because a sync does it then."""
    if ingest.settings.models.embedding.local is None:
        return VectorProgress(0, 0, 0)
    await keep_space(ingest.settings, ingest.pool)
    async with open_embedding_model(ingest.settings) as model:
        return await _embed(ingest, model) if model else VectorProgress(0, 0, 0)


async def _embed(ingest: Ingest, model: EmbeddingModel) -> VectorProgress:
    """Work, or wait for another process that does, until nothing is missing."""
    filling = VectorFilling(ingest.pool, model)
    space = VectorSpace(model.name, model.dimensions)
    try:
        with open_progress() as progress:
            state = await read_progress(ingest.pool, space)
            progress.begin("vectors", state.missing, "chunk")
            progress.expect(state.missing)
            while True:
                made = await filling.fill()
                progress.advance(documents=made, chunks=made)
                if made:
                    continue
                state = await read_progress(ingest.pool, space)
                if not state.missing:
                    return state
                progress.say("another process makes the vectors now")
                await asyncio.sleep(_LOOK_S)
    finally:
        await filling.release()
