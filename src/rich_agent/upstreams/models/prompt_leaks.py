"""Ends an answer that begins to repeat the model's instructions."""

import json
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import InitVar, dataclass, field, replace
from itertools import count

import structlog

from rich_agent.domain.languages import choose_locale
from rich_agent.domain.message import ReplyMeaning
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.retrieval.further_search import FurtherSearch
from rich_agent.domain.routing.plan import Routing
from rich_agent.domain.tools import ToolCall
from rich_agent.phrases import say
from rich_agent.ports.models import ChatModel, GrowingCall, ModelPiece, Planner, Prompt
from rich_agent.prompts import instructions_in
from rich_agent.runtime.concurrency import closed_behind

RUN = 10
"""Words in a row that nobody writes by chance as the instructions have them."""
_SUSPICIOUS = 4
_WORD = re.compile(r"[A-Za-z0-9_'’]+")


@dataclass(frozen=True, slots=True)
class Instructions:
    """The words of instructions, to be recognised in what a model writes."""

    text: str
    _runs: frozenset[tuple[str, ...]] = field(init=False)
    _longest: int = field(init=False)

    def __post_init__(self) -> None:
        words = [word.lower() for word in _WORD.findall(self.text)]
        runs = {
            tuple(words[start : start + length])
            for length in range(_SUSPICIOUS, RUN + 1)
            for start in range(len(words) - length + 1)
        }
        object.__setattr__(self, "_runs", frozenset(runs))
        object.__setattr__(self, "_longest", max(map(len, words), default=0))

    def are_repeated_in(self, text: str) -> bool:
        """Whether a run of `RUN` of their words stands in the text."""
        watch = self.watch()
        watch.feed(text)
        return watch.is_found

    def watch(self) -> "RepetitionWatch":
        """Return a watch that reads a text while it grows."""
        return RepetitionWatch(self._runs, self._longest)


@dataclass(slots=True)
class RepetitionWatch:
    """Reads a growing text; `is_found` once a run of `RUN` words of the instructions stands in it.

    It keeps the last words only, and of a word no more than the instructions' `longest` has.
    """

    runs: frozenset[tuple[str, ...]]
    longest: int
    is_found: bool = False
    _words: deque[str] = field(default_factory=lambda: deque(maxlen=RUN))
    _places: deque[int] = field(default_factory=lambda: deque(maxlen=RUN))
    _word: str = ""
    _length: int = 0

    def feed(self, piece: str) -> int:
        """Return the length of the text that can be shown: up to where it may repeat them."""
        text, before = self._word + piece, self._length - len(self._word)
        self._word, self._length = "", self._length + len(piece)
        shown = self._length
        for found in _WORD.finditer(text):
            word = found[0].lower()
            self.is_found = self.is_found or self._completes(word)
            if found.end() < len(text):
                self._words.append(word)
                self._places.append(before + found.start())
            else:
                self._word = word[: self.longest + 1]
                shown = before + found.start() if len(word) <= self.longest else shown
        return self._repeats_from(shown)

    def _completes(self, word: str) -> bool:
        run = (*self._words, word)[-RUN:]
        return len(run) == RUN and run in self.runs

    def _repeats_from(self, shown: int) -> int:
        """Return the position of the last whole words that begin a part of the instructions."""
        words = tuple(self._words)
        for length in range(len(words), _SUSPICIOUS - 1, -1):
            if words[-length:] in self.runs:
                return self._places[-length]
        return shown


log = structlog.get_logger()


class LeakProofChatModel:
    """Wraps a `ChatModel`; ends its answer where it begins to repeat the instructions.

    Only literal repetition is recognised, not a translation or an encoding.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def stream(self, prompt: Prompt) -> AsyncIterator[ModelPiece]:
        instructions = Instructions(instructions_in(prompt.system))
        calls: dict[int, _SafeCall] = {}
        places = count()
        watch, shown = instructions.watch(), 0
        last = waiting = ""
        async with closed_behind(self._model.stream(prompt)) as pieces:
            async for piece in pieces:
                if isinstance(piece, ToolCall):
                    call, known = _kept_in(piece, instructions), calls.get(next(places))
                    if known and call is piece:
                        yield known.whole
                    yield call
                    continue
                if isinstance(piece, GrowingCall):
                    if waiting:
                        yield waiting
                        shown, last, waiting = shown + len(waiting), waiting[-1], ""
                    yield calls.setdefault(piece.place, _SafeCall(instructions, piece)).grow(piece)
                    continue
                waiting += piece
                fresh = max(0, watch.feed(piece) - shown)
                if watch.is_found:
                    log.warning("instructions_withheld")
                    question = prompt.user.rpartition("<question>")[2]
                    refusal = say(choose_locale(question, None), "instructions-withheld")
                    gap = "" if last.isspace() else " "
                    yield f"{gap}…\n\n{refusal}" if last else refusal
                    return
                if fresh:
                    yield waiting[:fresh]
                    shown, last, waiting = shown + fresh, waiting[fresh - 1], waiting[fresh:]
        if waiting:
            yield waiting


@dataclass(slots=True)
class _SafeCall:
    """The part of a growing call that can be shown; it ends once the instructions are repeated."""

    instructions: InitVar[Instructions]
    whole: GrowingCall
    _watch: RepetitionWatch = field(init=False)
    _read: int = 0
    _shown: int = 0

    def __post_init__(self, instructions: Instructions) -> None:
        self._watch = instructions.watch()

    def grow(self, call: GrowingCall) -> GrowingCall:
        """Read the grown call; return what of it can be shown."""
        self.whole = call
        safe = self._watch.feed(call.arguments[self._read :])
        self._read = len(call.arguments)
        if not self._watch.is_found:
            self._shown = max(self._shown, safe)
        return replace(call, arguments=call.arguments[: self._shown])


def _kept_in(call: ToolCall, instructions: Instructions) -> ToolCall:
    """The call, without its arguments where these repeat the instructions."""
    if instructions.are_repeated_in(json.dumps(call.arguments, ensure_ascii=False)):
        log.warning("instructions_withheld", tool=call.name)
        return replace(call, arguments={}, problem="they repeat the instructions")
    return call


class LeakProofPlanner:
    """Wraps a `Planner`; leaves out texts of a plan that repeat the prompt.

    Users read the reason and the question, and the web search gets the queries.
    """

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    async def plan(self, prompt: Prompt) -> Routing:
        routing = await self._planner.plan(prompt)
        kept = _kept(prompt)
        asked = routing.clarification
        return replace(
            routing,
            reason=kept(routing.reason),
            query=kept(routing.query),
            queries=tuple(filter(None, map(kept, routing.queries))),
            described=kept(routing.described),
            clarification=asked
            if asked and kept(" ".join([asked.question, *asked.choices]))
            else None,
        )

    async def search_further(self, prompt: Prompt) -> FurtherSearch:
        found = await self._planner.search_further(prompt)
        return replace(found, queries=tuple(filter(None, map(_kept(prompt), found.queries))))

    async def plan_calls(self, prompt: Prompt) -> Sequence[PlannedCall]:
        return await self._planner.plan_calls(prompt)  # nobody reads it

    async def read_reply(self, prompt: Prompt) -> ReplyMeaning:
        return await self._planner.read_reply(prompt)


def _kept(prompt: Prompt) -> Callable[[str], str]:
    """Make a filter that empties a text which repeats the instructions of a prompt."""
    instructions = Instructions(instructions_in(prompt.system))
    return lambda text: "" if instructions.are_repeated_in(text) else text
