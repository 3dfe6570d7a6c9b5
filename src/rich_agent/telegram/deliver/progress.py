"""The state of an answer that is being written, and which part of it to show now."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from rich_agent.domain.answer.answer import Answer
from rich_agent.errors import RichAgentError
from rich_agent.phrases import say, say_doing
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.turns import TurnOutcome
from rich_agent.rendering.answers import (
    GROWING_LENGTH,
    NOTHING_ABOVE,
    GrowingMessage,
)
from rich_agent.rendering.spans import join
from rich_agent.turns.runner import (
    Answered,
    Finished,
    QuestionAsked,
    QuestionClosed,
    Stage,
    StageChanged,
    TextSoFar,
    TurnEvent,
    Withheld,
)
from rich_agent.turns.streaming import (
    ChunkStrategy,
    ShownText,
    all_of,
    any_of,
    clause_end,
    debounce,
    first_text,
    word_end,
)

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace at which the user sees something new, in seconds and characters.

    A chat action is shown for 5 s (source: Bot API, sendChatAction). At 0.5 s between edits, bots
    ran into flood control; longer texts are edited less often. New text is shown at the end of a
    clause, after a pause of `quiet_s`, or when it has waited for `longest_s`, and never ends in
    half a word. Without new events, there is a check every `look_s`.
    """

    typing_s: float = 4.0
    edit_s: float = 1.0
    edit_s_per_1000_characters: float = 0.5
    first_text_length: int = 6
    quiet_s: float = 0.3
    longest_s: float = 1.0
    look_s: float = 0.03

    def pause_s(self, length: int) -> float:
        """Seconds to pause after showing a text of this length."""
        return self.edit_s + self.edit_s_per_1000_characters * length / 1000

    def strategy(self) -> ChunkStrategy:
        """The strategy that decides how much of the growing text an edit shows."""
        clause = any_of(clause_end, debounce(self.quiet_s, self.longest_s))
        return all_of(word_end, first_text(self.first_text_length, clause))


@dataclass(frozen=True, slots=True)
class AnswerPreview:
    """A temporary text; `spare` sends are kept for more important ones.

    A status keeps one for the first text. Later texts keep two, so that neither the end of this
    answer nor the beginning of the next one has to wait.
    """

    message: RenderedMessage
    is_text: bool
    spare: int


@dataclass(slots=True)
class AnswerProgress:
    """The newest state of an answer; `is_over`: nothing more will be added.

    `above` stands over all that is shown. `asked` is a question and `held` a notice, each instead
    of an answer; `closed` is the request whose question is now closed.
    """

    locale: str
    pace: Pace
    clock: Clock
    above: RenderedMessage = NOTHING_ABOVE
    stage: Stage | None = None
    tool: str = ""
    answer: Answer | None = None
    asked: QuestionAsked | None = None
    held: Withheld | None = None
    closed: str | None = None
    outcome: TurnOutcome | None = None
    failure: RichAgentError | None = None
    is_over: asyncio.Event = field(default_factory=asyncio.Event)
    has_changed: asyncio.Event = field(default_factory=asyncio.Event)
    _text: ShownText = field(init=False)
    _message: GrowingMessage = field(init=False)
    _status_shown: tuple[Stage | None, str] = (None, "")
    _text_shown: bool = False
    _waiting: AnswerPreview | None = None
    _next_text_at: float = 0.0

    def __post_init__(self) -> None:
        self._text = ShownText(self.pace.strategy())
        self._message = GrowingMessage(self.above)

    async def follow(self, events: AsyncIterator[TurnEvent]) -> None:
        """Read all events; a RichAgentError is kept in `failure`."""
        try:
            async for event in events:
                self._take(event)
        except RichAgentError as error:
            self.failure = error
        finally:
            self.is_over.set()
            self.has_changed.set()

    def _take(self, event: TurnEvent) -> None:
        self.has_changed.set()
        match event:
            case StageChanged():
                self.stage, self.tool = event.stage, event.tool
            case TextSoFar():
                self._text.grow(event.text[:GROWING_LENGTH], self.clock())
            case Answered():
                self.answer = event.answer
                self.is_over.set()
            case QuestionClosed():
                self.closed = event.request_id
            case Withheld():
                self.held = event
                self.is_over.set()
            case QuestionAsked():
                self.asked = event
                self.is_over.set()
            case Finished():
                self.outcome = event.outcome
                self.answer = self.answer or event.outcome.answer
                self.is_over.set()

    async def due(self) -> AnswerPreview | None:
        """The preview to show now, None if nothing; the same until `shown` or a change of state.

        A status comes first, so that the message has its id before any text is shown in it. It is
        due at once; the first text does not wait for a further status.
        """
        now = self.clock()
        is_placed = self._status_shown[0] is not None
        spare = 2 if self._text_shown else 0
        if is_placed and now >= self._next_text_at and (text := self._text.take(now)):
            partial = await asyncio.to_thread(self._message.show, text)
            self._waiting = AnswerPreview(partial, is_text=True, spare=spare) if partial else None
        elif self._text.shown:
            return self._waiting
        elif (status := self._status())[0] and status != self._status_shown:
            said = join(self.above, RenderedMessage(self._say(*status)))
            self._waiting = AnswerPreview(said, is_text=False, spare=1)
        return self._waiting

    def _status(self) -> tuple[Stage | None, str]:
        return self._stage(), self.tool

    def _say(self, stage: Stage | None, tool: str) -> str:
        if stage == "acting":
            return say_doing(self.locale, tool)
        return say(self.locale, f"status-{str(stage).replace('_', '-')}")

    def _stage(self) -> Stage | None:
        return self.stage or ("drafting" if self._text.text else None)

    def shown(self, preview: AnswerPreview) -> None:
        """Note that the preview was shown."""
        self._waiting = None
        now = self.clock()
        if preview.is_text:
            self._text_shown = True
            self._next_text_at = now + self.pace.pause_s(len(preview.message.text))
        else:
            self._status_shown = self._status()
