"""`ingest search`: finds the passages that the bot would find."""

from collections.abc import Sequence

from ingest.app import open_embedding_model, open_ingest, open_reranking
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.rights import OPERATOR
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.knowledge.passages import PostgresPassages


async def search_documents(query: str, limit: int, sources: Sequence[str]) -> list[Passage]:
    """The passages that the bot would find, in all active sources or in the named `sources`.

    Raises: SettingsError without a key, SourceError if there is no such source, UpstreamError.
    """
    async with (
        open_ingest() as ingest,
        open_embedding_model(ingest.settings) as model,
        open_reranking(ingest.settings) as reranking,
    ):
        source_ids = [(await ingest.sources.find(word)).id for word in sources]
        passages = PostgresPassages(ingest.pool)
        space = await passages.space() if model else None
        embedding = (await model.in_space(space).embed([query]))[0] if model and space else None
        passage_query = PassageQuery(
            query,
            embedding,
            limit,
            source_ids=tuple(source_ids) or None,
            reordering=reranking.of(query) if reranking else None,
            reader=OPERATOR,
        )
        return await passages.search(passage_query)
