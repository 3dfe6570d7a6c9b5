"""A file in answer to an update, through outbox and limiter."""

from rich_agent.ports.bot_api import FileToSend
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget

_PART = 1
"""In the outbox; part 0 is the message that follows the file."""


async def send_file(
    messenger: Messenger, target: ReplyTarget, hold: Hold, file: FileToSend
) -> None:
    """Send it, unless an earlier try did; one whose outcome is unknown is repeated.

    A file that comes twice does no harm, and its text below is sent once.

    Raises: UpstreamError, DatabaseUnavailableError, LaneLostError.
    """
    await messenger.limiter.take(target.chat_id)
    await hold()
    part = await messenger.outbox.begin(target.update_id, _PART, target.place)
    if part.message_id is None and part.state != "failed":
        message_id = await messenger.api.send_file(target.chat_id, file, topic_id=target.topic_id)
        await messenger.outbox.sent(target.update_id, _PART, message_id)
