"""The services of the nodes: interfaces and limits, provided when the process starts."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from opentelemetry.trace import INVALID_SPAN, Span

from rich_agent.domain.answer.citation import CommandOffer
from rich_agent.domain.model_speed import OptionalCalls
from rich_agent.domain.retrieval.passage import Retrieval, VectorSpace
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.routing.plan_odds import PlanOdds
from rich_agent.domain.text import TokenCounter, most_tokens
from rich_agent.domain.vision import ImageLimits
from rich_agent.errors import UpstreamError
from rich_agent.graph.reports import NodeNotes
from rich_agent.graph.speculation import Speculation
from rich_agent.ports.approvals import Approvals
from rich_agent.ports.images import ImageAnswers, ImageFiles, ImageSummaries
from rich_agent.ports.knowledge import Passages, SourceCatalogue, WebSearch
from rich_agent.ports.memories import Erasure, Lessons, Memories
from rich_agent.ports.models import (
    ChatModel,
    Chooser,
    EmbeddingModel,
    MemoryExtractor,
    ModelBusyError,
    Planner,
    Summarizer,
    VisionModel,
)
from rich_agent.ports.personas import FindPersonas, no_personas
from rich_agent.ports.session_leads import SessionLead
from rich_agent.ports.spaces import Spaces
from rich_agent.ports.tools import Tools
from rich_agent.ports.turns import Archive, Clarifications, Decisions, Transcript
from rich_agent.ports.user_files import FileIndex, FileReader, Pages, UserFiles
from rich_agent.runtime.concurrency import TurnEnd, unless
from rich_agent.runtime.metering import Meter
from rich_agent.runtime.reranking import Reranking

_MOST_ANSWER = 2_000
"""The most tokens of a window that are kept free for an answer."""
_FORM_ANSWER = 400
"""The tokens of a filled form that a window has to have room for."""
FILES_AT_ONCE = 2
"""The number of files whose bytes a process holds at the same time."""
MODEL_TRIES = 3
"""How often a node asks a model that fails."""


def unheard() -> None:
    """Callback that ignores the event."""


async def no_alarm(_error: UpstreamError) -> None:
    """Ignore a failure that an operator could be told about."""


async def unknown_window() -> int | None:
    """The window of a model whose server does not report one: None."""
    return None


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one turn: its prompts, its time, its searches, files and images."""

    max_context_tokens: int = 12_000
    """The most tokens of a prompt."""
    recent_turns: int = 10
    """The number of turns that the state keeps."""
    answer_s: float = 600.0
    """The longest time for writing an answer, however steadily it grows."""
    model_budget_s: float = 180.0
    """The longest silence before a model's first word, over all attempts."""
    wait_in_place_s: float = 60.0
    """The longest time that a node waits for a model server that asks to wait."""
    turn_s: float = 1_500.0
    """The longest time of a turn, apart from waits for a model server."""
    retrieval: Retrieval = field(default_factory=Retrieval)
    images: ImageLimits = field(default_factory=ImageLimits)
    scanned_pages: int = 20
    """The most pages of a file without text that a vision model reads."""
    file_parts: int = 12
    """The most parts of a long file that are read one by one."""
    links: int = 3
    """The most links of a message that are read; 0 for none."""
    form_tokens: int | None = None
    """The most tokens of a prompt with a short answer, such as a plan; None for no other bound."""
    checked_share: float = 1.0
    """The share (0 to 1) of answers from passages whose every sentence a model judges."""
    check_s: float = 15.0
    """The longest time for judging an answer that cites, which its user has read already.

    An answer without citations may be judged for as long as it was awaited.
    """

    def prompt_tokens(self, *, has_form: bool) -> int:
        """The most tokens of a prompt, together with the form that is to be filled in."""
        return (self.form_tokens if has_form else None) or self.max_context_tokens

    def within(self, window: int | None) -> "Limits":
        """The limits for a model with this window (tokens), with room left for the answer."""
        if window is None:
            return self
        answer_tokens = min(_MOST_ANSWER, max(_FORM_ANSWER, window // 4))
        most_tokens = self.max_context_tokens
        return replace(
            self,
            max_context_tokens=min(most_tokens, window - answer_tokens),
            form_tokens=min(most_tokens, window - _FORM_ANSWER),
        )


@dataclass(frozen=True, slots=True)
class AnsweredTurn:
    """A turn as a feature sees it that adds lines below its answer.

    `locale` is the language of the product's own sentences; `text` is the answer's Markdown.
    """

    user_id: int
    thread_id: str
    request_id: str
    locale: str
    question: str
    text: str


BelowAnswer = Callable[[AnsweredTurn], Awaitable[Sequence[str | CommandOffer]]]
"""Returns lines of Markdown, and buttons for commands, to stand below an answer."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A finished turn as a feature sees it, once its decision is stored.

    - `query`: the whole question as it was searched for, so that it stands alone; "" without one.
    - `is_unanswered`: whether the bot found nothing, or nothing that supports an answer.
    - `citation_count`: the number of passages that the answer cites.
    - `has_own_files`: whether it was about files of the user.
    - `revision`: grows when the question is edited and answered again.
    - `vector`: that of the query, with its space; None if the turn has computed none, as when the
      embedding failed, or another process began the turn.
    """

    user_id: int
    thread_id: str
    request_id: str
    revision: int
    locale: str
    plan: str
    query: str
    is_unanswered: bool
    citation_count: int
    has_own_files: bool
    vector: tuple[VectorSpace, Sequence[float]] | None


NoteTurn = Callable[[RecordedTurn], Awaitable[None]]
"""Notes a turn that was stored. It is called again if the process ends before the turn does."""


@dataclass(frozen=True, slots=True)
class PassageRequest:
    """A question, for which features look up passages.

    `queries` are the searches of the documents: one, or one for each part of the question.
    """

    user_id: int
    locale: str
    question: str
    queries: Sequence[str]


@dataclass(frozen=True, slots=True)
class FeaturePassage:
    """A text that an answer may rest on and cite; `url` is the address of its source, or "".

    A model reads the text as the words of somebody else: it is material, and no instruction.
    """

    title: str
    content: str
    url: str = ""


SeekPassages = Callable[[PassageRequest], Awaitable[Sequence[FeaturePassage]]]
"""Returns the passages that a feature has for a question, the best first."""


@dataclass(frozen=True, slots=True)
class Services:
    """Everything through which nodes reach the outside, created once in a process."""

    chat: ChatModel
    planner: Planner
    chooser: Chooser
    vision: VisionModel
    extractor: MemoryExtractor
    summarizer: Summarizer
    embeddings: EmbeddingModel | None
    """None if the search uses full text only."""
    web: WebSearch | None
    """None without a key for a web search."""
    files: ImageFiles
    memories: Memories
    lessons: Lessons
    transcript: Transcript
    archive: Archive
    erasure: Erasure
    passages: Passages
    catalogue: SourceCatalogue
    spaces: Spaces
    summaries: ImageSummaries
    image_answers: ImageAnswers
    decisions: Decisions
    clarifications: Clarifications
    approvals: Approvals
    tools: Tools
    user_files: UserFiles
    file_reader: FileReader
    file_index: FileIndex
    pages: Pages
    domain: Domain
    limits: Limits
    now: Callable[[], datetime]
    schema_tokens: Mapping[str, int]
    """The tokens of the schema that goes along with a prompt, by its name."""
    count_tokens: TokenCounter = most_tokens
    """The model's tokenizer, or an estimate from above if it is not known."""
    window: Callable[[], Awaitable[int | None]] = unknown_window
    """Returns the tokens of the smallest window that a prompt has to fit into; None if unknown."""
    approval_intents: frozenset[str] = frozenset()
    """The intents whose answers wait for a person's approval."""
    file_slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FILES_AT_ONCE))
    """A file waits for one of these before its bytes are fetched."""
    alarm: Callable[[UpstreamError], Awaitable[object]] = no_alarm
    """Called with failures that an operator may have to know about."""
    plan_odds: PlanOdds = field(default_factory=PlanOdds)
    """Guesses plans, so that an answer can begin before its turn is planned."""
    reranking: Reranking | None = None
    """None if passages stay in the order of the search."""
    optional_calls: OptionalCalls = field(default_factory=OptionalCalls)
    """Leaves out calls that a slow server would make a user wait for."""
    below_answer: Sequence[BelowAnswer] = ()
    """The lines and buttons of features below answers."""
    recorded_turns: Sequence[NoteTurn] = ()
    """The features that note turns which were stored."""
    passage_seekers: Sequence[SeekPassages] = ()
    """The passages of features."""
    session_leads: Sequence[SessionLead] = ()
    """The features that lead guided sessions."""
    find_personas: FindPersonas = no_personas
    """Returns the personas in effect."""


@dataclass(frozen=True, slots=True)
class TurnScope:
    """The parts of one turn that its nodes share."""

    stop: TurnEnd = field(default_factory=TurnEnd)
    """Once it is set, the turn ends with what was said so far."""
    meter: Meter = field(default_factory=Meter)
    """Counts what the turn uses."""
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while an image's bytes are in memory, so that one album does not delay others."""
    resumed_at: frozenset[str] = frozenset()
    """The nodes at which the turn was resumed after an interruption."""
    speculation: Speculation = field(default_factory=Speculation)
    """The answer that was begun before the plan was known."""
    span: Span = INVALID_SPAN
    """The span under which the turn's calls are traced."""
    prompt_parts: dict[Any, Any] = field(default_factory=dict)
    """The parts that the turn's prompts have in common, {} before its first prompt."""


@dataclass(frozen=True, slots=True)
class NodeRun:
    """The parts of one run of a node; `on_wait` is called when it waits for a server."""

    notes: NodeNotes = field(default_factory=NodeNotes)
    on_wait: Callable[[], None] = unheard


@dataclass(frozen=True, slots=True)
class NodeContext:
    """The context of a node: services of the process, parts of the turn and of this run."""

    services: Services
    turn: TurnScope = field(default_factory=TurnScope)
    run: NodeRun = field(default_factory=NodeRun)


T = TypeVar("T")
_FIRST_PAUSE_S = 1.0
_SPREAD = 0.05


async def with_retries(attempt: Callable[[], Awaitable[T]], context: NodeContext) -> T:
    """The result of `attempt`, repeated while the model server asks to wait or is overloaded.

    The wait is the one that the server asks for; without one, or after repeated requests, it
    doubles. Once the user stops the turn, nothing is waited for.

    Raises: what `attempt` raises; ModelBusyError if the waits would exceed `wait_in_place_s`.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + context.services.limits.wait_in_place_s
    pause_s = 0.0
    while True:
        try:
            return await attempt()
        except ModelBusyError as error:
            requested_s = _FIRST_PAUSE_S if error.retry_after_s is None else error.retry_after_s
            wait_s = max(requested_s, pause_s)
            if clock() + wait_s > deadline or context.turn.stop.is_set():
                raise
        pause_s = max(_FIRST_PAUSE_S, 2 * pause_s)
        context.run.on_wait()
        # Spread, because other clients got the same request to wait.
        spread_s = wait_s * random.uniform(1, 1 + _SPREAD)  # noqa: S311 - keeps no secret
        context.turn.stop.prolong(spread_s)
        await unless(context.turn.stop, asyncio.sleep(spread_s))
