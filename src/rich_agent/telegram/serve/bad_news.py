"""Tells a user in the place of the answer that it failed, or when it is to be expected."""

import asyncio
from datetime import UTC, datetime, timedelta

from rich_agent.errors import TurnHeldError
from rich_agent.limit_phrases import say_wait, show_moment
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.stopping import stop_button
from rich_agent.telegram.serve.apologies import apology

_TRIES = 5
_PAUSE_S = 1.0


async def apologize(delivery: Delivery, error: Exception) -> None:
    """Say in one sentence that the answer failed, unless it was shown already.

    Raises: UpstreamError, DatabaseUnavailableError, DeliveryPostponedError, LaneLostError.
    """
    if not await delivery.is_answered():
        await delivery.complete([RenderedMessage(apology(error, delivery.target.locale))])


async def promise(delivery: Delivery, held: TurnHeldError) -> None:
    """Say when the answer is to be expected; the message becomes the answer then.

    Raises: LaneLostError.
    """
    locale = delivery.target.locale
    at = datetime.now(UTC) + timedelta(seconds=held.wait_s)
    text = say(locale, "status-held", at=show_moment(at), wait=say_wait(held.wait_s, locale))
    button = stop_button(delivery.target.in_hand, locale)
    for _ in range(_TRIES):
        if await delivery.grow(RenderedMessage(text, buttons=((button,),))):
            return
        await asyncio.sleep(_PAUSE_S)
