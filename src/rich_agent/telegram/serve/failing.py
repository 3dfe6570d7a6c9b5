"""Tells whoever waits for an answer that it failed, or when to expect it."""

import asyncio
from datetime import UTC, datetime, timedelta

from rich_agent.chat_commands.conversation import stop_button
from rich_agent.errors import TurnHeldError
from rich_agent.phrases import say, say_wait, show_moment
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import Lane
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.serve.handling import UpdateHandler
from rich_agent.turns.apologies import apology

_TRIES = 5
_PAUSE_S = 1.0


async def apologize(handler: UpdateHandler, lane: Lane, error: Exception, hold: Hold) -> None:
    """Tell in one sentence that the answer failed, unless the answer was already shown.

    Raises: UpstreamError, DatabaseUnavailableError, DeliveryPostponedError, LaneLostError.
    """
    if await handler.internal.fail(lane.updates, error):
        return
    delivery = await handler.delivery_of(lane.updates, hold)
    if delivery and not await delivery.is_answered():
        await delivery.complete([RenderedMessage(apology(error, delivery.target.locale))])


async def promise(handler: UpdateHandler, lane: Lane, held: TurnHeldError, hold: Hold) -> None:
    """Tell when to expect the answer; in Telegram, that message later becomes the answer.

    Raises: DatabaseUnavailableError, LaneLostError.
    """
    if await handler.internal.wait(lane.updates, held):
        return
    delivery = await handler.delivery_of(lane.updates, hold)
    if delivery is None:
        return
    locale = delivery.target.locale
    at = datetime.now(UTC) + timedelta(seconds=held.wait_s)
    text = say(locale, "status-held", at=show_moment(at), wait=say_wait(held.wait_s, locale))
    button = stop_button(delivery.target.in_hand, locale)
    for _ in range(_TRIES):
        if await delivery.grow(RenderedMessage(text, buttons=((button,),))):
            return
        await asyncio.sleep(_PAUSE_S)
