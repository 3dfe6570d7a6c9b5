"""Sends notices, which a user gets without having written.

Each is sent once, in the user's lane.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import structlog

from rich_agent.domain.people import has_telegram
from rich_agent.domain.words import Words
from rich_agent.errors import RichAgentError
from rich_agent.notices import NoticeRequest, UserNotice, WordNotice
from rich_agent.ports.accounts import Account, Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget
from rich_agent.telegram.receive.envelope import envelope, kind_of
from rich_agent.telegram.serve.unattended import UnattendedTurns

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Notices:
    """Sends one message for each notice. A notice that is tried again is not sent twice.

    `wordings` maps a kind of notice to the function that words it.
    """

    wordings: Mapping[str, WordNotice]
    accounts: Accounts
    messenger: Messenger
    unattended: UnattendedTurns | None = None

    async def send(self, update: StoredUpdate, hold: Hold) -> bool:
        """Send the notice of an update; return False if the update is not about a notice.

        Raises: RichAgentError, and any error of the wording or its content.
        """
        word_notice = self._wording_of(update)
        if word_notice is None:
            return False
        account, target = await self._account_and_target(update)
        notice = await _word(word_notice, update.update_id, target)
        if notice:
            target = replace(target, topic_id=notice.topic_id)
            await self._deliver(notice, Delivery(self.messenger, target, hold), account)
            await self._note(notice, target.chat_id, update.update_id)
        return True

    async def target_of(self, update: StoredUpdate) -> ReplyTarget | None:
        """The user who waits for an update's notice; None without such a user or such a notice."""
        word_notice = self._wording_of(update)
        if word_notice is None:
            return None
        _, target = await self._account_and_target(update)
        try:
            notice = await _word(word_notice, update.update_id, target)
        except RichAgentError:
            raise
        except Exception:  # noqa: BLE001 - it may be what failed before
            _log.exception("notice.without_target", kind=kind_of(update.raw))
            return None
        is_awaited = notice is not None and notice.is_awaited
        return replace(target, topic_id=notice.topic_id) if notice and is_awaited else None

    def _wording_of(self, update: StoredUpdate) -> WordNotice | None:
        # Ids from Telegram are positive, so an update from there can never pass for a notice.
        return self.wordings.get(kind_of(update.raw)) if update.update_id < 0 else None

    async def _account_and_target(self, update: StoredUpdate) -> tuple[Account, ReplyTarget]:
        user_id = envelope(update.raw).user_id
        account = await self.accounts.find(user_id)
        zone = account.time_zone
        return account, ReplyTarget(update.update_id, user_id, account.locale_for(), time_zone=zone)

    async def _deliver(self, notice: UserNotice, delivery: Delivery, account: Account) -> None:
        # A text that was shown before a crash is not worded differently by the next attempt.
        part = await self.messenger.outbox.find(delivery.target.update_id, 0)
        if part and part.text:
            return
        content = notice.content
        if not isinstance(content, RenderedMessage | Words):
            content = await content()
        if isinstance(content, RenderedMessage):
            await delivery.complete([content])
            if notice.is_awaited and self.unattended and has_telegram(delivery.target.chat_id):
                await self.unattended.write_down(content, delivery.target)
        elif self.unattended:
            await self.unattended.answer(content, self.messenger, delivery, account)

    async def _note(self, notice: UserNotice, user_id: int, update_id: int) -> None:
        """Report to the notice's feature, if it asks, whether the message was sent."""
        if notice.note and not has_telegram(user_id):
            await notice.note(0)
            return
        part = await self.messenger.outbox.find(update_id, 0) if notice.note else None
        if notice.note and part and (part.state == "failed" or part.message_id is not None):
            await notice.note(None if part.state == "failed" else part.message_id)


async def _word(word_notice: WordNotice, update_id: int, target: ReplyTarget) -> UserNotice | None:
    """The notice of an update; None if there is nothing to say."""
    content = await word_notice(NoticeRequest(update_id, target.chat_id, target.clocks))
    return UserNotice(content) if isinstance(content, RenderedMessage) else content
