"""The state of an answer that is being written, and the preview of it to show now."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from functools import partial
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
from rich_agent.runtime.concurrency import happens_within, in_thread_if_long
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

    - `typing_s`: between two chat actions, which Telegram shows for 5 s. Source: Bot API,
      sendChatAction.
    - `edit_s`: between two edits. At 0.5 s, bots ran into flood control.
    - `edit_s_per_1000_characters`: added to `edit_s`, so that longer texts are edited less often.
    - `first_text_length`: the least number of characters of the first text.
    - `quiet_s`: after so long without new text, text is shown up to the end of a word, else up to
      the end of a clause.
    - `longest_s`: after so long, waiting text is also shown up to the end of a word.
    - `look_s`: between two checks while no events arrive.
    """

    typing_s: float = 4.0
    edit_s: float = 1.0
    edit_s_per_1000_characters: float = 0.5
    first_text_length: int = 6
    quiet_s: float = 0.3
    longest_s: float = 1.0
    look_s: float = 0.03

    def pause_s(self, length: int) -> float:
        """Seconds to pause after a text of `length` characters was shown."""
        return self.edit_s + self.edit_s_per_1000_characters * length / 1000

    def strategy(self) -> ChunkStrategy:
        """The strategy that decides how much of the growing text to show."""
        clause = any_of(clause_end, debounce(self.quiet_s, self.longest_s))
        return all_of(word_end, first_text(self.first_text_length, clause))


@dataclass(frozen=True, slots=True)
class AnswerPreview:
    """A temporary text, shown only if the chat could still take `spare` more messages.

    A status leaves one message for the first text. Later texts leave two, so that neither the end
    of this answer nor the beginning of the next answer has to wait.
    """

    message: RenderedMessage
    is_text: bool
    spare: int


@dataclass(slots=True)
class AnswerProgress:
    """The newest state of an answer.

    - `above`: the message that precedes everything shown.
    - `stage`, `tool`: the present stage of the turn, and the tool that it uses.
    - `answer`: the final answer.
    - `written`: the whole answer while its sentences are judged.
    - `asked`, `held`: a question or a notice instead of an answer.
    - `closed`: an earlier question that this turn closes.
    - `is_whole`: set once the whole answer is written.
    - `is_over`: set once the state is final.
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
        """Read all events of a turn. A RichAgentError ends the reading and is kept in `failure`."""
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
        """The preview to show now, None for nothing.

        The same preview is returned until `shown` is called or the state changes. A status comes
        first and at once, so that the message has an id before it shows any text. The first text
        does not wait for another status.
        """
        now = self.clock()
        is_placed = self._status_shown[0] is not None
        spare = 2 if self._text_shown else 0
        if is_placed and now >= self._next_text_at and (text := self._text.take(now)):
            show = partial(self._message.show, text)
            partial_message = await in_thread_if_long(len(text), show)
            self._waiting = (
                AnswerPreview(partial_message, is_text=True, spare=spare)
                if partial_message
                else None
            )
        elif self._text.shown:
            return self._waiting
        elif (status := self._status())[0] and status != self._status_shown:
            status_message = join(self.above, RenderedMessage(self._say(*status)))
            self._waiting = AnswerPreview(status_message, is_text=False, spare=1)
        return self._waiting

    async def may_be_due(self) -> None:
        """Wait until there may be something to show.

        Between two texts, this can only be the whole answer.
        """
        pause_left_s = self._next_text_at - self.clock()
        if self._text_shown and self._waiting is None and pause_left_s > self.pace.look_s:
            await happens_within(self.is_whole, pause_left_s)
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
        """Record that the preview was shown."""
        self._waiting = None
        now = self.clock()
        if preview.is_text:
            self._text_shown = True
            self._next_text_at = now + self.pace.pause_s(len(preview.message.text))
        else:
            self._status_shown = self._status()


Streaming = Literal["edit", "draft", "off"]
DRAFT_REFRESH_S = 20.0
"""Seconds after which a draft is sent again, before it fades after 30 s.

Source: Bot API, sendMessageDraft.
"""
_log = structlog.get_logger()


class PreviewDisplay(Protocol):
    """Shows an answer while it grows."""

    async def show(self, preview: AnswerPreview | None) -> bool:
        """Show the preview if the limits allow it now; False means try again later.

        None stands for nothing new. Failures are only logged: only the final text has to arrive.
        """
        ...


def open_display(
    streaming: Streaming, messenger: Messenger, delivery: Delivery, clock: Clock
) -> PreviewDisplay | None:
    """The display for the setting `streaming`; None for "off", when users see only "typing…"."""
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
    """Shows previews in a message with a stop button. The message later becomes the answer."""

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
    """Shows previews in a draft, which Telegram animates.

    The draft's id is that of the update in hand.

    One call is in flight at a time. The draft is sent again before it would fade. `instead` takes
    over if the answer already has a message (from an earlier attempt, or a notice of waiting) or if
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
