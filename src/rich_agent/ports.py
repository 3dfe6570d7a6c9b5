"""Interfaces of everything outside the graph: repositories (PostgreSQL) and upstreams.

Nodes and surfaces know these only; the implementations are chosen in `app.py`. Every method may
raise `DatabaseUnavailableError` (repositories) or an `UpstreamError` (upstreams). What a turn
writes is refused with `LaneLostError` once another worker has taken its user's lane over.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from rich_agent.domain.answer import Answer, Decision
from rich_agent.domain.memory_merging import Learned
from rich_agent.domain.message import User
from rich_agent.domain.passage import Passage, VectorSpace
from rich_agent.domain.plan import Routing
from rich_agent.domain.vision import ImageSummary


@dataclass(frozen=True, slots=True)
class Prompt:
    """One model call: the instructions, the conversation so far, and what is asked now.

    `history` holds ("user" | "assistant", text), oldest first.
    """

    system: str
    user: str
    history: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Image:
    """An image as it is sent to a model: checked, scaled, without metadata."""

    data: bytes
    mime: str


# Upstreams


class ChatModel(Protocol):
    """Writes answers."""

    def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """The answer in pieces; each piece is new text.

        Raises: BrokenAnswerError if it broke off.
        """
        ...


class Planner(Protocol):
    """Decides how a turn is answered."""

    async def plan(self, prompt: Prompt) -> Routing:
        """The proposed routing, not yet checked against the rules.

        Raises: MalformedOutputError if the model's output is no routing.
        """
        ...


class VisionModel(Protocol):
    """Describes images, and answers questions about them."""

    name: str

    async def summarize(self, image: Image, prompt: Prompt) -> ImageSummary:
        """A structured summary; malformed output is repaired once.

        Raises: MalformedOutputError if the repair is malformed too.
        """
        ...

    async def look(self, image: Image, prompt: Prompt) -> str:
        """What the image says to the question in the prompt; repaired and failing alike."""
        ...


class MemoryExtractor(Protocol):
    """Finds what a message teaches about its writer."""

    async def extract(self, prompt: Prompt) -> Sequence[Learned]:
        """What to add, replace and remove, empty when the message teaches nothing.

        Raises: MalformedOutputError.
        """
        ...


class EmbeddingModel(Protocol):
    """Turns texts into vectors."""

    name: str
    dimensions: int

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of `dimensions` numbers for each text, in order."""
        ...

    def in_space(self, space: VectorSpace) -> "EmbeddingModel":
        """The model that makes vectors of this space: itself, or another of the same server."""
        ...


class WebSearch(Protocol):
    """Searches the web."""

    async def search(self, query: str, limit: int) -> list[Passage]:
        """At most `limit` results as passages `web:1`, `web:2`, ..., best first."""
        ...


class ImageFiles(Protocol):
    """Fetches the images that users sent."""

    async def fetch(self, file_id: str) -> bytes:
        """The bytes of an image.

        Raises: ImageRefusedError("too_large") if it is over the limit, before it is downloaded.
        """
        ...


# Repositories of the conversation (application database)


class Users(Protocol):
    """Who has written to the bot."""

    async def remember(self, user: User) -> None:
        """Insert or update a user; their last message is now."""
        ...

    async def mark_blocked(self, telegram_user_id: int) -> None:
        """Note that the user blocked the bot; cleared when they write again."""
        ...


class Transcript(Protocol):
    """The lasting record of conversations."""

    async def record(self, turn: "TurnRecord") -> None:
        """Store both messages of a turn; only a higher revision of it changes anything."""
        ...


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A finished turn as it is kept. `meta` is JSON: image hashes, citations, plan.

    `revision` grows when the question is edited and answered anew. `request` is what the turn can
    be run again from, without what `question` says already; it is kept with the user's message.
    """

    user_id: int
    thread_id: str
    request_id: str
    question: str
    answer: str
    meta: Mapping[str, Any]
    revision: int = 0
    request: Mapping[str, Any] = field(default_factory=dict)


# Repositories of documents and decisions (RAG database)


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """What to look for. `internal` None searches all active sources, else only (not) internal.

    `source_ids` narrows the search further; None: all.

    `embedding` is the query's vector in the space that `Passages.space` named, None without one:
    by words alone then.
    """

    text: str
    embedding: Sequence[float] | None = None
    limit: int = 6
    internal: bool | None = None
    source_ids: tuple[str, ...] | None = None


class Passages(Protocol):
    """The chunks of active sources."""

    async def space(self) -> VectorSpace | None:
        """The space whose vectors are complete, which a query is to be embedded in, if any."""
        ...

    async def search(self, query: PassageQuery) -> list[Passage]:
        """The best passages, best first, scores 0..1; [] when nothing is near or stored.

        The best score says how strongly the documents speak of the question.
        """
        ...

    async def source_titles(self) -> list[str]:
        """Name of each active source, for the planner (at most 50)."""
        ...


class ImageSummaries(Protocol):
    """The vision cache, keyed by the sha256 of an image's bytes and the model."""

    async def find(self, sha256: str, model: str) -> ImageSummary | None:
        """The stored summary."""
        ...

    def exclusive(self, sha256: str) -> AbstractAsyncContextManager[None]:
        """Hold while an image is looked at, so that one seen many times at once costs one call."""
        ...

    async def note_sender(self, sha256: str, thread_id: str) -> None:
        """Keep whose conversation an image was sent in, so that it can be forgotten with them."""
        ...

    async def store(self, image: "SeenImage", model: str, summary: ImageSummary) -> None:
        """Store a summary; one that is there already stays."""
        ...


@dataclass(frozen=True, slots=True)
class SeenImage:
    """What is kept of an image: never its bytes."""

    telegram_file_id: str
    sha256: str
    mime: str
    size_bytes: int


class Decisions(Protocol):
    """One row per turn: how it was answered and why."""

    async def record(self, decision: Decision) -> str:
        """Insert or complete the row of (thread_id, request_id); its id."""
        ...

    async def latest(self, thread_id: str) -> Decision | None:
        """The decision on the thread's last turn."""
        ...

    async def find(self, thread_id: str, request_id: str) -> Decision | None:
        """The decision on one turn of the thread."""
        ...


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What a finished turn gives to a surface."""

    answer: Answer
    routing: Routing
    nodes: tuple[str, ...]
    latency_ms: Mapping[str, float]
    interrupt: Mapping[str, Any] | None = None
    request_id: str = ""
