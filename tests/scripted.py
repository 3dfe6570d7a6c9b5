"""Upstreams that answer by script and count their calls, for tests without HTTP."""

import asyncio
import re
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rich_agent.domain.answer.grounding import Opinion
from rich_agent.domain.inventory import Inventory, PartCount
from rich_agent.domain.memory.merging import Learned
from rich_agent.domain.message import ReplyMeaning
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.retrieval.further_search import FurtherSearch
from rich_agent.domain.retrieval.language_trust import LanguageTrust
from rich_agent.domain.retrieval.passage import Passage, VectorProgress, VectorSpace
from rich_agent.domain.rights import Reader
from rich_agent.domain.routing.plan import Routing, close_details
from rich_agent.domain.user_files import FileUnit, ReadFile
from rich_agent.domain.vision import Image, ImageSummary
from rich_agent.errors import UpstreamError
from rich_agent.ports.knowledge import (
    DocumentExcerpt,
    DocumentTitles,
    PassageQuery,
    RegisteredNames,
    SourcePage,
    SourceSummary,
    WebFindings,
)
from rich_agent.ports.models import ModelPiece, Prompt
from rich_agent.ports.spaces import ReadableSpace
from rich_agent.ports.user_files import FetchedFile, FileRefusedError


@dataclass(slots=True)
class ScriptedChat:
    """Streams `pieces`, or raises the next of `failures` after the first piece."""

    pieces: Sequence[ModelPiece] = ("An ", "answer.")
    failures: list[Exception] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    never_ends: bool = False

    async def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        """See `ChatModel`."""
        self.prompts.append(prompt)
        for piece in self.pieces:
            yield piece
            if self.failures:
                raise self.failures.pop(0)
        while self.never_ends:
            await asyncio.sleep(0)
            yield "."


@dataclass(slots=True)
class ScriptedPlanner:
    """Proposes `routing`, or raises `failure`; wants the next of the `searches`, then no more."""

    routing: Routing = field(
        default_factory=lambda: Routing("general_question", "rag", "it may be there", "a query")
    )
    failure: Exception | None = None
    prompts: list[Prompt] = field(default_factory=list)
    searches: list[FurtherSearch | Exception] = field(default_factory=list)
    read: list[Prompt] = field(default_factory=list)
    calls: Sequence[PlannedCall] = ()
    meaning: ReplyMeaning | Exception = "changes"

    async def plan(self, prompt: Prompt) -> Routing:
        """See `Planner`."""
        self.prompts.append(prompt)
        if self.failure:
            raise self.failure
        return self.routing

    async def fill_in(self, prompt: Prompt, routing: Routing) -> Routing:
        """See `Planner`; what it was asked is in `read` too. It proposes no open details."""
        self.read.append(prompt)
        return close_details(routing, "")

    async def search_further(self, prompt: Prompt) -> FurtherSearch:
        """See `Planner`; what it was asked is `read`."""
        self.read.append(prompt)
        wanted = self.searches.pop(0) if self.searches else FurtherSearch()
        if isinstance(wanted, Exception):
            raise wanted
        return wanted

    async def plan_calls(self, prompt: Prompt) -> Sequence[PlannedCall]:
        """See `Planner`; what it was asked is in `read` too."""
        self.read.append(prompt)
        return self.calls

    async def read_reply(self, prompt: Prompt) -> ReplyMeaning:
        """See `Planner`; what it was asked is in `read` too."""
        self.read.append(prompt)
        if isinstance(self.meaning, Exception):
            raise self.meaning
        return self.meaning


@dataclass(slots=True)
class ScriptedChooser:
    """Chooses the entries that hold one of `words`, or raises `failure`.

    Of sentences, those with one of `doubts` are unsupported, those with one of `unclaiming` need no
    passage, passages `named` say otherwise than those with one of `denials`, and say all others;
    with `finds_nothing` all say that nothing was found. So many times, it says nothing of those
    with one of `omissions`.
    """

    words: Sequence[str] = ()
    failure: Exception | None = None
    prompts: list[Prompt] = field(default_factory=list)
    doubts: Sequence[str] = ()
    unclaiming: Sequence[str] = ()
    denials: Sequence[str] = ()
    named: Sequence[int] = (1,)
    finds_nothing: bool = False
    omissions: Sequence[str] = ()
    omission_times: int = 9

    async def choose(self, prompt: Prompt) -> frozenset[int]:
        """See `Chooser`."""
        self.prompts.append(prompt)
        if self.failure:
            raise self.failure
        return _entries_with(self.words, prompt.system)

    async def check(self, prompt: Prompt) -> Opinion:
        """See `Chooser`."""
        self.prompts.append(prompt)
        if self.failure:
            raise self.failure
        _, request = prompt.follow_up[-1]
        every = _entries_with([""], request)
        if self.omission_times > 0:
            self.omission_times -= 1
            every -= _entries_with(self.omissions, request)
        if self.finds_nothing:
            return Opinion(unanswering=every)
        refused = _entries_with(self.doubts, request)
        bare = _entries_with(self.unclaiming, request)
        denied = dict.fromkeys(_entries_with(self.denials, request), self.named)
        told = dict.fromkeys(every - refused - bare - denied.keys(), self.named)
        return Opinion(told, refused, unclaiming=bare, contradicted=denied)


def _entries_with(words: Sequence[str], text: str) -> frozenset[int]:
    entries = re.findall(r'<entry n="(\d+)"[^>]*>(.*?)</entry>', text, re.DOTALL)
    return frozenset(int(n) for n, entry in entries if any(word in entry for word in words))


@dataclass(slots=True)
class ScriptedVision:
    """Sees `summary` in every image, and answers every question on one with `answer`."""

    summary: ImageSummary = field(default_factory=lambda: ImageSummary("A red square.", ("red",)))
    name: str = "scripted-vision"
    answer: str = "Three."
    failure: Exception | None = None
    images: list[Image] = field(default_factory=list)
    looks: list[Prompt] = field(default_factory=list)

    async def summarize(self, image: Image, prompt: Prompt) -> ImageSummary:  # noqa: ARG002 - scripted
        """See `VisionModel`."""
        self.images.append(image)
        return self.summary

    async def look(self, image: Image, prompt: Prompt) -> str:  # noqa: ARG002 - scripted
        """See `VisionModel`."""
        self.looks.append(prompt)
        if self.failure:
            raise self.failure
        return self.answer

    async def transcribe(self, image: Image, prompt: Prompt) -> str:
        """See `VisionModel`."""
        return await self.look(image, prompt)


@dataclass(slots=True)
class ScriptedExtractor:
    """Learns `learned` from every message, or raises `failure`."""

    learned: Sequence[Learned] = ()
    failure: Exception | None = None
    prompts: list[Prompt] = field(default_factory=list)

    async def extract(self, prompt: Prompt) -> Sequence[Learned]:
        """See `MemoryExtractor`."""
        self.prompts.append(prompt)
        if self.failure:
            raise self.failure
        return self.learned


@dataclass(slots=True)
class ScriptedSummarizer:
    """Gives `summary` for every fold, or raises `failure`; without one it numbers its folds."""

    summary: str = ""
    failure: Exception | None = None
    prompts: list[Prompt] = field(default_factory=list)

    async def summarize(self, prompt: Prompt) -> str:
        """See `Summarizer`."""
        self.prompts.append(prompt)
        if self.failure:
            raise self.failure
        return self.summary or f"Summary {len(self.prompts)}."


@dataclass(slots=True)
class ScriptedEmbeddings:
    """Gives the same vector for every text, or raises `failure`."""

    name: str = "scripted-embedding"
    dimensions: int = 2
    failure: Exception | None = None
    texts: list[str] = field(default_factory=list)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel`."""
        self.texts += texts
        if self.failure:
            raise self.failure
        return [[1.0, 0.0] for _ in texts]

    def of_passages(self) -> "ScriptedEmbeddings":
        """See `EmbeddingModel`."""
        return self

    def in_space(self, space: VectorSpace) -> "ScriptedEmbeddings":
        """See `EmbeddingModel`; the space asked for is the model's from now on."""
        self.name, self.dimensions = space.model, space.dimensions
        return self


@dataclass(slots=True)
class ScriptedWeb:
    """Finds `results`, or raises `failure`."""

    results: Sequence[Passage] = ()
    failure: Exception | None = None
    survived: Sequence[UpstreamError] = ()
    """Errors of engines that were asked before."""
    queries: list[str] = field(default_factory=list)

    async def search(self, query: str, limit: int) -> WebFindings:
        """See `WebSearch`."""
        self.queries.append(query)
        if self.failure:
            raise self.failure
        return WebFindings(self.results[:limit], self.survived)


@dataclass(slots=True)
class ScriptedFiles:
    """Holds files by id."""

    contents: dict[str, bytes] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)

    async def fetch(self, file_id: str) -> bytes:
        """See `ImageFiles`."""
        self.fetched.append(file_id)
        return self.contents[file_id]


@dataclass(slots=True)
class ScriptedFileReader:
    """Reads a file as pages that are separated by form feeds; a page without words is bare."""

    read_names: list[str] = field(default_factory=list)

    async def read(self, _user_id: int, name: str, mime: str, data: bytes) -> ReadFile:
        """See `FileReader.read`."""
        self.read_names.append(name)
        pages = list(enumerate(data.decode().split("\f"), start=1))
        units = [FileUnit("page", n, "", text, len(text) // 4) for n, text in pages if text.strip()]
        bare = tuple(number for number, text in pages if not text.strip())
        inventory = Inventory((PartCount("page", len(bare)),) if bare else ())
        return ReadFile(mime or "application/pdf", tuple(units), bare, inventory=inventory)

    async def render_page(self, _user_id: int, _data: bytes, number: int) -> bytes:
        """See `FileReader.render_page`."""
        return b"page %d" % number


@dataclass(slots=True)
class ScriptedCatalogue:
    """Implements `SourceCatalogue` with what it is given; without sources nothing is registered."""

    sources: Sequence[SourceSummary] = ()
    listed: DocumentTitles = field(default_factory=DocumentTitles)
    excerpts: Mapping[str, DocumentExcerpt] = field(default_factory=dict)
    outlines: Mapping[str, list[str]] = field(default_factory=dict)
    trust: tuple[LanguageTrust, ...] = ()
    vectors: VectorProgress = field(default_factory=lambda: VectorProgress(0, 0, 0))

    async def vector_progress(self, _space: VectorSpace) -> VectorProgress:
        """See `SourceCatalogue`."""
        return self.vectors

    async def language_trust(self) -> tuple[LanguageTrust, ...]:
        """See `SourceCatalogue.language_trust`."""
        return self.trust

    async def subjects(self, _limit: int, _reader: Reader) -> list[str]:
        """See `SourceCatalogue`."""
        return []

    async def typical_questions(self, _reader: Reader) -> list[str]:
        """See `SourceCatalogue`."""
        return []

    async def titles(self, _query: str, _limit: int, _reader: Reader) -> DocumentTitles:
        """See `SourceCatalogue`."""
        return self.listed

    async def excerpt(
        self,
        chunk_id: str,
        _around: int,
        _reader: Reader,
        *,
        internal: bool | None = None,  # noqa: ARG002
    ) -> DocumentExcerpt | None:
        """See `SourceCatalogue`."""
        return self.excerpts.get(chunk_id)

    async def outline(self, chunk_id: str, _limit: int, _reader: Reader) -> list[str]:
        """See `SourceCatalogue`."""
        return self.outlines.get(chunk_id, [])

    async def page(self, offset: int, limit: int, _reader: Reader) -> SourcePage:
        """See `SourceCatalogue`."""
        documents = sum(source.documents for source in self.sources)
        passages = sum(source.passages for source in self.sources)
        shown = tuple(self.sources[offset : offset + limit])
        return SourcePage(shown, len(self.sources), documents, passages, None)


@dataclass(slots=True)
class ScriptedSpaces:
    """Every reader may read these spaces; no group reads any."""

    open: Sequence[ReadableSpace] = ()

    async def readable(self, _reader: Reader) -> list[ReadableSpace]:
        """See `Spaces`."""
        return list(self.open)

    async def open_of(self, _reader: Reader, guards: Collection[str]) -> frozenset[str]:
        """See `Spaces`; no document is open."""
        return frozenset(guards) & {f"space:{space.id}" for space in self.open}

    async def reads_more(self, _user_id: int) -> bool:
        """See `Spaces`."""
        return bool(self.open)

    async def choose(self, user_id: int, space_id: int, *, is_chosen: bool) -> None:
        """Nobody chooses."""
        raise AssertionError(user_id, space_id, is_chosen)

    async def groups(self) -> Sequence[int]:
        """See `Spaces`."""
        return ()

    async def stale_groups(self, _user_id: int, _groups: Sequence[int]) -> list[int]:
        """See `Spaces`."""
        return []

    async def note_members(self, _user_id: int, _groups: Mapping[int, bool]) -> None:
        """Nobody comes or goes."""

    async def note_names(
        self, user_id: int, prefix: str, names: Collection[str], holds_s: float
    ) -> None:
        """Nobody is known by a name."""
        raise AssertionError(user_id, prefix, names, holds_s)


@dataclass(slots=True)
class ScriptedPassages:
    """Finds `passages` for every query but those in `by_query`, and holds `words`.

    Vectors are those of `complete`.
    """

    passages: Sequence[Passage] = ()
    by_query: Mapping[str, Sequence[Passage]] = field(default_factory=dict)
    titles: Sequence[str] = ("Sample",)
    spaces: tuple[tuple[int, str], ...] = ()
    about: str = ""
    words: Collection[str] = ()
    complete: VectorSpace | None = field(default_factory=lambda: VectorSpace("scripted", 2))
    queries: list[PassageQuery] = field(default_factory=list)

    async def space(self) -> VectorSpace | None:
        """See `Passages`."""
        return self.complete

    async def search(self, query: PassageQuery) -> list[Passage]:
        """See `Passages`."""
        self.queries.append(query)
        found = self.by_query.get(query.text, self.passages)
        return [p for p in found if query.internal in (None, p.internal)][: query.limit]

    async def hold_word(self, word: str, _reader: Reader) -> bool:
        """See `Passages`."""
        return word.casefold() in self.words

    async def names(self, _reader: Reader) -> RegisteredNames:
        """See `Passages`."""
        examples = ("How many days of leave do I have?",) if self.about else ()
        return RegisteredNames(tuple(self.titles), self.spaces, self.about, examples)


@dataclass(slots=True)
class ScriptedPages:
    """Web pages by their addresses; all others are gone."""

    pages: dict[str, FetchedFile] = field(default_factory=dict)

    async def fetch(self, url: str) -> FetchedFile:
        """The page of an address."""
        if url not in self.pages:
            raise FileRefusedError("gone", url)
        return self.pages[url]
