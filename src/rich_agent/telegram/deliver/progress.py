"""The state of an answer that is being written, and which part of it to show now."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

import structlog

from rich_agent.chat_commands.conversation import stop_button
from rich_agent.domain.answer.citation import Answer
from rich_agent.errors import (
    RichAgentError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
)
from rich_agent.phrases import say, say_doing
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.turns import TurnOutcome
from rich_agent.rendering.answers import (
    GROWING_LENGTH,
    NOTHING_ABOVE,
    GrowingMessage,
)
from rich_agent.rendering.spans import join
from rich_agent.runtime.concurrency import happens_within
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.limiter import DEFAULT_RETRY_AFTER_S
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.turns.runner import (
    Answered,
    AnswerWritten,
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

    `written` is the whole of it while its sentences are judged; `is_whole` then, and at the end.
    `above` stands over all that is shown. `asked` is a question and `held` a notice, each instead
    of an answer; `closed` is the question that has ended with it.
    """

    locale: str
    pace: Pace
    clock: Clock
    above: RenderedMessage = NOTHING_ABOVE
    stage: Stage | None = None
    tool: str = ""
    answer: Answer | None = None
    written: Answer | None = None
    asked: QuestionAsked | None = None
    held: Withheld | None = None
    closed: QuestionClosed | None = None
    outcome: TurnOutcome | None = None
    failure: RichAgentError | None = None
    is_whole: asyncio.Event = field(default_factory=asyncio.Event)
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
            self._end()
            self.has_changed.set()

    def _end(self) -> None:
        self.is_over.set()
        self.is_whole.set()

    def _take(self, event: TurnEvent) -> None:
        self.has_changed.set()
        match event:
            case StageChanged():
                self.stage, self.tool = event.stage, event.tool
            case TextSoFar():
                self._text.grow(event.text[:GROWING_LENGTH], self.clock())
            case AnswerWritten():
                self.written = event.answer
                self.is_whole.set()
            case Answered():
                self.answer = event.answer
                self._end()
            case QuestionClosed():
                self.closed = event
            case Withheld():
                self.held = event
                self._end()
            case QuestionAsked():
                self.asked = event
                self._end()
            case Finished():
                self.outcome = event.outcome
                self.answer = self.answer or event.outcome.answer
                self._end()

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
            status_message = join(self.above, RenderedMessage(self._say(*status)))
            self._waiting = AnswerPreview(status_message, is_text=False, spare=1)
        return self._waiting

    async def may_be_due(self) -> None:
        """Return when there may be something to show; between two texts only the whole is."""
        rest_s = self._next_text_at - self.clock()
        if self._text_shown and self._waiting is None and rest_s > self.pace.look_s:
            await happens_within(self.is_whole, rest_s)
        else:
            await happens_within(self.has_changed, self.pace.look_s)
        self.has_changed.clear()

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


Streaming = Literal["edit", "draft", "off"]
DRAFT_REFRESH_S = 20.0
"""Less than the 30 s for which a draft is shown. Source: Bot API, sendMessageDraft."""
_log = structlog.get_logger()


class PreviewDisplay(Protocol):
    """Shows an answer while it grows."""

    async def show(self, preview: AnswerPreview | None) -> bool:
        """Show it if the limits allow it now; False means try again later. None: nothing new.

        Failures are only logged, because the final text is what counts.
        """
        ...


def open_display(
    streaming: Streaming, messenger: Messenger, delivery: Delivery, clock: Clock
) -> PreviewDisplay | None:
    """The display that the setting asks for; with None, users see only "typing…"."""
    preview = MessagePreview(delivery)
    match streaming:
        case "edit":
            return preview
        case "draft":
            return DraftPreview(messenger, delivery, preview, clock)
        case "off":
            return None


@dataclass(frozen=True, slots=True)
class MessagePreview:
    """A message with a stop button, edited until it is the answer."""

    delivery: Delivery

    async def show(self, preview: AnswerPreview | None) -> bool:
        """See `PreviewDisplay.show`."""
        if preview is None:
            return True
        target = self.delivery.target
        button = stop_button(target.in_hand, target.locale)
        message = replace(preview.message, buttons=((button,),))
        return await self.delivery.grow(message, spare=preview.spare)


@dataclass(slots=True)
class DraftPreview:
    """A draft that Telegram animates; its number is the answer's update id.

    One call is in flight at a time. The draft is sent again before it would fade. `instead` takes
    over if the answer already has a message (from an earlier try, or a notice of waiting) or if
    Telegram refuses drafts in the chat.
    """

    messenger: Messenger
    delivery: Delivery
    instead: MessagePreview
    clock: Callable[[], float]
    _is_refused: bool | None = None
    _last: RenderedMessage | None = field(default=None)
    _sent_at: float = 0.0

    async def show(self, preview: AnswerPreview | None) -> bool:
        """See `PreviewDisplay.show`."""
        if self._is_refused is None:
            self._is_refused = await self.delivery.has_message()
        if self._is_refused:
            return await self.instead.show(preview)
        if preview is None and not self._fades():
            return True
        message, spare = (preview.message, preview.spare) if preview else (self._last, 1)
        return message is None or await self._send(message, spare)

    def _fades(self) -> bool:
        return self._last is not None and self.clock() - self._sent_at > DRAFT_REFRESH_S

    async def _send(self, message: RenderedMessage, spare: int) -> bool:
        target = self.delivery.target
        try:
            if not await self.messenger.limiter.try_take(target.chat_id, spare=spare):
                return False
            await self.delivery.confirm()
            await self.messenger.api.send_draft(
                target.chat_id, target.in_hand, message, topic_id=target.topic_id
            )
        except UpstreamRateLimitedError as error:
            wait_s = error.retry_after_s or DEFAULT_RETRY_AFTER_S
            self.messenger.limiter.penalize(target.chat_id, wait_s)
            return False
        except UpstreamRefusedError as error:
            _log.info("telegram.draft_refused", error=str(error))
            self._is_refused = True
            return False
        except UpstreamError as error:
            _log.info("telegram.draft_failed", error=str(error))
            return False
        self._last, self._sent_at = message, self.clock()
        return True
