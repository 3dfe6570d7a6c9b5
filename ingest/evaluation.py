"""`ingest eval`: how well the product retrieves, on a test collection, by each half and fused.

The collection goes the way of every document, into a database of its own in the embedded
PostgreSQL, which is kept: the next run embeds only what is new.
"""

import shutil
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath
from statistics import quantiles
from urllib.parse import urlsplit

from ingest.app import Ingest, open_embedding_model, open_ingest
from ingest.collection import Collection, CollectionError, Question
from ingest.metrics import Evaluation, Measured, Quality, judge, mean
from ingest.report import SyncReport
from ingest.sources import make_source
from ingest.sync_session import sync_registered
from rich_agent.domain.text import counted
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.ports.upstreams import EmbeddingModel
from rich_agent.repositories.embedded import EmbeddedPostgres
from rich_agent.repositories.passages import PostgresPassages
from rich_agent.settings import Settings

_DEPTH = 10
_TEXTS_PER_CALL = 64


async def evaluate(directory: Path) -> Evaluation:
    """Store the collection in this directory, and ask its questions.

    Raises: CollectionError, SettingsError, DatabaseUnavailableError, UpstreamError.
    """
    settings = Settings.load()
    collection = Collection.load(directory)
    pages, ids = _write_pages(collection, settings.data_dir)
    with EmbeddedPostgres(settings.data_dir) as server:
        server.ensure_database(pages.name)
        scratch = {"database_url": server.url(pages.name), "rag_database_url": None}
        async with open_ingest(settings.model_copy(update=scratch), migrates=True) as ingest:
            await _store(ingest, pages)
            return await _ask(ingest, collection.questions, ids)


def _write_pages(collection: Collection, data_dir: Path) -> tuple[Path, dict[str, str]]:
    """The folder of the collection's documents, always the same, and their ids by file name."""
    path = str(collection.directory.resolve())
    pages = data_dir.resolve() / f"eval_{sha256(path.encode()).hexdigest()[:12]}"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    return pages, collection.write_pages(pages)


async def _store(ingest: Ingest, pages: Path) -> None:
    await ingest.sources.save(make_source(str(pages)))
    report: SyncReport = await sync_registered(ingest)
    if report.failures:
        first = report.failures[0]
        raise CollectionError(
            f"{counted(len(report.failures), 'document')} could not be stored; "
            f"{first.url}: {first.reason}",
            mend="Fix what the reason names, and run it again: finished work is kept.",
        )


async def _ask(ingest: Ingest, questions: Sequence[Question], ids: Mapping[str, str]) -> Evaluation:
    passages = PostgresPassages(ingest.pool, per_document=1)
    texts = [question.text for question in questions]
    ways: dict[str, Measured] = {}
    async with open_embedding_model(ingest.settings) as model:
        if model is not None:
            vectors = await _embed(model, texts)
            by_vector = [PassageQuery("", vector, _DEPTH) for vector in vectors]
            both = [
                PassageQuery(text, vector, _DEPTH)
                for text, vector in zip(texts, vectors, strict=True)
            ]
            ways["vectors"] = await _measure(passages, by_vector, questions, ids)
            ways["fused"] = await _measure(passages, both, questions, ids)
    by_words = [PassageQuery(text, None, _DEPTH) for text in texts]
    ways["BM25"] = await _measure(passages, by_words, questions, ids)
    (overview,) = await ingest.sources.overview()
    return Evaluation(
        documents=overview.documents,
        chunks=overview.chunks,
        questions=len(questions),
        model=ingest.settings.embedding_model,
        ways={way: ways[way] for way in ("vectors", "BM25", "fused") if way in ways},
    )


async def _embed(model: EmbeddingModel, texts: Sequence[str]) -> list[list[float]]:
    vectors: list[list[float]] = []
    for at in range(0, len(texts), _TEXTS_PER_CALL):
        vectors += await model.embed(texts[at : at + _TEXTS_PER_CALL])
    return vectors


async def _measure(
    passages: PostgresPassages,
    queries: Sequence[PassageQuery],
    questions: Sequence[Question],
    ids: Mapping[str, str],
) -> Measured:
    """Ask one question after the other; the first once more before, as connections open then."""
    await passages.search(queries[0])
    qualities: list[Quality] = []
    latencies: list[float] = []
    for query, question in zip(queries, questions, strict=True):
        started = time.perf_counter()
        found = await passages.search(query)
        latencies.append(1000 * (time.perf_counter() - started))
        ranking = [ids[PurePosixPath(urlsplit(one.source_url).path).name] for one in found]
        qualities.append(judge(ranking, question.grades))
    cuts = quantiles(latencies, n=20, method="inclusive") if len(latencies) > 1 else latencies * 19
    return Measured(mean(qualities), p50_ms=round(cuts[9], 2), p95_ms=round(cuts[18], 2))
