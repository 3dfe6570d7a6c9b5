"""Media in messages of Telegram, read before a turn begins and quoted above its answer."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.domain.text import shorten, utf16_length
from rich_agent.errors import UpstreamError
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi, TextEntity
from rich_agent.rendering.markdown import LONG_QUOTE_UNITS
from rich_agent.rendering.spans import nest_entities, restrict_links
from rich_agent.runtime.concurrency import survived, task_group
from rich_agent.telegram.receive.inbound import LONGEST_TEXT, Turn, Unsupported
from rich_agent.turns.media import MediaTexts

_GLANCE_CHARS = 300
"""Characters quoted above a growing answer or a question, which has only one message."""
_TYPING_S = 4.0


def media_quote(text: str, allowed_links: Iterable[str] = ()) -> RenderedMessage:
    """The text of media as a quote, folded if it is long. Without text, the message is empty."""
    if not text:
        return RenderedMessage("")
    message = restrict_links(RenderedMessage(text), AllowedLinks.of(allowed_links))
    length_units = utf16_length(text)
    quote_type = "expandable_blockquote" if length_units > LONG_QUOTE_UNITS else "blockquote"
    return RenderedMessage(
        text, nest_entities([TextEntity(quote_type, 0, length_units), *message.entities])
    )


def media_glance(text: str) -> RenderedMessage:
    """The beginning of the text of media as a quote, without links."""
    return media_quote(shorten(text, _GLANCE_CHARS))


@dataclass(frozen=True, slots=True)
class MediaMessages:
    """Puts the text of media into turns, and shows meanwhile that the bot is typing."""

    api: TelegramApi
    texts: MediaTexts

    async def read(self, turn: Turn, update_id: int) -> Turn | Unsupported:
        """The turn with the text of its media, or `Unsupported` if there is nothing to answer.

        Raises: the errors of `MediaTexts.read`.
        """
        message = turn.message
        if not message.media and not (message.reply and message.reply.media):
            return turn
        async with task_group() as group:
            typing_task = group.create_task(self._keep_typing(turn))
            full_message = await self.texts.read(message, f"tg:{update_id}")
            typing_task.cancel()
        if not (full_message.photos or full_message.files or full_message.words()):
            return self._refusal(turn)
        if len(full_message.text) > LONGEST_TEXT:
            unread_kinds = (*full_message.unread, "long_text")
            full_message = replace(
                full_message, text=full_message.text[:LONGEST_TEXT], unread=unread_kinds
            )
        return replace(turn, message=full_message)

    def _refusal(self, turn: Turn) -> Unsupported:
        message = turn.message
        return Unsupported(
            message.media[0].kind if message.media else "unknown",
            message.user,
            turn.chat_id,
            message.message_id,
            topic_id=turn.topic_id,
            phrase=self.texts.refusal_of(message),
        )

    async def _keep_typing(self, turn: Turn) -> None:
        while True:
            with survived("telegram.typing_failed", UpstreamError, level="debug"):
                await self.api.send_typing(turn.chat_id, topic_id=turn.topic_id)
            await asyncio.sleep(_TYPING_S)
