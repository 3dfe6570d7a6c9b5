"""Tells users that a message has to wait for the answer to the one before."""

from dataclasses import replace

from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.runs import RUN_WORK
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import NOTICE, Hold
from rich_agent.telegram.deliver.update_context import target_of, user_of
from rich_agent.telegram.receive.envelope import kind_of
from rich_agent.telegram.receive.inbound import Edit, Turn, Unsupported, read_updates
from rich_agent.telegram.serve.handling import UpdateHandler


async def announce_queued(
    handler: UpdateHandler, update: StoredUpdate, before: StoredUpdate, hold: Hold
) -> bool:
    """Tell the user that a message has to wait until the one `before` it is answered.

    The notice later becomes the answer, so it is sent after the first message of the answer
    before it, unless that is written elsewhere. If answers do not grow in messages, the notice
    stays a message of its own. Returns False if the caller should try again later.
    """
    inbound = read_updates([update])
    if isinstance(inbound, Edit):
        handler.edits.notice(inbound, update)
    if isinstance(inbound, Turn | Unsupported) and handler.edits.is_joined(inbound, update):
        return True
    if not isinstance(inbound, Turn):
        return True
    account = await handler.accounts.find(user_of(inbound).telegram_user_id)
    if not handler.access.permits(user_of(inbound).telegram_user_id, account.is_allowed):
        return True
    target = target_of(inbound, account, update.update_id)
    target = replace(target, reply_to=inbound.message.message_id)
    elsewhere = before.update_id < 0 and kind_of(before.raw) == RUN_WORK
    phrase = "status-queued-elsewhere" if elsewhere else "status-queued"
    notice = RenderedMessage(say(target.locale, phrase))
    delivery = Delivery(handler.messenger, target, hold)
    if handler.answer_options.streaming != "edit":
        return await delivery.announce(notice, number=NOTICE)
    if not elsewhere:
        shown = await handler.messenger.outbox.find(before.update_id, 0)
        if shown is None or shown.message_id is None:
            return False
    return await delivery.announce(notice)
