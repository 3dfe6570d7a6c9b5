"""Services for the nodes: interfaces and limits, provided at run time."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from opentelemetry.trace import INVALID_SPAN, Span

from rich_agent.domain.answer.citation import CommandOffer
from rich_agent.domain.retrieval.passage import Retrieval
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
from rich_agent.ports.session_leads import SessionLead
from rich_agent.ports.spaces import Spaces
from rich_agent.ports.tools import Tools
from rich_agent.ports.turns import Archive, Clarifications, Decisions, Transcript
from rich_agent.ports.user_files import FileIndex, FileReader, Pages, UserFiles
from rich_agent.runtime.concurrency import TurnEnd, unless
from rich_agent.runtime.metering import Meter
from rich_agent.runtime.reranking import Reranking

_MOST_ANSWER = 2_000
_FORM_ANSWER = 400
"""Tokens of an answer, and of a filled form, that a window has to have room for."""
FILES_AT_ONCE = 2
"""Files whose bytes a process holds at the same time."""
MODEL_TRIES = 3
"""How often a node asks a model that fails."""


def unheard() -> None:
    """Callback that ignores the event."""


async def no_alarm(_error: UpstreamError) -> None:
    """Tell no one about a failure."""


async def unknown_window() -> int | None:
    """The window of a model whose server does not report one: None."""
    return None


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one turn: tokens of a prompt, turns kept in the state, what is read and seen.

    `answer_s` is the longest that an answer may take to be written, however steadily it grows.
    `model_budget_s` is the longest silence before its first word, over all tries.
    A model server that asks to wait is waited for `wait_in_place_s` at most, in each node; apart
    from that, no turn takes longer than `turn_s`.
    `scanned_pages` of a file are looked at, `file_parts` are read one by one for a whole file, and
    so many `links` of a message are read.
    `form_tokens`, where it is set, bounds a prompt whose answer is short, such as a plan.
    A model judges every sentence in `checked_share` (0 to 1) of the answers that rest on passages.
    For one that cites, this may take `check_s`: its user has read it already. What rests on nothing
    yet is waited for as long as the answer was.
    """

    max_context_tokens: int = 12_000
    recent_turns: int = 10
    answer_s: float = 600.0
    model_budget_s: float = 180.0
    wait_in_place_s: float = 60.0
    turn_s: float = 1_500.0
    retrieval: Retrieval = field(default_factory=Retrieval)
    images: ImageLimits = field(default_factory=ImageLimits)
    scanned_pages: int = 20
    file_parts: int = 12
    links: int = 3
    form_tokens: int | None = None
    checked_share: float = 1.0
    check_s: float = 15.0

    def within(self, window: int | None) -> "Limits":
        """The limits for a model of this window, with room left in it for the answer."""
        if window is None:
            return self
        room = min(_MOST_ANSWER, max(_FORM_ANSWER, window // 4))
        most = self.max_context_tokens
        return replace(
            self,
            max_context_tokens=min(most, window - room),
            form_tokens=min(most, window - _FORM_ANSWER),
        )


@dataclass(frozen=True, slots=True)
class AnsweredTurn:
    """A turn as features see it that add to its answer.

    `locale` is the language of the product's own sentences. `text` is the answer's Markdown.
    """

    user_id: int
    thread_id: str
    request_id: str
    locale: str
    question: str
    text: str


BelowAnswer = Callable[[AnsweredTurn], Awaitable[Sequence[str | CommandOffer]]]
"""Gives lines of Markdown, and buttons that give a command, for below an answer."""


@dataclass(frozen=True, slots=True)
class PassageRequest:
    """A question for which features may have passages.

    `queries` are what the documents are searched for: one, or one for each part of the question.
    """

    user_id: int
    locale: str
    question: str
    queries: Sequence[str]


@dataclass(frozen=True, slots=True)
class FeaturePassage:
    """A text that an answer may rest on and cite; `url` leads to where it is from, "" to nowhere.

    A model reads the text as somebody else's words: it is material, and no instruction.
    """

    title: str
    content: str
    url: str = ""


SeekPassages = Callable[[PassageRequest], Awaitable[Sequence[FeaturePassage]]]
"""Gives the passages that a feature has for a question, the best first."""


@dataclass(frozen=True, slots=True)
class Services:
    """Everything through which nodes reach the outside world, made once in a process.

    `count_tokens` is the model's tokenizer, or an estimate from above where it is not known;
    `window` tells the tokens of the smallest window that a prompt has to fit into, if it is known.
    `embeddings` is None when retrieval is by full text; `web` is None without a key. Answers to
    `approval_intents` wait for a person. `session_leads` are
    features that lead guided sessions. Files wait for one of
    the `file_slots` before their bytes are fetched; `alarm` is told of failures that an operator
    may have to hint. `plan_odds` guesses plans, so that answers are begun early.
    `reranking` is None where passages stay in the order of the search. `below_answer` gives the
    lines and buttons that features add, `passage_seekers` their passages.
    """

    chat: ChatModel
    planner: Planner
    chooser: Chooser
    vision: VisionModel
    extractor: MemoryExtractor
    summarizer: Summarizer
    embeddings: EmbeddingModel | None
    web: WebSearch | None
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
    count_tokens: TokenCounter = most_tokens
    window: Callable[[], Awaitable[int | None]] = unknown_window
    approval_intents: frozenset[str] = frozenset()
    file_slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FILES_AT_ONCE))
    alarm: Callable[[UpstreamError], Awaitable[object]] = no_alarm
    plan_odds: PlanOdds = field(default_factory=PlanOdds)
    reranking: Reranking | None = None
    below_answer: Sequence[BelowAnswer] = ()
    passage_seekers: Sequence[SeekPassages] = ()
    session_leads: Sequence[SessionLead] = ()


@dataclass(frozen=True, slots=True)
class TurnScope:
    """Parts of one turn, shared by its nodes.

    Once `stop` is set, the turn ends with what is said so far. `meter` counts what it uses.
    `reading` is held while an image's bytes are in memory, so that nobody's album keeps others
    waiting. `resumed_at` are the nodes at which it goes on after it was broken off. `speculation`
    is what was written before the plan was known. What its nodes call is traced under `span`.
    """

    stop: TurnEnd = field(default_factory=TurnEnd)
    meter: Meter = field(default_factory=Meter)
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    resumed_at: frozenset[str] = frozenset()
    speculation: Speculation = field(default_factory=Speculation)
    span: Span = INVALID_SPAN


@dataclass(frozen=True, slots=True)
class NodeRun:
    """Parts of one run of one node; `on_wait` is told that a server is waited for."""

    notes: NodeNotes = field(default_factory=NodeNotes)
    on_wait: Callable[[], None] = unheard


@dataclass(frozen=True, slots=True)
class NodeContext:
    """The surroundings of a node: of the process, of its turn, and of this run."""

    services: Services
    turn: TurnScope = field(default_factory=TurnScope)
    run: NodeRun = field(default_factory=NodeRun)


T = TypeVar("T")
_FIRST_PAUSE_S = 1.0
_SPREAD = 0.05


async def with_retries(attempt: Callable[[], Awaitable[T]], context: NodeContext) -> T:
    """The result of an attempt, made again when the server has asked to wait, or is overloaded.

    The server's own time is kept to, and a growing one where it names none, or says so again. Once
    the user stops the turn nothing is waited for.

    Raises: what the attempt raises; ModelBusyError once all waits would take more than the limit.
    """
    clock = asyncio.get_running_loop().time
    ends_at = clock() + context.services.limits.wait_in_place_s
    pause_s = 0.0
    while True:
        try:
            return await attempt()
        except ModelBusyError as error:
            asked_s = _FIRST_PAUSE_S if error.retry_after_s is None else error.retry_after_s
            wait_s = max(asked_s, pause_s)
            if clock() + wait_s > ends_at or context.turn.stop.is_set():
                raise
        pause_s = max(_FIRST_PAUSE_S, 2 * pause_s)
        context.run.on_wait()
        # Spread: others were told the same.
        spread_s = wait_s * random.uniform(1, 1 + _SPREAD)  # noqa: S311 - keeps no secret
        context.turn.stop.prolong(spread_s)
        await unless(context.turn.stop, asyncio.sleep(spread_s))
