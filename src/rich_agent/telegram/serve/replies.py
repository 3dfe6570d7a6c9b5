"""Turns commands and presses of Telegram into requests for all surfaces, and shows replies."""

from dataclasses import replace
from functools import partial

import structlog

from rich_agent.chat_commands.registry import Presses
from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest
from rich_agent.chat_commands.suggestions import COMMAND_VERB
from rich_agent.domain.living_blocks import query_answer
from rich_agent.errors import DatabaseUnavailableError, MessageGoneError, UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account
from rich_agent.ports.bot_api import RenderedMessage, TelegramApi
from rich_agent.runtime.concurrency import survived
from rich_agent.runtime.reach import log_failure
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.deliver.outbound import pictures_of
from rich_agent.telegram.deliver.update_context import UpdateContext
from rich_agent.telegram.receive.inbound import Command, Inbound, Press

_log = structlog.get_logger()


def command_in(press: Press) -> Command | None:
    """The command that the pressed button stands for, None for other buttons."""
    if press.verb != COMMAND_VERB:
        return None
    name, _, args = press.argument.partition(" ")
    return Command(name, args, press.user, press.chat_id, press.message_id, topic_id=press.topic_id)


async def command_request(
    messenger: Messenger, command: Command, context: UpdateContext
) -> CommandRequest:
    """The request that a command makes. Raises: DatabaseUnavailableError."""
    replies_to = None
    if command.reply_to is not None:
        answer_id = await messenger.outbox.update_of_message(command.chat_id, command.reply_to)
        replies_to = f"tg:{answer_id}" if answer_id else ""
    return CommandRequest(
        command.name,
        command.args,
        command.user,
        context.target.locale,
        context.target.update_id,
        context.account,
        context.thread_id,
        replies_to=replies_to,
        take_away=partial(_take_away, messenger.api, command),
    )


async def _take_away(api: TelegramApi, command: Command) -> bool:
    try:
        await api.delete_message(command.chat_id, command.message_id)
    except MessageGoneError:
        return True
    except UpstreamError:
        return False
    return True


async def placed(messenger: Messenger, inbound: Inbound) -> Inbound:
    """The update; a press in a widget with the widget's topic.

    A client can send any data as a widget's query. What the widget has no button for is a press
    without data, for which every button is outdated.

    Raises: DatabaseUnavailableError.
    """
    if not (isinstance(inbound, Press) and inbound.is_of_widget):
        return inbound
    widget = await messenger.widget(inbound.chat_id, inbound.message_id)
    if widget is None or inbound.data not in widget.shown.action_data:
        return replace(inbound, data="")
    return replace(inbound, topic_id=widget.topic_id)


async def press_request(
    messenger: Messenger, press: Press, account: Account, hold: Hold
) -> PressRequest:
    """The request that a press makes. Raises: DatabaseUnavailableError."""
    locale = account.locale_for(client=press.user.language_code)
    button_facts = press.data, press.user, press.message_id, press.keyboard, press.update_id
    request = PressRequest(*button_facts, locale=locale, hold=hold, account=account)
    if not press.is_of_widget:
        return request
    widget = await messenger.widget(press.chat_id, press.message_id)
    return replace(request, living=widget.block, shown=widget.shown) if widget else request


async def answer_press(
    messenger: Messenger, presses: Presses, press: Press, request: PressRequest
) -> str:
    """Answer a press and show the reply in the chat; return the notice of the reply, "" for none.

    Raises: UpstreamError, LaneLostError.
    """
    locale, hold = request.locale, request.hold
    reply = await presses.answer(request)
    await _show_in_place(messenger, press, reply)
    if reply.below or reply.attachments:
        try:
            delivery = Delivery(messenger, _target_below(press, locale), hold)
            await _send_below(messenger, delivery, reply)
        except DatabaseUnavailableError as error:
            log_failure("telegram.press_without_database", error)
            return say(locale, "database-away")
    return reply.notice


async def notify(messenger: Messenger, press: Press, notice: str) -> None:
    """Mark the press as answered, with a notice that is shown briefly; "" shows nothing.

    A widget is also told what it has to show now.
    """
    # A press can be answered only within 150 s, a widget's query within 15 s; its work is done in
    # any case.
    with survived("telegram.press_unanswered", UpstreamError):
        if press.is_of_widget:
            told = await _told(messenger, press, notice)
            await messenger.api.answer_widget(press.callback_id, told)
        else:
            await messenger.api.answer_callback(press.callback_id, notice)


async def _told(messenger: Messenger, press: Press, notice: str) -> str:
    """The answer to a widget's query; without the widget's state if that is too long with it."""
    widget = await messenger.widget(press.chat_id, press.message_id)
    return query_answer(notice, widget.state if widget else "")


async def _show_in_place(messenger: Messenger, press: Press, reply: PressReply) -> None:
    """Delete or edit the messages that a reply to a press names.

    Failures are only logged, since the work of the press is done.
    """
    for message_id in reply.gone:
        with survived("telegram.promise_stays", UpstreamError):
            await messenger.api.delete_message(press.chat_id, message_id)
    with survived("telegram.press_not_shown", UpstreamError):
        if reply.message is not None:
            await _replace(messenger, press, reply.message)
        elif reply.buttons is not None and not press.is_of_widget:
            await messenger.api.edit_buttons(press.chat_id, press.message_id, reply.buttons)


async def _replace(messenger: Messenger, press: Press, message: RenderedMessage) -> None:
    """Replace the message whose button was pressed; send a new one if the message is gone."""
    try:
        await messenger.edit(press.chat_id, press.message_id, message)
    except MessageGoneError:
        await messenger.send(press.chat_id, message, topic_id=press.topic_id)


async def _send_below(messenger: Messenger, delivery: Delivery, reply: PressReply) -> None:
    """Reply to the message whose button was pressed. Several attempts send one message."""
    pictures = await pictures_of(reply.attachments, delivery.target, messenger.living)
    await delivery.complete([reply.below] if reply.below else [], pictures)


def _target_below(press: Press, locale: str) -> ReplyTarget:
    return ReplyTarget(
        press.update_id,
        press.chat_id,
        locale,
        reply_to=press.message_id,
        after_id=press.message_id,
        topic_id=press.topic_id,
    )
