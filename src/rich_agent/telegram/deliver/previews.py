"""Previews of an answer while it grows: in a message that is edited, as a draft, or none at all."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

import structlog

from rich_agent.chat_commands.conversation import stop_button
from rich_agent.errors import UpstreamError, UpstreamRateLimitedError, UpstreamRefusedError
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import DEFAULT_RETRY_AFTER_S, Messenger
from rich_agent.telegram.deliver.progress import AnswerPreview, Clock

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
    edited = MessagePreview(delivery)
    match streaming:
        case "edit":
            return edited
        case "draft":
            return DraftPreview(messenger, delivery, edited, clock)
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
