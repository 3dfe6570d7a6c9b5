"""Routes button presses to their handlers. A press runs no turn and waits for no message."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import structlog

from rich_agent.errors import DatabaseUnavailableError, MessageGoneError, UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, RenderedMessage, TelegramApi
from rich_agent.runtime.surviving import survived
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.receive.inbound import Press

_log = structlog.get_logger()

PressAnswer = Callable[[Press, str, Hold], Awaitable[str]]
"""Takes a press, the locale and the lane's hold; returns a short notice, "" for none."""


@dataclass(frozen=True, slots=True)
class Presses:
    """The buttons that the bot understands: their data is `verb` or `verb:argument`.

    A verb ends in a number. The number grows when the meaning of the argument changes, because
    buttons stay in chats for years.
    """

    answers: Mapping[str, PressAnswer] = field(default_factory=dict)

    async def answer(self, press: Press, locale: str, hold: Hold) -> str:
        """The notice that Telegram shows briefly; an unknown button is reported as out of date."""
        known = self.answers.get(press.verb)
        if known is None:
            return say(locale, "button-outdated")
        try:
            return await known(press, locale, hold)
        except DatabaseUnavailableError as error:
            _log.warning("telegram.press_without_database", error=str(error))
            return say(locale, "database-away")


async def notify(api: TelegramApi, press: Press, notice: str) -> None:
    """Mark the press as answered, with a notice that is shown briefly, "" for none."""
    # A press can be answered only within 150 s; its work is done in any case.
    with survived("telegram.press_unanswered", UpstreamError):
        await api.answer_callback(press.callback_id, notice)


async def send_below(
    messenger: Messenger, press: Press, locale: str, hold: Hold, message: RenderedMessage
) -> None:
    """Reply to the message whose button was pressed; several tries send one message.

    Raises: UpstreamError, DatabaseUnavailableError, LaneLostError.
    """
    await Delivery(messenger, target_below(press, locale), hold).complete([message])


def target_below(press: Press, locale: str) -> ReplyTarget:
    """The target of the answer to a press."""
    return ReplyTarget(
        press.update_id,
        press.chat_id,
        locale,
        reply_to=press.message_id,
        after_id=press.message_id,
        topic_id=press.topic_id,
    )


async def replace_pressed(api: TelegramApi, press: Press, message: RenderedMessage) -> None:
    """Replace the message whose button was pressed; send a new one if it is gone.

    Other failures are only logged, since the work of the press is done.
    """
    with survived("telegram.press_not_shown", UpstreamError):
        try:
            await api.edit_message(press.chat_id, press.message_id, message)
        except MessageGoneError:
            await api.send_message(press.chat_id, message, topic_id=press.topic_id)


def paging(verb: str, offset: int, limit: int, total: int) -> tuple[tuple[Button, ...], ...]:
    """A row of buttons for the previous and the next page, as far as they exist."""
    row: list[Button] = []
    if offset > 0:
        row.append(Button("‹", f"{verb}:{max(0, offset - limit)}"))
    if offset + limit < total:
        row.append(Button("›", f"{verb}:{offset + limit}"))
    return (tuple(row),) if row else ()
