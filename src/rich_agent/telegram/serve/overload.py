"""What a user is told who sends more than the bot keeps in line."""

from dataclasses import replace

import structlog

from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.deliver.delivery import Delivery, Post
from rich_agent.telegram.deliver.occasion import Occasion
from rich_agent.telegram.receive.inbound import Turn, Unsupported

_log = structlog.get_logger()


async def tell_too_many(post: Post, inbound: Turn | Unsupported, occasion: Occasion) -> None:
    """Say below the message that it, and those after it, are not answered.

    Raises: UpstreamError, DatabaseUnavailableError.
    """
    _log.warning("telegram.too_many")
    asked = inbound.message if isinstance(inbound, Turn) else inbound
    target = replace(occasion.target, reply_to=asked.message_id)
    notice = RenderedMessage(say(target.locale, "too-many"))
    await Delivery(post, target, occasion.hold).complete([notice])
