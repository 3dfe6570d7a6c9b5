"""The surroundings of an update: its user, its conversation, and where the answer goes."""

from dataclasses import dataclass, replace

from rich_agent.domain.answer.links import links_in
from rich_agent.domain.message import IncomingMessage, TurnRequest, User, thread_of
from rich_agent.ports.accounts import Account
from rich_agent.telegram.deliver.messenger import Hold, ReplyTarget
from rich_agent.telegram.receive.inbound import (
    Command,
    Edit,
    Press,
    Turn,
    Unsupported,
)

WrittenUpdate = Turn | Edit | Command | Unsupported


@dataclass(frozen=True, slots=True)
class Threads:
    """Chooses the thread of a conversation; `per_topic` gives each topic one of its own."""

    per_topic: bool = False

    def of(self, user_id: int, topic_id: int | None) -> str:
        """The thread of what a user says in a topic, or outside of any."""
        return thread_of(user_id, topic_id if self.per_topic else None)


@dataclass(frozen=True, slots=True)
class UpdateContext:
    """The user's account, where the answer goes, the lane's hold, and whether they have access.

    `thread_id` is the conversation that it belongs to.
    """

    account: Account
    target: ReplyTarget
    hold: Hold
    thread_id: str
    is_permitted: bool = True

    def request(
        self, message: IncomingMessage, update_id: int | None = None, revision: int = 0
    ) -> TurnRequest:
        """The turn that answers a message, which came by the update in hand or an earlier one."""
        account = self.account
        number = self.target.update_id if update_id is None else update_id
        user = account.in_turn(message.user)
        return TurnRequest(
            thread_id=self.thread_id,
            request_id=f"tg:{number}",
            message=replace(message, user=user),
            revision=revision,
            # A message that was sent before /new belongs to the old conversation.
            fresh_from=account.fresh_from if account.fresh_from < number else 0,
        )


def user_of(inbound: WrittenUpdate | Press) -> User:
    """The user who sent it."""
    return inbound.message.user if isinstance(inbound, Turn) else inbound.user


def target_of(
    inbound: WrittenUpdate | Press, account: Account, update_id: int, *, is_permitted: bool = True
) -> ReplyTarget:
    """The chat and the language of the answer, and the links that the update contains.

    If the user is not permitted to use the bot, the text is not read.
    """
    update_read = inbound.turn if isinstance(inbound, Edit) else inbound
    message = update_read.message if isinstance(update_read, Turn) and is_permitted else None
    words, client = message.words() if message else "", user_of(update_read).language_code
    locale = account.locale_for(words, client)
    if not is_permitted:
        return ReplyTarget(update_id, update_read.chat_id, locale, time_zone=account.time_zone)
    return ReplyTarget(
        update_id,
        update_read.chat_id,
        locale,
        links_in(message.text if message else ""),
        after_id=update_read.message_id,
        topic_id=update_read.topic_id,
        media_text=message.media_text if message else "",
        is_of_media=bool(message and message.media_text and not message.forwarded),
        time_zone=account.time_zone,
    )
