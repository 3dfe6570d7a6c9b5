"""Delivers the answer to a question in a group to the user who asked, and to nobody else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import structlog
from typing_extensions import override

from rich_agent.errors import (
    PassingUpstreamError,
    TokenRefusedError,
    UpstreamRefusedError,
)
from rich_agent.phrases import say
from rich_agent.ports.bot_api import EphemeralPlace, RenderedMessage, TelegramApi
from rich_agent.rendering.spans import join
from rich_agent.telegram.deliver.delivery import NOTHING_MADE, Delivery
from rich_agent.telegram.deliver.ephemeral import FIRST, EphemeralDelivery, EphemeralSupport
from rich_agent.telegram.deliver.guest_queries import GuestDelivery
from rich_agent.telegram.deliver.long_answers import ANSWER_FILE
from rich_agent.telegram.deliver.messenger import Hold, Messenger, Recipe, ReplyTarget

GROUP_LINE = 2_100
"""Part number in the outbox of the line without content that the group sees."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class WayToAsker:
    """The ways to the user `user_id` who asked in a group.

    A guest query, by its `query_id`, comes from a group of which the bot is no member; there is no
    ephemeral message there. `reply_to_ephemeral` is the question if nobody else saw it. `link`
    opens the private chat, "" if it is not known.
    """

    user_id: int
    support: EphemeralSupport
    query_id: str = ""
    reply_to_ephemeral: int | None = None
    link: str = ""


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A line without content in the group."""

    text: str

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """See `Recipe.send`."""
        message = RenderedMessage(self.text)
        return await api.send_message(
            target.chat_id, message, reply_to=target.reply_to, topic_id=target.topic_id
        )


class PrivateDelivery(Delivery):
    """Delivers one answer to its user alone: in the group, else in the private chat.

    `target` is the place of the question in the group. If the answer goes to the private chat, or
    nowhere, a line in the group says so.
    """

    def __init__(
        self, messenger: Messenger, target: ReplyTarget, hold: Hold, way: WayToAsker
    ) -> None:
        super().__init__(messenger, target, hold)
        self._way = way
        place = EphemeralPlace(
            target.chat_id, way.user_id, target.reply_to, way.reply_to_ephemeral, target.topic_id
        )
        self._ephemeral = EphemeralDelivery(messenger, target, hold, place, way.support)
        in_private = replace(target, chat_id=way.user_id, reply_to=None, after_id=0, topic_id=None)
        self._private = Delivery(messenger, in_private, hold)

    async def open(self) -> bool:
        """Find a way to the user; without any, tell the group how to reach the bot.

        Raises: DeliveryPostponedError, UpstreamError, LaneLostError.
        """
        if await self._opens_ephemeral():
            return True
        await self._ephemeral.take_back()
        if await self._reaches_user():
            return True
        await self._refer_to_private_chat()
        return False

    @override
    async def is_answered(self) -> bool:
        # Only looked up: a part that is begun in the private chat is a decision for it.
        update_id, outbox = self.target.update_id, self._messenger.outbox
        rows = [await outbox.find(update_id, part) for part in (FIRST, 0, GROUP_LINE)]
        return any(row is not None and row.text for row in rows)

    @override
    async def announce(self, message: RenderedMessage, *, number: int = 0) -> bool:
        return True

    @override
    async def grow(self, message: RenderedMessage, *, spare: int = 0) -> bool:
        if await self._opens_ephemeral():
            return await self._ephemeral.grow(message, spare=spare)
        return True

    @override
    async def precede(self, recipes: Mapping[int, Recipe]) -> None:
        await self._private.precede(recipes)

    @override
    async def complete(
        self, messages: Sequence[RenderedMessage], recipes: Mapping[int, Recipe] = NOTHING_MADE
    ) -> None:
        """Show the final messages to the user.

        Raises: DeliveryPostponedError, LaneLostError.
        """
        if await self._opens_ephemeral():
            await self._ephemeral.complete(self._in_group(messages, recipes))
            if not self._ephemeral.is_undeliverable:
                return
        await self._ephemeral.take_back()
        await self._private.complete(messages, recipes)
        if self._private.is_undeliverable:
            await self._refer_to_private_chat()
        elif self._way.reply_to_ephemeral is None:
            await self._tell_group(say(self.target.locale, "guest-answered-privately"))

    def _in_group(
        self, messages: Sequence[RenderedMessage], recipes: Mapping[int, Recipe]
    ) -> Sequence[RenderedMessage]:
        """The messages of an ephemeral answer; of one that needs a file, the beginning."""
        if ANSWER_FILE not in recipes:
            return messages
        hint = RenderedMessage(say(self.target.locale, "guest-answer-cut"))
        return [join(messages[0], hint)]

    async def _opens_ephemeral(self) -> bool:
        """Whether the answer can be shown in the group; not if it was begun in the private chat."""
        if self._way.query_id or await self._private.has_message():
            return False
        return await self._ephemeral.open()

    async def _reaches_user(self) -> bool:
        """Whether the user has a private chat with the bot, which Telegram tells."""
        try:
            await self._messenger.api.send_typing(self._way.user_id)
        except TokenRefusedError:
            raise
        except UpstreamRefusedError as error:
            _log.info("telegram.no_private_chat", error=str(error))
            return False
        except PassingUpstreamError as error:
            _log.info("telegram.private_chat_unknown", error=str(error))
        return True

    async def _refer_to_private_chat(self) -> None:
        text = say(self.target.locale, "guest-withheld")
        await self._tell_group(f"{text} {self._way.link}".rstrip())

    async def _tell_group(self, text: str) -> None:
        """Show a line without content in the group, once."""
        messenger, target, hold = self._messenger, self.target, self._hold
        if self._way.query_id:
            query = GuestDelivery(messenger, target, hold, self._way.query_id)
            await query.complete([RenderedMessage(text)])
            return
        await Delivery(messenger, target, hold).precede({GROUP_LINE: GroupLine(text)})
