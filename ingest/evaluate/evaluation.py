"""`ingest eval`: measures retrieval on a test collection, by words, by vectors, and by both.

The collection is ingested like other documents, into a separate database of the embedded
PostgreSQL. If that database is kept, the next run embeds only new text.
"""

import shutil
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from hashlib import sha256
from math import log2
from pathlib import Path, PurePosixPath
from statistics import fmean, quantiles
from typing import Any
from urllib.parse import urlsplit

from ingest.app import Ingest, open_embedding_model, open_ingest, open_reranking
from ingest.embedding import embed_missing
from ingest.evaluate.collection import Collection, CollectionError, EvalQuestion
from ingest.sync.report import SyncReport
from ingest.sync_command import sync_active_sources
from ingest.terminal_progress import open_progress
from rich_agent.documents.index.embedding import Embedder
from rich_agent.documents.source import make_source
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.rights import OPERATOR
from rich_agent.domain.text import counted
from rich_agent.errors import UpstreamError
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.embedded import EmbeddedPostgres
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.runtime.reranking import Reranking
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import out, show_table


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over questions, each from 0 to 1.

    `ndcg` is nDCG@10, `mrr` the reciprocal rank within 10.
    """

    ndcg: float
    recall_5: float
    recall_10: float
    mrr: float


@dataclass(frozen=True, slots=True)
class Measured:
    """The quality of one way of searching, and its latency in milliseconds without embedding."""

    quality: Quality
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class BotRetrieval:
    """The passages that the bot would get for the questions.

    `passages`: the maximum number of passages for a question.
    `documents`: the share of the answering documents that are among the passages.
    `answers`: the share of wanted words that are in the passages, None if the collection has none.
    `characters`: the average number of characters for a question.
    """

    passages: int
    documents: float
    answers: float | None
    characters: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results for each way of searching ("vectors", "BM25", "fused") and for the bot.

    With a reranker, "reranked 20" is "fused" with 20 candidates reordered by the reranker.
    """

    documents: int
    chunks: int
    questions: int
    model: str
    ways: Mapping[str, Measured]
    bot: BotRetrieval

    def to_json(self) -> dict[str, Any]:
        """The evaluation as `ingest eval --json` prints it."""
        return asdict(self)


def judge(ranking: Sequence[str], grades: Mapping[str, float]) -> Quality:
    """Judge a ranking of distinct document ids, best first.

    Gains are the grades, discounted by the logarithm of the rank. Source: Järvelin and Kekäläinen,
    Cumulated gain-based evaluation of IR techniques, 2002.
    """
    gains = [grades.get(document_id, 0.0) for document_id in ranking[:_DEPTH]]
    ideal_gains = sorted(grades.values(), reverse=True)[:_DEPTH]
    first_rank = next((rank for rank, grade in enumerate(gains, start=1) if grade > 0), None)
    return Quality(
        ndcg=_gain(gains) / _gain(ideal_gains),
        recall_5=sum(grade > 0 for grade in gains[:5]) / len(grades),
        recall_10=sum(grade > 0 for grade in gains) / len(grades),
        mrr=1 / first_rank if first_rank else 0.0,
    )


def mean(qualities: Sequence[Quality]) -> Quality:
    """The mean of at least one quality."""
    quality_count = len(qualities)
    return Quality(
        ndcg=sum(quality.ndcg for quality in qualities) / quality_count,
        recall_5=sum(quality.recall_5 for quality in qualities) / quality_count,
        recall_10=sum(quality.recall_10 for quality in qualities) / quality_count,
        mrr=sum(quality.mrr for quality in qualities) / quality_count,
    )


def _gain(grades: Sequence[float]) -> float:
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, start=1))


_DEPTH = 10
_CANDIDATES = (20, 50, 100)
_RERANK_S = 60.0


async def evaluate(directory: Path, *, keep: bool = True) -> Evaluation:
    """Store the collection and ask its questions; delete its database unless `keep` is set.

    Raises: CollectionError, SettingsError, DatabaseUnavailableError, UpstreamError.
    """
    settings = Settings.load()
    collection = Collection.load(directory)
    pages, ids = _write_pages(collection, settings.storage.data_dir)
    with EmbeddedPostgres(settings.storage.data_dir) as server:
        server.ensure_database(pages.name)
        url = server.url(pages.name)
        eval_settings = settings.with_changes("storage", database_url=url, rag_database_url=None)
        try:
            async with open_ingest(eval_settings, migrates=True) as ingest:
                await _store(ingest, pages)
                return await _ask(ingest, collection.questions, ids)
        finally:
            if not keep:
                server.drop_database(pages.name)
                shutil.rmtree(pages)


def show_evaluation(evaluation: Evaluation) -> None:
    """Print quality and latency of each way of searching."""
    out(
        f"{counted(evaluation.documents, 'document')}, {counted(evaluation.chunks, 'chunk')}, "
        f"{counted(evaluation.questions, 'question')}; embedding model: {evaluation.model}"
    )
    columns = ["", "nDCG@10", "recall@5", "recall@10", "MRR@10", "p50 ms", "p95 ms"]
    rows = [
        [
            way,
            *(f"{value:.3f}" for value in astuple(measures.quality)),
            *(f"{value:.1f}" for value in (measures.p50_ms, measures.p95_ms)),
        ]
        for way, measures in evaluation.ways.items()
    ]
    show_table(columns, rows)
    retrieval = evaluation.bot
    answers_clause = (
        "" if retrieval.answers is None else f", {retrieval.answers:.3f} of the wanted words"
    )
    out(
        f"{counted(retrieval.passages, 'passage')} for the bot: "
        f"{retrieval.documents:.3f} of the documents{answers_clause}; "
        f"{counted(retrieval.characters, 'character')}"
    )


def _write_pages(collection: Collection, data_dir: Path) -> tuple[Path, dict[str, str]]:
    """Write the collection's documents; return their folder, and the ids by folder name.

    The folder is always the same for a collection.
    """
    path = str(collection.directory.resolve())
    pages_folder = data_dir.resolve() / f"eval_{sha256(path.encode()).hexdigest()[:12]}"
    shutil.rmtree(pages_folder, ignore_errors=True)
    pages_folder.mkdir(parents=True)
    return pages_folder, collection.write_texts(pages_folder)


async def _store(ingest: Ingest, pages: Path) -> None:
    await ingest.sources.save(make_source(str(pages)))
    report: SyncReport = await sync_active_sources(ingest)
    await embed_missing(ingest)
    if report.failures:
        first_failure = report.failures[0]
        raise CollectionError(
            f"{counted(len(report.failures), 'document')} could not be stored; "
            f"{first_failure.url}: {first_failure.reason}",
            hint="Fix what the reason names, and run it again: finished work is kept.",
        )


async def _ask(
    ingest: Ingest, questions: Sequence[EvalQuestion], ids: Mapping[str, str]
) -> Evaluation:
    question_set = _QuestionSet(PostgresPassages(ingest.pool), questions, ids)
    texts = [question.text for question in questions]
    word_queries = [PassageQuery(text, None, _DEPTH, reader=OPERATOR) for text in texts]
    combined_queries: list[PassageQuery] = []
    ways: dict[str, Measured] = {}
    async with open_embedding_model(ingest.settings) as model:
        vectors = await _embed(model, texts) if model is not None else []
    if vectors:
        vector_queries = [PassageQuery("", vector, _DEPTH, reader=OPERATOR) for vector in vectors]
        combined_queries = [
            replace(query, embedding=vector)
            for query, vector in zip(word_queries, vectors, strict=True)
        ]
        ways["vectors"] = await question_set.measure(vector_queries)
    ways["BM25"] = await question_set.measure(word_queries)
    if combined_queries:
        ways["fused"] = await question_set.measure(combined_queries)
    queries = combined_queries or word_queries
    async with open_reranking(ingest.settings) as reranking:
        for candidate_count in _CANDIDATES if reranking else ():
            reranked_queries = _with_reranking(
                queries, reranking and replace(reranking, candidates=candidate_count)
            )
            ways[f"reranked {candidate_count}"] = await question_set.measure(reranked_queries)
        passage_limit = ingest.settings.turn.retrieval.passages
        bot_retrieval = await question_set.read(_with_reranking(queries, reranking), passage_limit)
    (overview,) = await ingest.sources.overview()
    return Evaluation(
        documents=overview.documents,
        chunks=overview.chunks,
        questions=len(questions),
        model=ingest.settings.models.embedding.model,
        ways=ways,
        bot=bot_retrieval,
    )


def _with_reranking(
    queries: Sequence[PassageQuery], reranking: Reranking | None
) -> Sequence[PassageQuery]:
    """The queries with a reordering by the reranker, or unchanged without one.

    A failure of the reranker is raised, because the unchanged order would be measured as its own.
    """
    if reranking is None:
        return queries
    patient_reranking = replace(reranking, timeout_s=_RERANK_S)
    return [replace(query, reordering=patient_reranking.of(query.text, _fail)) for query in queries]


def _fail(error: UpstreamError) -> None:
    raise error


async def _embed(model: EmbeddingModel, texts: Sequence[str]) -> list[list[float]]:
    with open_progress() as progress:
        progress.begin("questions", len(texts), "question")
        progress.expect(len(set(texts)))

        def note_progress(text_count: int, tokens: int) -> None:
            progress.advance(documents=text_count, chunks=text_count, tokens=tokens)

        result = await Embedder(model, note_progress).embed({text: text for text in texts})
    if result.failed:
        raise CollectionError(
            f"a question could not be embedded: {next(iter(result.failed.values()))}"
        )
    return [result.vectors[text].to_list() for text in texts]


@dataclass(frozen=True, slots=True)
class _QuestionSet:
    """The questions, and the ids of the documents by folder name."""

    passages: PostgresPassages
    questions: Sequence[EvalQuestion]
    ids: Mapping[str, str]

    async def measure(self, queries: Sequence[PassageQuery]) -> Measured:
        """Ask the questions one by one.

        The first is asked once more beforehand, to open connections.
        """
        await self.passages.rank(queries[0])
        qualities: list[Quality] = []
        latencies_ms: list[float] = []
        for query, question in zip(queries, self.questions, strict=True):
            start = time.perf_counter()
            candidates = await self.passages.rank(query)
            latencies_ms.append(1000 * (time.perf_counter() - start))
            ranking = dict.fromkeys(self._id(candidate.passage) for candidate in candidates)
            qualities.append(judge(list(ranking), question.grades))
        percentiles_ms = (
            quantiles(latencies_ms, n=20, method="inclusive")
            if len(latencies_ms) > 1
            else latencies_ms * 19
        )
        return Measured(
            mean(qualities), p50_ms=round(percentiles_ms[9], 2), p95_ms=round(percentiles_ms[18], 2)
        )

    async def read(self, queries: Sequence[PassageQuery], limit: int) -> BotRetrieval:
        """The passages that the bot would answer from, at most `limit` for each question."""
        document_shares: list[float] = []
        answer_shares: list[float] = []
        character_count = 0
        for query, question in zip(queries, self.questions, strict=True):
            passages = await self.passages.search(replace(query, limit=limit))
            texts_by_id: dict[str, list[str]] = defaultdict(list)
            for passage in passages:
                texts_by_id[self._id(passage)].append(_fold_spaces(passage.content))
            character_count += sum(len(passage.content) for passage in passages)
            document_shares.append(
                fmean(document_id in texts_by_id for document_id in question.grades)
            )
            answer_shares += [
                any(_fold_spaces(words) in text for text in texts_by_id[document_id])
                for document_id, words in question.wanted.items()
            ]
        return BotRetrieval(
            passages=limit,
            documents=fmean(document_shares),
            answers=fmean(answer_shares) if answer_shares else None,
            characters=round(character_count / len(queries)),
        )

    def _id(self, passage: Passage) -> str:
        return self.ids[PurePosixPath(urlsplit(passage.source_url).path).parent.name]


def _fold_spaces(text: str) -> str:
    return " ".join(text.split())
