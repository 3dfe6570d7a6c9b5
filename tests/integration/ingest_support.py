"""Helpers for tests of ingestion: a site whose pages a test sets, and a library kept in sync."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import openai
import stamina
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ingest.sync.dry_run import DryRun
from ingest.sync.report import SyncReport
from ingest.sync.scans import PageReading
from ingest.sync.sync import Sync, SyncTools
from rich_agent.documents.fetch.fetching import FetchOptions
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.registry.sources import PostgresSources
from rich_agent.documents.source import Source, make_source
from rich_agent.domain.intranet import Intranet
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.ports.models import EmbeddingModel
from rich_agent.repositories.database.pools import Databases, Pool, checkout
from rich_agent.upstreams.models.embeddings import OpenAIEmbeddingModel
from tests import make
from tests.integration.sandbox_openai.serving import served

MODEL = "sandbox-embedding"
FETCHING = FetchOptions(attempts=1, gone_wait_s=0, intranet=Intranet.parse(["127.0.0.1"]))


@dataclass(slots=True)
class Site:
    """Pages by path, as (status, Markdown); any other path is a 404."""

    url: str = ""
    pages: dict[str, tuple[int, str]] = field(default_factory=dict)
    requests: int = 0

    def publish(self, path: str, text: str, status: int = 200) -> str:
        """Serve this from now on; the address."""
        self.pages[path] = (status, text)
        return f"{self.url}{path}"

    async def answer(self, request: Request) -> Response:
        """The page asked for."""
        self.requests += 1
        status, text = self.pages.get(request.url.path, (404, "gone"))
        return Response(text, status, media_type="text/markdown")


@contextmanager
def serve_site() -> Iterator[Site]:
    """A site without pages on a free port."""
    site = Site()
    with served(Starlette(routes=[Route("/{path:path}", site.answer)])) as url:
        site.url = url
        yield site


class Silent:
    """Implements `progress.Progress`."""

    def begin(self, name: str, number: int, noun: str = "document") -> None:
        """Say nothing."""

    def expect(self, chunks: int) -> None:
        """Say nothing."""

    def advance(self, *, documents: int = 0, chunks: int = 0, tokens: int = 0) -> None:
        """Say nothing."""

    def say(self, words: str) -> None:
        """Say nothing."""


class Renamed:
    """An embedding model under another name, as if it were another."""

    def __init__(self, model: EmbeddingModel, name: str) -> None:
        self.name = name
        self.dimensions = model.dimensions
        self._model = model

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        return await self._model.embed(texts)

    def of_passages(self) -> EmbeddingModel:
        """See `EmbeddingModel.of_passages`."""
        model = copy(self)
        model._model = self._model.of_passages()
        return model

    def in_space(self, space: VectorSpace) -> EmbeddingModel:
        """See `EmbeddingModel.in_space`."""
        return self._model.in_space(space)


@dataclass(frozen=True, slots=True)
class Library:
    """A database of documents, and the sandbox whose model embeds them."""

    pool: Pool
    model: EmbeddingModel
    sandbox_url: str

    @property
    def databases(self) -> Databases:
        """Both databases, which are one."""
        return Databases(self.pool, self.pool, self.pool)

    async def add(self, target: str | Path, **options: Any) -> Source:
        """Register a source."""
        source = make_source(str(target), **options)
        await PostgresSources(self.pool).save(source)
        return source

    async def sync(
        self,
        *,
        model: str | None = MODEL,
        dry_run: bool = False,
        force: bool = False,
        only: Sequence[Source] = (),
        pages: PageReading | None = None,
        vectors_later: bool = False,
    ) -> SyncReport:
        """Sync every active source, with vectors kept under the name `model` (None: without).

        `pages`: the means to read pages without text.
        `vectors_later`: the sync leaves the vectors to another process.
        """
        named = Renamed(self.model, model) if model else None
        sources = only or await PostgresSources(self.pool).all()
        active = [source for source in sources if source.status == "active"]
        async with SourceReader(FETCHING) as reader:
            if dry_run:
                space = VectorSpace(named.name, named.dimensions) if named else None
                plan = DryRun(self.pool, reader, space, Silent())
                return await plan.run(active, FETCHING.max_bytes)
            tools = SyncTools(
                self.databases,
                reader,
                named,
                FETCHING.max_bytes,
                pages=pages or PageReading(),
                vectors_later=vectors_later,
            )
            return await Sync(tools, Silent(), force=force).run(active)

    async def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """The rows that a query finds."""
        async with checkout(self.pool) as connection:
            return await (await connection.execute(query, values)).fetchall()

    async def chunk_ids(self) -> set[str]:
        """The ids of all chunks."""
        return {row["id"] for row in await self.rows("SELECT id FROM rag_chunks")}

    def calls(self) -> list[dict[str, Any]]:
        """The calls that the model received."""
        answer = httpx.get(f"{self.sandbox_url}/sim/calls", params={"upstream": "openai"})
        return list(answer.json()["calls"])

    def embedded_texts(self) -> list[str]:
        """Every chunk that the model was asked to embed, in order, with its headings above it."""
        texts = (text for call in self.calls() for text in call["body"]["input"])
        return [text for text in texts if "\n" in text]

    def transcribe(self, *texts: str) -> None:
        """Have the vision model read these texts on the next pages."""
        for text in texts:
            fault = {
                "upstream": "openai",
                "kind": "scripted",
                "method": "chat.completions",
                "containing": ["Transcribe this page"],
                "text": json.dumps({"answer": text}),
            }
            assert httpx.post(f"{self.sandbox_url}/sim/faults", json=fault).status_code == 200

    def pages_shown(self) -> int:
        """The number of pages that the vision model was shown."""
        return sum("image_url" in json.dumps(call["body"]) for call in self.calls())

    def fail(self, kind: str, times: int, method: str = "embeddings") -> None:
        """Have the model fail."""
        fault = {"upstream": "openai", "kind": kind, "method": method, "times": times}
        assert httpx.post(f"{self.sandbox_url}/sim/faults", json=fault).status_code == 200

    def forget_calls(self) -> None:
        """Begin to count anew."""
        httpx.delete(f"{self.sandbox_url}/sim")


@asynccontextmanager
async def open_library(pool: Pool, sandbox_url: str) -> AsyncIterator[Library]:
    """A library over a model that has not been called, and whose retries do not wait."""
    async with openai.DefaultAsyncHttpxClient() as http:
        access = make.access(f"{sandbox_url}/v1", http, MODEL)
        library = Library(pool, OpenAIEmbeddingModel(access, VectorSpace(MODEL, 1536)), sandbox_url)
        library.forget_calls()
        with stamina.set_testing(testing=True, attempts=3, cap=True):
            yield library


def paragraph(topic: str, sentences: int = 8) -> str:
    """Distinct prose of about 600 characters."""
    return " ".join(
        f"Sentence {number} about {topic} says what {topic} {number} does for its readers."
        for number in range(sentences)
    )


def document(title: str, paragraphs: int) -> str:
    """Markdown with a section for every four paragraphs."""
    parts = [f"# {title}"]
    for number in range(paragraphs):
        if number % 4 == 0:
            parts.append(f"## Part {number // 4}")
        parts.append(paragraph(f"{title.lower()}-{number}"))
    return "\n\n".join(parts) + "\n"
