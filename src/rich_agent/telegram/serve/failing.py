"""Tells the waiting user that the answer failed, or when to expect it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from rich_agent.chat_commands.conversation import stop_button
from rich_agent.errors import TurnHeldError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import Lane, StoredUpdate
from rich_agent.ports.runs import RUN_WORK
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import NOTICE, Hold, ReplyTarget
from rich_agent.telegram.deliver.update_context import target_of, user_of
from rich_agent.telegram.receive.envelope import kind_of
from rich_agent.telegram.receive.inbound import Edit, Inbound, Turn, Unsupported, read_updates
from rich_agent.telegram.serve.handling import UpdateHandler
from rich_agent.times import say_wait
from rich_agent.turns.apologies import apology

_TRIES = 5
_PAUSE_S = 1.0


async def apologize(handler: UpdateHandler, lane: Lane, error: Exception, hold: Hold) -> None:
    """Tell the user in one sentence that the answer failed, unless the answer was already shown.

    Raises: UpstreamError, DatabaseUnavailableError, DeliveryPostponedError, LaneLostError.
    """
    if await handler.internal.fail(lane.updates, error):
        return
    await handler.tell_followers(lane.updates[0].update_id, error)
    delivery = await handler.delivery_of(lane.updates, hold)
    if delivery and not await delivery.is_answered():
        await delivery.complete([RenderedMessage(apology(error, delivery.target.clocks))])


async def promise(handler: UpdateHandler, lane: Lane, delay: TurnHeldError, hold: Hold) -> None:
    """Tell the user when to expect the answer; in Telegram, the notice later becomes the answer.

    Raises: DatabaseUnavailableError, LaneLostError.
    """
    if await handler.internal.wait(lane.updates, delay):
        return
    await handler.tell_followers(lane.updates[0].update_id, delay)
    delivery = await handler.delivery_of(lane.updates, hold)
    if delivery is None:
        return
    clocks = delivery.target.clocks
    moment = datetime.now(UTC) + timedelta(seconds=delay.wait_s)
    text = say(
        clocks.locale,
        "status-held",
        at=clocks.moment(moment),
        wait=say_wait(delay.wait_s, clocks.locale),
    )
    button = stop_button(delivery.target.in_hand, clocks.locale)
    for _ in range(_TRIES):
        if await delivery.grow(RenderedMessage(text, buttons=((button,),))):
            return
        await asyncio.sleep(_PAUSE_S)


async def announce_waiting(
    handler: UpdateHandler, update: StoredUpdate, before: StoredUpdate, hold: Hold
) -> bool:
    """Tell the user that a message waits for the answer to `before`; False means try again later.

    If answers grow in messages, the notice later becomes the answer to the waiting message. So the
    notice has to follow the first message of the answer to `before`, unless `before` is a run of
    the API, whose answer is written elsewhere. Otherwise the notice is a separate message.
    """
    inbound = read_updates([update])
    if isinstance(inbound, Edit):
        handler.edits.notice(inbound, update)
    if isinstance(inbound, Turn | Unsupported) and handler.edits.is_joined(inbound, update):
        return True
    target = await _target_of_question(handler, inbound, update)
    if target is None:
        return True
    is_elsewhere = before.update_id < 0 and kind_of(before.raw) == RUN_WORK
    if handler.answer_options().streaming == "edit" and not is_elsewhere:
        first_part = await handler.messenger.outbox.find(before.update_id, 0)
        if first_part is None or first_part.message_id is None:
            return False
    phrase = "status-queued-elsewhere" if is_elsewhere else "status-queued"
    return await _announce(handler, target, say(target.locale, phrase), hold)


async def announce_crowd(handler: UpdateHandler, lane: Lane, place: int, hold: Hold) -> bool:
    """Tell the user the place in the queue of all users; False means try again later."""
    inbound = read_updates(lane.updates)
    target = await _target_of_question(handler, inbound, lane.updates[0])
    if target is None:
        return True
    return await _announce(handler, target, say(target.locale, "status-crowd", place=place), hold)


async def _target_of_question(
    handler: UpdateHandler, inbound: Inbound, update: StoredUpdate
) -> ReplyTarget | None:
    """The chat of a question; None if the update is no question or its user may not ask."""
    if not isinstance(inbound, Turn):
        return None
    account = await handler.accounts.find(user_of(inbound).telegram_user_id)
    if not handler.access.permits(user_of(inbound).telegram_user_id, account.is_allowed):
        return None
    target = target_of(inbound, account, update.update_id)
    return replace(target, reply_to=inbound.message.message_id)


async def _announce(handler: UpdateHandler, target: ReplyTarget, text: str, hold: Hold) -> bool:
    delivery = Delivery(handler.messenger, target, hold)
    grows = handler.answer_options().streaming == "edit"
    return await delivery.announce(RenderedMessage(text), number=0 if grows else NOTICE)
