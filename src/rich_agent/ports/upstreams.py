"""Interfaces of the upstreams: models, web search, and the files that users sent.

Every method may raise an UpstreamError.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from rich_agent.domain.answer.grounding import Opinion
from rich_agent.domain.memory.merging import Learned
from rich_agent.domain.retrieval.passage import Passage, VectorSpace
from rich_agent.domain.routing.plan import Routing
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


class ChatModel(Protocol):
    """Writes answers."""

    def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """The answer in pieces; each piece is new text, "" a sign that the model is at work.

        Raises: BrokenAnswerError if it broke off; EarlyEndError behind the last piece of an answer
        that is not whole, and that no further try makes whole.
        """
        ...


class Planner(Protocol):
    """Decides how a turn is answered."""

    async def plan(self, prompt: Prompt) -> Routing:
        """The proposed routing, not yet checked against the rules.

        Raises: MalformedOutputError if the model's output is no routing.
        """
        ...


class Chooser(Protocol):
    """Says which of several numbered texts are meant, and which sentences passages support."""

    async def choose(self, prompt: Prompt) -> frozenset[int]:
        """Their numbers, from 1, as the model gave them; malformed output is repaired once.

        Raises: MalformedOutputError if the repair is malformed too.
        """
        ...

    async def check(self, prompt: Prompt) -> Opinion:
        """What passages say to sentences; malformed output is not repaired.

        Raises: MalformedOutputError.
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
    """Turns texts into vectors: questions, or with `of_passages` what they are to find.

    `name` and `dimensions` are those of its vector space.
    """

    name: str
    dimensions: int

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of `dimensions` numbers for each text, in order."""
        ...

    def of_passages(self) -> "EmbeddingModel":
        """The model for texts that are to be found."""
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


class Summarizer(Protocol):
    """Folds turns into the running summary of a conversation."""

    async def summarize(self, prompt: Prompt) -> str:
        """The new summary.

        Raises: EmptyCompletionError if the model said nothing, other UpstreamErrors.
        """
        ...
