"""What a user is told who sends more than the bot keeps in line."""

from dataclasses import replace

import structlog

from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.deliver.delivery import Delivery, Messenger
from rich_agent.telegram.deliver.update_context import UpdateContext
from rich_agent.telegram.receive.inbound import Turn, Unsupported

_log = structlog.get_logger()


async def tell_too_many(
    messenger: Messenger, inbound: Turn | Unsupported, context: UpdateContext
) -> None:
    """Say below the message that it, and those after it, are not answered.

    Raises: UpstreamError, DatabaseUnavailableError.
    """
    _log.warning("telegram.too_many")
    asked = inbound.message if isinstance(inbound, Turn) else inbound
    target = replace(context.target, reply_to=asked.message_id)
    notice = RenderedMessage(say(target.locale, "too-many"))
    await Delivery(messenger, target, context.hold).complete([notice])
