"""Messages that one member of a group sees. python-telegram-bot 22.8 knows nothing of them.

Source: https://core.telegram.org/bots/api#ephemeral-messages-and-commands
"""

from dataclasses import dataclass, replace
from typing import Any

from rich_agent.errors import MessageGoneError, TokenRefusedError, UpstreamRefusedError
from rich_agent.ports.bot_api import EphemeralPlace, NotEphemeralError, RenderedMessage
from rich_agent.upstreams.telegram.calls import (
    NO_PREVIEW,
    SERVICE,
    TranslatingBot,
    to_entities,
    to_keyboard,
)

_NO_MESSAGE = 0
_NO_ORIGINAL = "message to be replied not found"


@dataclass(frozen=True, slots=True)
class EphemeralCalls:
    """Implements `EphemeralApi`."""

    bot: TranslatingBot

    async def is_known(self, place: EphemeralPlace) -> bool:
        """See `EphemeralApi.is_known`.

        The call names a message that there cannot be. A server that knows the method refuses it for
        that; another one answers as if the token were unknown.
        """
        try:
            await self.delete(place, _NO_MESSAGE)
        except TokenRefusedError:
            return False
        except UpstreamRefusedError:
            return True
        return True

    async def send(self, place: EphemeralPlace, message: RenderedMessage) -> int:
        """See `EphemeralApi.send`."""
        try:
            return await self._send(place, message)
        except UpstreamRefusedError as error:
            if not _is_about_reply(error, place):
                raise
        no_reply = replace(place, reply_to=None, reply_to_ephemeral=None)
        try:
            return await self._send(no_reply, message)
        except MessageGoneError as error:
            raise UpstreamRefusedError(SERVICE, str(error)) from error

    async def _send(self, place: EphemeralPlace, message: RenderedMessage) -> int:
        result = await self.bot.call(
            "sendMessage",
            {
                "chat_id": place.chat_id,
                "ephemeral_message_parameters": {"receiver_user_id": place.receiver_id},
                "message_thread_id": place.topic_id,
                "reply_parameters": _reply_of(place),
                **_text_of(message),
            },
        )
        return _id_in(result, place.receiver_id)

    async def edit(self, place: EphemeralPlace, message_id: int, message: RenderedMessage) -> None:
        """See `EphemeralApi.edit`."""
        named = _name_of(place, message_id)
        await self.bot.call("editEphemeralMessageText", {**named, **_text_of(message)})

    async def delete(self, place: EphemeralPlace, message_id: int) -> None:
        """See `EphemeralApi.delete`."""
        await self.bot.call("deleteEphemeralMessage", _name_of(place, message_id))


def _text_of(message: RenderedMessage) -> dict[str, Any]:
    return {
        "text": message.text,
        "entities": to_entities(message),
        "link_preview_options": NO_PREVIEW,
        "reply_markup": to_keyboard(message.buttons),
    }


def _reply_of(place: EphemeralPlace) -> dict[str, int] | None:
    if place.reply_to_ephemeral is not None:
        return {"ephemeral_message_id": place.reply_to_ephemeral}
    return {"message_id": place.reply_to} if place.reply_to else None


def _is_about_reply(error: UpstreamRefusedError, place: EphemeralPlace) -> bool:
    """Whether Telegram refuses what is replied to: it was deleted, or is older than 15 s.

    For an ephemeral message `allow_sending_without_reply` is always false.
    Source: https://core.telegram.org/bots/api#replyparameters
    """
    is_gone = isinstance(error, MessageGoneError) or _NO_ORIGINAL in str(error).lower()
    return is_gone and _reply_of(place) is not None


def _name_of(place: EphemeralPlace, message_id: int) -> dict[str, int]:
    return {
        "chat_id": place.chat_id,
        "receiver_user_id": place.receiver_id,
        "ephemeral_message_id": message_id,
    }


def _id_in(result: object, receiver_id: int) -> int:
    """The id of an ephemeral message of this receiver. Raises: NotEphemeralError."""
    message = result if isinstance(result, dict) else {}
    ephemeral_id, number = message.get("ephemeral_message_id"), message.get("message_id")
    receiver = message.get("receiver_user")
    is_other = isinstance(receiver, dict) and receiver.get("id") != receiver_id
    if not isinstance(ephemeral_id, int) or number or is_other:
        raise NotEphemeralError(SERVICE, number if isinstance(number, int) else 0)
    return ephemeral_id
