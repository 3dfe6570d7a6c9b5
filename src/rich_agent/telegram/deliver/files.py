"""Sends a file in answer to an update, through outbox and limiter."""

from rich_agent.ports.bot_api import FileToSend
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget

_PART = 1
"""The file's part in the outbox; part 0 is the message below the file."""


async def send_file(
    messenger: Messenger, target: ReplyTarget, hold: Hold, file: FileToSend
) -> None:
    """Send the file, unless an earlier try did; if the outcome is unknown, send it again.

    A file that arrives twice does no harm, and the text below it is sent once.

    Raises: UpstreamError, DatabaseUnavailableError, LaneLostError.
    """
    await messenger.limiter.take(target.chat_id)
    await hold()
    part = await messenger.outbox.begin(target.update_id, _PART, target.place)
    if part.message_id is None and part.state != "failed":
        message_id = await messenger.api.send_file(target.chat_id, file, topic_id=target.topic_id)
        await messenger.outbox.sent(target.update_id, _PART, message_id)
