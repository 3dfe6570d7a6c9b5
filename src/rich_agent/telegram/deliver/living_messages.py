"""Shows living blocks as widgets in Telegram, and remembers where Telegram shows none."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import structlog

from rich_agent.domain.living_blocks import LivingBlock, state_of
from rich_agent.errors import (
    ChatBlockedError,
    DatabaseUnavailableError,
    MessageGoneError,
    OutcomeUnknownError,
    TokenRefusedError,
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    WidgetOutgrownError,
)
from rich_agent.phrases import say
from rich_agent.ports.bot_api import TelegramApi, Widget, WidgetRefusedError, WidgetTooLargeError
from rich_agent.ports.widgets import SentWidgets, WidgetPlace
from rich_agent.rendering.widgets import widget_html
from rich_agent.runtime.concurrency import survived
from rich_agent.runtime.fencing import require_lease

_PAUSE_S: Final = 0.5
_DELETE_TRIES: Final = 3
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class LivingMessages:
    """Sends and edits widgets. A chat for which one was refused gets texts for a week."""

    api: TelegramApi
    widgets: SentWidgets
    is_on: Callable[[], bool]

    async def send(self, block: LivingBlock, place: WidgetPlace) -> int | None:
        """Send a block as a widget; return the message's id, None where a text has to be sent.

        Raises: the errors of `TelegramApi.send_widget` but WidgetRefusedError.
        """
        html = await self._html_for(place.chat_id, block)
        if html is None:
            return None
        try:
            message_id = await self.api.send_widget(
                place.chat_id, Widget(html), reply_to=place.reply_to, topic_id=place.topic_id
            )
        except WidgetRefusedError as error:
            _log.warning("telegram.widget_refused", error=str(error))
            if not isinstance(error, WidgetTooLargeError):
                await self.widgets.refuse(place.chat_id)
            return None
        await self._record(place, message_id, block)
        return message_id

    async def _record(self, place: WidgetPlace, message_id: int, block: LivingBlock) -> None:
        """Store what a sent widget shows.

        Without this record no button of the widget works, so it is tried until it succeeds.
        """
        while True:
            try:
                await self.widgets.note(place, message_id, block)
            except DatabaseUnavailableError as error:
                _log.info("telegram.widget_not_recorded", error=str(error))
                await asyncio.sleep(_PAUSE_S)
            else:
                return

    async def edit(self, chat_id: int, message_id: int, block: LivingBlock | None) -> bool:
        """Show a block in the widget of a message; False if the message is no widget.

        A widget that cannot show the block, or has to become a text, is deleted, or says that it
        was replaced where it is too old to be deleted. Its record stays until `SentWidgets.forget`,
        so that another attempt at the same press finds its button.

        Raises: MessageGoneError if the widget is gone, WidgetOutgrownError if it was deleted or
        replaced here; LaneLostError; UpstreamError, after which the widget may still be there.
        """
        widget = await self.widgets.find(chat_id, message_id)
        if widget is None:
            return False
        state = state_of(widget.block, block) if block else None
        if state is not None:
            # Recorded first: after a crash between both, the next edit shows the truth.
            await self.widgets.note_state(chat_id, message_id, state)
        with require_lease():
            if state is not None and await self._show(chat_id, message_id, state):
                return True
            if not await self._delete(chat_id, message_id):
                await self._mark_as_replaced(chat_id, message_id, widget.block)
        raise WidgetOutgrownError("telegram", "the widget has to be sent anew")

    async def _show(self, chat_id: int, message_id: int, state: str) -> bool:
        """Show a state; False if Telegram refuses it for good."""
        try:
            await self.api.edit_widget(chat_id, message_id, state)
        except WidgetRefusedError as error:
            _log.warning("telegram.widget_not_edited", error=str(error))
            return False
        return True

    async def _delete(self, chat_id: int, message_id: int) -> bool:
        """Delete a widget; False if that is refused, or nobody knows whether it was done."""
        for _ in range(_DELETE_TRIES):
            try:
                await self.api.delete_message(chat_id, message_id)
            except MessageGoneError:
                return True
            except (UpstreamTimeoutError, OutcomeUnknownError) as error:
                _log.info("telegram.not_deleted", error=str(error))
            except (ChatBlockedError, TokenRefusedError):
                raise
            except UpstreamRefusedError as error:
                # After two days a message can only be edited. Source: Bot API, deleteMessage.
                _log.info("telegram.not_deleted", error=str(error))
                return False
            else:
                return True
        return False

    async def _mark_as_replaced(self, chat_id: int, message_id: int, sent: LivingBlock) -> None:
        """Take all rows and buttons out of a widget, as far as Telegram lets it be edited.

        This is not recorded, so that another attempt at the same press finds its button.
        """
        note = say(sent.locale, "replaced")
        state = state_of(sent, replace(sent, rows=(), actions=(), note=note))
        with survived("telegram.not_replaced", UpstreamError):
            await self.api.edit_widget(chat_id, message_id, state or "")

    async def show_again(self, chat_id: int, message_id: int) -> None:
        """Show the recorded state again, since the edit that showed it may have been lost.

        Raises: MessageGoneError, UpstreamError.
        """
        if widget := await self.widgets.find(chat_id, message_id):
            await self.api.edit_widget(chat_id, message_id, widget.state)

    async def may_become_widget(self, chat_id: int, message_id: int, block: LivingBlock) -> bool:
        """Whether a message is a text, and its block can be shown as a widget."""
        if not await self.can_show(chat_id, block):
            return False
        return await self.widgets.find(chat_id, message_id) is None

    def are_in(self, chat_id: int) -> bool:
        """Whether messages of a chat may be widgets."""
        return self.is_on() and chat_id > 0

    async def can_show(self, chat_id: int, block: LivingBlock) -> bool:
        """Whether a chat shows a block as a widget, as far as is known."""
        return await self._html_for(chat_id, block) is not None

    async def _html_for(self, chat_id: int, block: LivingBlock) -> str | None:
        """The document of a block, None where no widget can be shown."""
        if not self.are_in(chat_id) or await self.widgets.are_refused(chat_id):
            return None
        return widget_html(block)
