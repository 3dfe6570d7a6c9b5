"""Shows a turn to the user: typing, status, growing text, and the answer.

One task reads the turn's events as fast as they arrive; another task shows the newest state.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import structlog

from rich_agent.attachments import block_of, draw, drawable
from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.errors import (
    DatabaseUnavailableError,
    DeliveryPostponedError,
    RichAgentError,
    UpstreamError,
    UpstreamRefusedError,
)
from rich_agent.ports.bot_api import Keyboard, RenderedMessage, RichRefusedError, TelegramApi
from rich_agent.ports.turns import TurnOutcome
from rich_agent.ports.widgets import WidgetPlace
from rich_agent.rendering.rich_answers import render_rich
from rich_agent.rendering.spans import join
from rich_agent.runtime.concurrency import (
    happens_within,
    in_thread_if_long,
    survived,
    task_group,
)
from rich_agent.telegram.deliver.asking_back import (
    CARD,
    card_file,
    close_question,
    question_message,
)
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.living_messages import LivingMessages
from rich_agent.telegram.deliver.long_answers import AnswerMessages, answer_messages
from rich_agent.telegram.deliver.media import media_glance, media_quote
from rich_agent.telegram.deliver.messenger import FollowUp, Messenger, Recipe, ReplyTarget
from rich_agent.telegram.deliver.progress import (
    AnswerProgress,
    Pace,
    PreviewDisplay,
    Streaming,
    open_display,
)
from rich_agent.turns.runner import TurnEvent

_PICTURES: Final = (1_000, 1_002, 1_003, 1_004)
"""Part numbers of pictures in the outbox, higher than those of an answer's texts."""
_FOLLOW_UPS: Final = (1_001, 1_005, 1_006, 1_007)
"""Part numbers in the outbox of features' messages that follow an answer."""
_FOLLOW_UP_S = 10.0


@dataclass(frozen=True, slots=True)
class Picture:
    """An attachment that is drawn when it is sent. The answer describes the picture in words.

    One with a `block` is sent as a widget where `living` shows one. `content` is a picture that is
    drawn already.
    """

    attachment: Attachment
    locale: str
    living: LivingMessages | None = None
    block: LivingBlock | None = None
    content: bytes = b""

    @property
    def text(self) -> str:
        """The text that the outbox records for the picture once it is sent."""
        return self.attachment.caption

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """See `Recipe.send`. Raises: UpstreamRefusedError if the picture cannot be drawn here."""
        if self.living and self.block:
            place = WidgetPlace(target.chat_id, None, target.topic_id)
            if message_id := await self.living.send(self.block, place):
                return message_id
        content = self.content or await draw(self.attachment, self.locale)
        return await api.send_photo(target.chat_id, content, topic_id=target.topic_id)


async def pictures_of(
    attachments: Iterable[Attachment], target: ReplyTarget, living: LivingMessages | None = None
) -> dict[int, Recipe]:
    """The pictures and widgets to send below a message, by their part numbers in the outbox.

    Raises: DatabaseUnavailableError.
    """
    pictures = [await _picture_of(attachment, target, living) for attachment in attachments]
    return dict(zip(_PICTURES, filter(None, pictures), strict=False))


async def _picture_of(
    attachment: Attachment, target: ReplyTarget, living: LivingMessages | None
) -> Picture | None:
    """The picture or widget of an attachment, None for what the chat cannot show."""
    is_drawable = bool(drawable([attachment]))
    picture = Picture(attachment, target.locale)
    block = block_of(attachment, target.locale)
    if block is None:
        return picture if is_drawable else None
    if living and await living.can_show(target.chat_id, block):
        return replace(picture, living=living, block=block)
    if not is_drawable:
        return None
    # The fonts may lack its letters; then the answer's text is all there is.
    content = b""
    with survived("attachment.left_out", UpstreamRefusedError):
        content = await draw(attachment, target.locale)
    return replace(picture, content=content) if content else None


@dataclass(frozen=True, slots=True)
class FeatureRecipe:
    """The recipe of a feature's message.

    If it fails with any error, the answer is sent without it.
    """

    recipe: Recipe

    @property
    def text(self) -> str:
        """The text that the outbox records for the message once it is sent."""
        return self.recipe.text

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """See `Recipe.send`. Raises: RichAgentError; UpstreamRefusedError for any other failure."""
        try:
            return await self.recipe.send(api, target)
        except RichAgentError:
            raise
        except Exception as error:
            _log.exception("feature.follow_up_failed")
            raise UpstreamRefusedError("feature", str(error)) from error


_log = structlog.get_logger()
__all__ = ["AnswerOptions", "AnswerWriter", "Pace"]


def no_buttons(_target: ReplyTarget, _answer: Answer) -> Keyboard:
    """Show no buttons below the answer."""
    return ()


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """The options for showing answers.

    - `streaming`: the display of a growing answer: a message, a draft, or none.
    - `pace`: the pace at which a growing answer is shown.
    - `final_buttons`: returns the buttons below the final answer.
    - `shows_typing`: whether the chat shows that the bot is typing.
    - `is_rich`: whether answers with tables, headings or lists are sent as rich messages, if
      Telegram accepts these.
    - `follow_ups`: return the recipes of features' messages below an answer.
    """

    streaming: Streaming = "edit"
    pace: Pace = field(default_factory=Pace)
    final_buttons: Callable[[ReplyTarget, Answer], Keyboard] = no_buttons
    shows_typing: bool = True
    is_rich: bool = False
    follow_ups: Sequence[FollowUp] = ()


@dataclass(frozen=True, slots=True)
class AnswerWriter:
    """Shows one turn to the user, and delivers its answer."""

    messenger: Messenger
    delivery: Delivery
    answer_options: AnswerOptions = field(default_factory=AnswerOptions)
    clock: Callable[[], float] = time.monotonic

    async def write(self, events: AsyncIterator[TurnEvent]) -> TurnOutcome | None:
        """Show a turn until its end; return its outcome, None if it ended without one.

        The answer is delivered as soon as it is complete, while the turn is still being stored.

        Raises: the error of the turn or, without such an error, of the delivery; LaneLostError.
        """
        target = self.delivery.target
        progress = AnswerProgress(
            target.locale, self.answer_options.pace, self.clock, media_glance(target.media_text)
        )
        async with task_group() as group:
            send_task = group.create_task(self._send(progress))
            if self.answer_options.shows_typing:
                typing_task = group.create_task(self._keep_typing())
                send_task.add_done_callback(lambda _: typing_task.cancel())
            await progress.follow(events)
        failure = progress.failure or send_task.result()
        if failure:
            raise failure
        return progress.outcome

    async def _send(self, progress: AnswerProgress) -> RichAgentError | None:
        display = open_display(
            self.answer_options.streaming, self.messenger, self.delivery, self.clock
        )
        try:
            await self._show_growing(progress, display)
            if progress.closed:
                await close_question(self.messenger, self.delivery.target, progress.closed)
            if progress.held:
                notice = RenderedMessage(progress.held.notice)
                await self.delivery.complete([join(progress.above, notice)])
            elif progress.asked:
                question = question_message(progress.asked, self.delivery.target)
                if file := card_file(progress.asked, self.delivery.target):
                    await self.delivery.precede({CARD: file})
                await self.delivery.complete([question])
            elif progress.answer:
                await self._complete(progress)
        except (UpstreamError, DatabaseUnavailableError, DeliveryPostponedError) as error:
            # Returned, so that the turn itself finishes and only the delivery is repeated.
            return error
        return None

    async def _show_growing(self, progress: AnswerProgress, display: PreviewDisplay | None) -> None:
        while not progress.is_whole.is_set():
            preview = await progress.due()
            if (display is None or await display.show(preview)) and preview:
                progress.shown(preview)
            await progress.may_be_due()
        if progress.written and not progress.is_over.is_set():
            await self._show_whole(progress.written, progress)

    async def _show_whole(self, answer: Answer, progress: AnswerProgress) -> None:
        """Show the whole answer while it is checked, unless it needs several messages."""
        target = self._target_of(answer)
        parts = await self._rich(answer, target) or (await self._plain(answer, target)).parts
        while len(parts) == 1 and not progress.is_over.is_set():
            if await self.delivery.grow(parts[0]):
                break
            await happens_within(progress.is_over, self.answer_options.pace.look_s)
        await progress.is_over.wait()

    async def _complete(self, progress: AnswerProgress) -> None:
        assert progress.answer is not None  # noqa: S101 - the caller's condition
        answer, target = progress.answer, self._target_of(progress.answer)
        recipes = await self._recipes(answer, target)
        try:
            if rich_parts := await self._rich(answer, target):
                await self.delivery.complete(rich_parts, recipes)
                return
        except RichRefusedError as error:
            _log.warning("telegram.rich_refused", error=str(error))
        plain_messages = await self._plain(answer, target)
        await self.delivery.complete(plain_messages.parts, {**plain_messages.files, **recipes})

    def _target_of(self, answer: Answer) -> ReplyTarget:
        target = self.delivery.target
        return replace(target, locale=answer.locale or target.locale)

    async def _rich(self, answer: Answer, target: ReplyTarget) -> list[RenderedMessage]:
        """The answer as one rich message; [] if it needs none or does not fit into one."""
        # A rich message has no place for a quote above it.
        if not self.answer_options.is_rich or target.media_text:
            return []
        locale, links = target.locale, target.allowed_links
        write_message = partial(render_rich, answer, locale=locale, allowed_links=links)
        rich_message = await in_thread_if_long(len(answer.text), write_message)
        return self._with_buttons([rich_message], answer, target) if rich_message else []

    async def _plain(self, answer: Answer, target: ReplyTarget) -> AnswerMessages:
        """The answer as ordinary messages, with a file if it is very long."""
        locale, links = target.locale, target.allowed_links
        above = media_quote(target.media_text, links)
        write_messages = partial(answer_messages, answer, locale, links, above)
        messages = await in_thread_if_long(len(answer.text), write_messages)
        return replace(messages, parts=self._with_buttons(messages.parts, answer, target))

    async def _recipes(self, answer: Answer, target: ReplyTarget) -> Mapping[int, Recipe]:
        """The recipes of the pictures and of features' messages below the answer's text."""
        recipes = await pictures_of(answer.attachments, target, self.messenger.living)
        for part_number, follow_up in zip(
            _FOLLOW_UPS, self.answer_options.follow_ups, strict=False
        ):
            with survived("feature.follow_up_failed", Exception, level="warning"):
                async with asyncio.timeout(_FOLLOW_UP_S):
                    if recipe := await follow_up(answer, target):
                        recipes[part_number] = FeatureRecipe(recipe)
        return recipes

    def _with_buttons(
        self, parts: Sequence[RenderedMessage], answer: Answer, target: ReplyTarget
    ) -> list[RenderedMessage]:
        """The messages; the last has the buttons for actions on the answer."""
        *first_parts, last_part = parts
        if answer.worth_rating or answer.undo or answer.files or answer.commands:
            last_part = replace(
                last_part, buttons=self.answer_options.final_buttons(target, answer)
            )
        return [*first_parts, last_part]

    async def _keep_typing(self) -> None:
        target = self.delivery.target
        while True:
            with survived("telegram.typing_failed", UpstreamError, level="debug"):
                await self.messenger.api.send_typing(target.chat_id, topic_id=target.topic_id)
            await asyncio.sleep(self.answer_options.pace.typing_s)
