"""Notices of features: messages that a user gets without having asked, once, in their lane."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import structlog

from rich_agent.errors import RichAgentError
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.receive.envelope import envelope, kind_of
from rich_agent.times import Clocks

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NoticeRequest:
    """A notice that is to be worded, by the number that `add_notice` gave it."""

    number: int
    user_id: int
    clocks: Clocks

    @property
    def locale(self) -> str:
        """The language of the user."""
        return self.clocks.locale


WordNotice = Callable[[NoticeRequest], Awaitable[RenderedMessage | None]]
"""Words a notice; None if there is nothing to say any more."""


@dataclass(frozen=True, slots=True)
class Notices:
    """Sends one message for each notice; the same one again sends nothing twice.

    `wordings` are the functions that word them, by their kinds.
    """

    wordings: Mapping[str, WordNotice]
    accounts: Accounts
    messenger: Messenger

    async def send(self, update: StoredUpdate, hold: Hold) -> bool:
        """Send the notice of an update; False if it is none.

        Raises: RichAgentError if it is to be tried again. Any other error of the wording is logged,
        and the notice is not sent: it must not hold up the user's lane.
        """
        # Telegram's own numbers are positive, whatever an update of it says.
        kind = kind_of(update.raw) if update.update_id < 0 else ""
        word_notice = self.wordings.get(kind)
        if word_notice is None:
            return False
        target = await self._target(update)
        try:
            message = await word_notice(
                NoticeRequest(update.update_id, target.chat_id, target.clocks)
            )
        except RichAgentError:
            raise
        except Exception:  # noqa: BLE001 - whatever a stranger's function does
            _log.exception("notice.not_worded", kind=kind)
            return True
        if message is not None:
            await Delivery(self.messenger, target, hold).complete([message])
        return True

    async def _target(self, update: StoredUpdate) -> ReplyTarget:
        user_id = envelope(update.raw).user_id
        account = await self.accounts.find(user_id)
        return ReplyTarget(
            update.update_id, user_id, account.locale_for(), time_zone=account.time_zone
        )
