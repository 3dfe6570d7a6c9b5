"""Hears the recordings of a message before it is answered, while the chat shows "typing…"."""

import asyncio
from dataclasses import dataclass, replace

from rich_agent.domain.message import IncomingMessage
from rich_agent.errors import UpstreamError
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.runtime.concurrency import survived, task_group
from rich_agent.telegram.receive.inbound import LONGEST_TEXT, Turn, Unsupported
from rich_agent.turns.voice import VoiceTranscription, unheard

_TYPING_S = 4.0


@dataclass(frozen=True, slots=True)
class VoiceMessages:
    """Turns recordings into words; what was heard before costs nothing again.

    Without `hearing`, recordings are left out.
    """

    api: TelegramApi
    hearing: VoiceTranscription | None = None

    async def listen(self, turn: Turn, update_id: int) -> Turn | Unsupported:
        """The turn with the words of its recordings; `Unsupported` if nothing is left to answer.

        Raises: what `VoiceTranscription.hear` raises.
        """
        message = turn.message
        if not message.recordings and not (message.reply and message.reply.recordings):
            return turn
        async with task_group() as group:
            typing = group.create_task(self._keep_typing(turn))
            heard = await self._hear(message, update_id)
            typing.cancel()
        if not (heard.photos or heard.files or heard.words()):
            kind = message.recordings[0].kind if message.recordings else "unknown"
            return Unsupported(
                kind, message.user, turn.chat_id, message.message_id, topic_id=turn.topic_id
            )
        if len(heard.text) > LONGEST_TEXT:
            unread = (*heard.unread, "long_text")
            heard = replace(heard, text=heard.text[:LONGEST_TEXT], unread=unread)
        return replace(turn, message=heard)

    async def _hear(self, message: IncomingMessage, update_id: int) -> IncomingMessage:
        if self.hearing is None:
            return unheard(message)
        return await self.hearing.hear(message, f"tg:{update_id}")

    async def _keep_typing(self, turn: Turn) -> None:
        while True:
            with survived("telegram.typing_failed", UpstreamError, level="debug"):
                await self.api.send_typing(turn.chat_id, topic_id=turn.topic_id)
            await asyncio.sleep(_TYPING_S)
