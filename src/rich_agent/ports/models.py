"""Interfaces of the models, their servers' learned capabilities, and their errors.

Every method of a model may raise an UpstreamError.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Protocol

from rich_agent.domain.answer.grounding import Opinion
from rich_agent.domain.memory.merging import Learned
from rich_agent.domain.message import ReplyMeaning
from rich_agent.domain.model_role import Capabilities
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.retrieval.further_search import FurtherSearch
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.routing.plan import Routing
from rich_agent.domain.tools import ToolCall, ToolSpec
from rich_agent.domain.vision import Image, ImageSummary
from rich_agent.errors import (
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
)

ANSWER_TOKENS = 4_000
"""The most tokens of one call for an answer, which is continued if that is too few.

Many older models refuse a limit above 4,096.
"""


@dataclass(frozen=True, slots=True)
class ToolRound:
    """Simultaneous calls of a model, the text before them, and the result of each."""

    text: str
    calls: tuple[ToolCall, ...]
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One model call: the instructions, the conversation so far, and the present request."""

    system: str
    user: str
    history: tuple[tuple[str, str], ...] = ()
    """Pairs of ("user" or "assistant", text), oldest first."""
    tools: tuple[ToolSpec, ...] = ()
    """The tools that may be called now."""
    rounds: tuple[ToolRound, ...] = ()
    """The rounds of calls after `user`."""
    follow_up: tuple[tuple[str, str], ...] = ()
    """Pairs of ("assistant" or "user", text) after the rounds: an answer, a request about it."""
    most_tokens: int = ANSWER_TOKENS
    """The most tokens of the text to write, not counting thoughts."""
    fields: frozenset[str] = frozenset()
    """The fields of the form to fill in; empty for all."""

    def with_follow_up(self, answer: str, request: str) -> "Prompt":
        """The prompt, an answer to it, and a further request, for which no tool can be called.

        A server that has just read the prompt has to read only what follows it. The caller disarms
        the answer.
        """
        follow_up = (*self.follow_up, ("assistant", answer), ("user", request))
        return replace(self, tools=(), follow_up=follow_up)

    def texts(self) -> Iterator[str]:
        """The text of each message, in order."""
        yield self.system
        yield from (text for _, text in self.history)
        yield self.user
        for tool_round in self.rounds:
            yield f"{tool_round.text}{[call.arguments for call in tool_round.calls]}"
            yield from tool_round.results
        yield from (text for _, text in self.follow_up)


@dataclass(frozen=True, slots=True)
class GrowingCall:
    """A call that is being written; `place` is its index in the reply.

    `arguments` is its JSON so far, from the first character.
    """

    place: int
    name: str
    arguments: str


ModelPiece = str | GrowingCall | ToolCall
"""A piece of a chat model's reply."""


class ChatModel(Protocol):
    """Writes answers."""

    def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        """The answer in pieces of new text; "" is a sign that the model is working.

        Calls of the prompt's tools come after all text. Some come as they grow; in the end each
        comes whole.

        Raises: BrokenAnswerError if it broke off; EarlyEndError after the last piece of an answer
        that is incomplete and that another attempt would not complete.
        """


class Planner(Protocol):
    """Decides how a turn is answered."""

    async def plan(self, prompt: Prompt) -> Routing:
        """The proposed routing, not yet checked against the rules.

        Raises: MalformedOutputError if the model's output is not a routing.
        """

    async def fill_in(self, prompt: Prompt, routing: Routing) -> Routing:
        """The routing that was planned for the prompt, with the first of its open details.

        Raises: MalformedOutputError.
        """

    async def search_further(self, prompt: Prompt) -> FurtherSearch:
        """The search that is still needed after the passages so far; bad output is repaired once.

        Raises: MalformedOutputError.
        """

    async def plan_calls(self, prompt: Prompt) -> Sequence[PlannedCall]:
        """The calls that a message asks for by the model's judgement, unchecked.

        Raises: MalformedOutputError.
        """

    async def read_reply(self, prompt: Prompt) -> ReplyMeaning:
        """The meaning of a reply in words for calls that wait for approval.

        Raises: MalformedOutputError.
        """


class Chooser(Protocol):
    """Chooses among numbered texts, and checks sentences against passages."""

    async def choose(self, prompt: Prompt) -> frozenset[int]:
        """The chosen numbers, from 1, as the model gave them; malformed output is repaired once.

        Raises: MalformedOutputError if the repair is malformed too.
        """

    async def check(self, prompt: Prompt) -> Opinion:
        """Check each sentence against the passages; malformed output is repaired once.

        Raises: MalformedOutputError.
        """


class VisionModel(Protocol):
    """Describes images, and answers questions about them."""

    name: str

    async def summarize(self, image: Image, prompt: Prompt) -> ImageSummary:
        """A structured summary; malformed output is repaired once.

        Raises: MalformedOutputError if the repair is malformed too.
        """

    async def look(self, image: Image, prompt: Prompt) -> str:
        """The answer to the question in the prompt; repaired and raising like `summarize`."""

    async def transcribe(self, image: Image, prompt: Prompt) -> str:
        """The text of a page, "" for an empty one; repaired and raising like `summarize`."""


class MemoryExtractor(Protocol):
    """Extracts what a message says about its author."""

    async def extract(self, prompt: Prompt) -> Sequence[Learned]:
        """The items to add, replace and remove; empty if there is nothing to learn.

        Raises: MalformedOutputError.
        """


class EmbeddingModel(Protocol):
    """Turns texts into vectors: questions, or passages with the model from `of_passages`.

    `name` and `dimensions` are those of its vector space.
    """

    name: str
    dimensions: int

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of `dimensions` numbers for each text, in order."""

    def of_passages(self) -> "EmbeddingModel":
        """The model for the texts to be searched."""

    def in_space(self, space: VectorSpace) -> "EmbeddingModel":
        """The model for vectors of this space: itself, or another one on the same server."""


class Reranker(Protocol):
    """Judges how well texts answer a question."""

    name: str

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        """Indexes of the texts, most relevant first, each once; some may be left out.

        Raises: UpstreamError, DailyLimitError.
        """


class Shaper(Protocol):
    """Puts an answer into the form that a program asks for."""

    async def shape(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer as an object of a JSON Schema; malformed output is repaired once.

        Raises: MalformedOutputError if the repair is malformed too, other UpstreamErrors.
        """


class Summarizer(Protocol):
    """Folds turns into the running summary of a conversation."""

    async def summarize(self, prompt: Prompt) -> str:
        """The new summary.

        Raises: EmptyCompletionError if the model wrote nothing, other UpstreamErrors.
        """


CAPABILITIES_KEPT_DAYS = 7
"""The days after which a model is tried again, because its server may be upgraded."""


class CapabilityStore(Protocol):
    """Stores the capabilities of each model on each server (host, port and path)."""

    async def load(self, server: str, model: str) -> Capabilities | None:
        """The capabilities learned in the last `CAPABILITIES_KEPT_DAYS`, None if there are none."""

    async def save(self, server: str, model: str, capabilities: Capabilities) -> None:
        """Replace the stored capabilities."""

    async def load_all(self) -> Mapping[tuple[str, str], Capabilities]:
        """The results of `load` by server and model, sorted."""

    async def forget_all(self) -> None:
        """Delete everything, so that each model is tried again."""


AccountTrouble = Literal["credit", "key"]

MOST_SECONDS = 10.0 * 366 * 86_400
"""The limit for the seconds that a server asks for, so that the time can be represented."""


class ModelBusyError(UpstreamRateLimitedError):
    """A model server accepts no more requests for now: rate limit or overload."""

    def __init__(self, service: str, retry_after_s: float | None = None) -> None:
        super().__init__(service, retry_after_s)
        self.hint = "Ask again in a few minutes."
        if retry_after_s is not None:
            retry_time = datetime.now(UTC) + timedelta(seconds=min(retry_after_s, MOST_SECONDS))
            self.hint = f"The server takes requests again at {retry_time:%Y-%m-%d %H:%M:%S} UTC."


class ModelAccountError(UpstreamRefusedError):
    """The account with a model server fails every request until the operator fixes it."""

    def __init__(self, service: str, cause: AccountTrouble, message: str, *, hint: str) -> None:
        super().__init__(service, message, hint=hint)
        self.cause = cause


class ModelAwayError(UpstreamError):
    """A model server accepts no requests until `until`, longer than a message may wait."""

    def __init__(self, service: str, until: datetime) -> None:
        super().__init__(service, f"takes no requests until {until:%Y-%m-%d %H:%M} UTC")
        self.until = until
