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
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.ports.widgets import SentWidget
from rich_agent.runtime.concurrency import survived
from rich_agent.runtime.reach import log_failure
from rich_agent.telegram.deliver.asking_back import QUESTION_VERBS
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.deliver.outbound import pictures_of
from rich_agent.telegram.deliver.update_context import UpdateContext
from rich_agent.telegram.receive.envelope import CHOICE_VERB
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


async def complete_press(messenger: Messenger, inbound: Inbound, *, was_begun: bool) -> Inbound:
    """The update; a press in a widget with the widget's topic and its block as it is now.

    A client can send any data as a widget's query. What the widget has no button for is a press
    without data, for which every button is outdated. `was_begun`: by an earlier attempt, perhaps.

    Raises: DatabaseUnavailableError.
    """
    if not (isinstance(inbound, Press) and inbound.is_of_widget):
        return inbound
    widget = await messenger.widget(inbound.chat_id, inbound.message_id)
    if widget is None or not _has_button(widget, inbound, was_begun=was_begun):
        return replace(inbound, data="")
    return replace(inbound, topic_id=widget.topic_id, block=widget.present_block)


def _has_button(widget: SentWidget, press: Press, *, was_begun: bool) -> bool:
    """Whether a widget has the pressed button.

    An earlier attempt at the same press may have changed the widget and ended before its work was
    done. Whether a choice still counts is decided by its question.
    """
    if press.data in widget.present_block.action_data:
        return True
    was_changed = was_begun or press.verb == CHOICE_VERB
    return was_changed and press.data in widget.block.action_data


def press_request(press: Press, account: Account, hold: Hold) -> PressRequest:
    """The request that a press makes."""
    locale = account.locale_for(client=press.user.language_code)
    button_facts = press.data, press.user, press.message_id, press.keyboard, press.update_id
    return PressRequest(*button_facts, locale=locale, hold=hold, account=account, block=press.block)


async def answer_press(
    messenger: Messenger, presses: Presses, press: Press, request: PressRequest
) -> str:
    """Answer a press and show the reply in the chat; return the notice of the reply, "" for none.

    Raises: UpstreamError, LaneLostError; DatabaseUnavailableError if its message is gone and was
    not sent anew.
    """
    locale, hold = request.locale, request.hold
    reply = await presses.answer(request)
    await _show_in_place(messenger, press, request, reply)
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
    with survived("telegram.press_unanswered", UpstreamError, DatabaseUnavailableError):
        if press.is_of_widget:
            answer = await widget_answer(messenger, press, notice)
            await messenger.api.answer_widget(press.callback_id, answer)
        else:
            await messenger.api.answer_callback(press.callback_id, notice)


async def widget_answer(messenger: Messenger, press: Press, notice: str) -> str:
    """The answer to a widget's query, with what the widget shows, which only its own user is told.

    Raises: DatabaseUnavailableError.
    """
    is_own = press.chat_id == press.user_id
    widget = await messenger.widget(press.chat_id, press.message_id) if is_own else None
    return query_answer(notice, widget.state if widget else None)


async def refresh_widget(messenger: Messenger, press: Press) -> None:
    """Show what a widget shows once more: the user saw a button that it does not have.

    A widget without a record is deleted, since no button of it works: it is a copy whose sending
    was lost, or its record was deleted.

    Raises: DatabaseUnavailableError.
    """
    if press.chat_id != press.user_id or not (press.is_of_widget and messenger.living):
        return
    chat_id, message_id = press.chat_id, press.message_id
    # Asked first: a send that has ended meanwhile has its record.
    is_sending = await messenger.outbox.is_sending(chat_id)
    with survived("telegram.widget_not_refreshed", UpstreamError, level="info"):
        if await messenger.widget(chat_id, message_id):
            await messenger.living.show_again(chat_id, message_id)
        elif not is_sending:
            _log.info("telegram.unrecorded_widget", message_id=message_id)
            await messenger.api.delete_message(chat_id, message_id)


async def close_choices(messenger: Messenger, press: Press) -> None:
    """Take the choices out of a widget whose question is no longer open.

    Raises: DatabaseUnavailableError.
    """
    block = press.block
    if block is None or messenger.living is None:
        return
    actions = (one for one in block.actions if one.data.partition(":")[0] not in QUESTION_VERBS)
    with survived("telegram.widget_not_refreshed", UpstreamError, level="info"):
        await messenger.living.edit(
            press.chat_id, press.message_id, replace(block, actions=tuple(actions))
        )


async def _show_in_place(
    messenger: Messenger, press: Press, request: PressRequest, reply: PressReply
) -> None:
    """Delete or edit the messages that a reply to a press names.

    Failures are only logged, since the work of the press is done. But once a message is gone, a
    failure of the database is raised, so that another attempt sends the message anew.

    Raises: DatabaseUnavailableError, DeliveryPostponedError, LaneLostError.
    """
    for message_id in reply.gone:
        with survived("telegram.promise_stays", UpstreamError):
            await messenger.api.delete_message(press.chat_id, message_id)
    is_gone = False
    with survived("telegram.press_not_shown", UpstreamError, DatabaseUnavailableError):
        await request.hold()
        is_gone = not await _edit(messenger, press, reply)
    if is_gone:
        with survived("telegram.press_not_shown", UpstreamError):
            await _send_anew(messenger, press, request, reply)


async def _edit(messenger: Messenger, press: Press, reply: PressReply) -> bool:
    """Edit the message whose button was pressed, or its buttons; False if the message is gone."""
    if reply.message is not None:
        try:
            await messenger.edit(press.chat_id, press.message_id, reply.message)
        except MessageGoneError:
            return False
    elif reply.buttons is not None and not press.is_of_widget:
        await messenger.api.edit_buttons(press.chat_id, press.message_id, reply.buttons)
    return True


async def _send_anew(
    messenger: Messenger, press: Press, request: PressRequest, reply: PressReply
) -> None:
    """Send the message of a reply. Several attempts send one, unless another one is sent below."""
    if (message := reply.message) is None:
        return
    if reply.below or reply.attachments:
        await messenger.send(press.chat_id, message, topic_id=press.topic_id)
    else:
        target = replace(_target_below(press, request.locale), reply_to=None)
        await Delivery(messenger, target, request.hold).complete([message])
    if messenger.living:
        await messenger.living.widgets.forget(press.chat_id, press.message_id)


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
