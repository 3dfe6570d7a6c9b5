"""A turn's events as the user sees them: typing, status, growing text, the answer.

The events are taken as fast as they come; a task of its own shows the newest state.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import structlog

from rich_agent.concurrency import task_group
from rich_agent.domain.answer import Answer
from rich_agent.errors import DatabaseUnavailableError, RichAgentError, UpstreamError
from rich_agent.phrases import say
from rich_agent.ports import TurnOutcome
from rich_agent.telegram.delivery import Delivery
from rich_agent.telegram.rendering import render, render_partial
from rich_agent.telegram_api import RenderedMessage, TelegramApi
from rich_agent.turns import Answered, Finished, Stage, Status, TextSoFar, TurnEvent

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Pace:
    """How often the user sees something new; seconds and characters.

    A chat action is shown for 5 s. Source: Bot API, sendChatAction. At 0.5 s between edits other
    bots ran into flood control; longer texts are edited less often.
    """

    typing_s: float = 4.0
    edit_s: float = 1.0
    edit_s_per_1000_characters: float = 0.5
    first_text_length: int = 30

    def pause_s(self, length: int) -> float:
        """The pause after an edit of this length."""
        return self.edit_s + self.edit_s_per_1000_characters * length / 1000


@dataclass(slots=True)
class _Draft:
    """The newest state of an answer; `is_over`: nothing will grow any more."""

    locale: str
    first_text_length: int
    stage: Stage | None = None
    text: str = ""
    answer: Answer | None = None
    outcome: TurnOutcome | None = None
    failure: RichAgentError | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, events: AsyncIterator[TurnEvent]) -> None:
        """Take all events; a failure that the product knows is kept in `failure`."""
        try:
            async for event in events:
                self._take(event)
        except RichAgentError as error:
            self.failure = error
        finally:
            self._end()

    def _take(self, event: TurnEvent) -> None:
        match event:
            case Status():
                self.stage = event.stage
                self.news.set()
            case TextSoFar():
                self.text = event.text
                self.news.set()
            case Answered():
                self.answer = event.answer
                self._end()
            case Finished():
                self.outcome = event.outcome
                self.answer = self.answer or event.outcome.answer
                self._end()

    def _end(self) -> None:
        self.is_over.set()
        self.news.set()

    def render(self) -> RenderedMessage | None:
        """What can be shown now, None as long as there is nothing."""
        if len(self.text) >= self.first_text_length:
            return render_partial(self.text)
        if self.stage:
            return RenderedMessage(say(self.locale, f"status-{self.stage.replace('_', '-')}"))
        return None


class AnswerWriter:
    """Writes the answer of one turn."""

    def __init__(self, api: TelegramApi, delivery: Delivery, pace: Pace | None = None) -> None:
        self._api = api
        self._delivery = delivery
        self._pace = pace or Pace()

    async def write(self, events: AsyncIterator[TurnEvent]) -> TurnOutcome | None:
        """Follow a turn to its end; its outcome, None if it ended without one.

        The answer is delivered as soon as it is complete, while the turn goes on to store itself.

        Raises: what the turn raised, else what kept the answer from being delivered; LaneLostError.
        """
        draft = _Draft(self._delivery.target.locale, self._pace.first_text_length)
        async with task_group() as group:
            typing = group.create_task(self._keep_typing())
            sending = group.create_task(self._send(draft))
            sending.add_done_callback(lambda _: typing.cancel())
            await draft.follow(events)
        failure = draft.failure or sending.result()
        if failure:
            raise failure
        return draft.outcome

    async def _send(self, draft: _Draft) -> RichAgentError | None:
        try:
            await self._show_growing(draft)
            if draft.answer:
                target = self._delivery.target
                await self._delivery.complete(
                    render(draft.answer, locale=target.locale, allowed_links=target.allowed_links)
                )
        except (UpstreamError, DatabaseUnavailableError) as error:
            # Kept, so that the turn itself comes to its end and only the delivery is repeated.
            return error
        return None

    async def _show_growing(self, draft: _Draft) -> None:
        while not draft.is_over.is_set():
            await draft.news.wait()
            if draft.is_over.is_set():
                return
            draft.news.clear()
            if not await self._delivery.grow(draft.render()):
                draft.news.set()
            try:
                async with asyncio.timeout(self._pace.pause_s(len(draft.text))):
                    await draft.is_over.wait()
            except TimeoutError:
                continue

    async def _keep_typing(self) -> None:
        while True:
            try:
                await self._api.send_typing(self._delivery.target.chat_id)
            except UpstreamError as error:
                _log.debug("telegram.typing_failed", error=str(error))
            await asyncio.sleep(self._pace.typing_s)
