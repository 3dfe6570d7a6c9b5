"""Delivers the one message that answers a guest query, in a chat of which the bot is no member."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import structlog
from typing_extensions import override

from rich_agent.errors import (
    ChatBlockedError,
    EntitiesRefusedError,
    TokenRefusedError,
    UpstreamError,
    UpstreamRefusedError,
)
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.answers import without_entities
from rich_agent.rendering.spans import join
from rich_agent.telegram.deliver.delivery import NOTHING_MADE, Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, Recipe, ReplyTarget
from rich_agent.telegram.deliver.retries import Retries

_log = structlog.get_logger()


class GuestDelivery(Delivery):
    """Delivers the answer to a guest query.

    It records nothing, because Telegram refuses a second answer.
    """

    def __init__(
        self, messenger: Messenger, target: ReplyTarget, hold: Hold, query_id: str
    ) -> None:
        super().__init__(messenger, target, hold)
        self._query_id = query_id
        self._has_answered = False

    @override
    async def is_answered(self) -> bool:
        return self._has_answered

    @override
    async def announce(self, message: RenderedMessage, *, number: int = 0) -> bool:
        return True

    @override
    async def grow(self, message: RenderedMessage, *, spare: int = 0) -> bool:
        return True

    @override
    async def complete(
        self, messages: Sequence[RenderedMessage], recipes: Mapping[int, Recipe] = NOTHING_MADE
    ) -> None:
        """Post the first message, with a hint if there are more.

        Raises: UpstreamError, TokenRefusedError, LaneLostError.
        """
        first_message, *further_messages = messages
        if further_messages:
            hint = RenderedMessage(say(self.target.locale, "guest-answer-cut"))
            first_message = join(first_message, hint)
        await self._post(replace(first_message, buttons=()))
        self._has_answered = True

    async def _post(self, message: RenderedMessage) -> None:
        tries = Retries(self._messenger.retry_policy)
        while True:
            await self._hold()
            try:
                await self._messenger.api.answer_guest(self._query_id, message)
            except EntitiesRefusedError:
                if not message.entities:
                    raise
                message = without_entities(message)
            except TokenRefusedError:
                raise
            except (ChatBlockedError, UpstreamRefusedError) as error:
                # An earlier try succeeded, or it took too long.
                _log.info("telegram.guest_query_over", error=str(error))
                return
            except UpstreamError as error:
                await tries.pause_after(error)
            else:
                return
