"""The context of an update: its user, its conversation, and the target of its answer."""

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
    """Chooses the thread of a conversation; with `per_topic`, each topic has its own thread."""

    per_topic: bool = False

    def of(self, user_id: int, topic_id: int | None) -> str:
        """The thread id for a user's messages in a topic, or outside of topics with None."""
        return thread_of(user_id, topic_id if self.per_topic else None)


@dataclass(frozen=True, slots=True)
class UpdateContext:
    """The context in which an update is answered.

    - `account`: the account of the user.
    - `target`: the target of the answer.
    - `hold`: confirms that this worker still holds the user's lane.
    - `thread_id`: the conversation of the update.
    - `is_permitted`: whether the user may use the bot.
    """

    account: Account
    target: ReplyTarget
    hold: Hold
    thread_id: str
    is_permitted: bool = True

    def request(
        self, message: IncomingMessage, update_id: int | None = None, revision: int = 0
    ) -> TurnRequest:
        """The request for a turn that answers a message.

        `update_id` is the update that brought the message, by default the update of the target.
        """
        account = self.account
        request_update_id = self.target.update_id if update_id is None else update_id
        user = account.in_turn(message.user)
        return TurnRequest(
            thread_id=self.thread_id,
            request_id=f"tg:{request_update_id}",
            message=replace(message, user=user),
            revision=revision,
            # A message that was sent before /new belongs to the old conversation.
            fresh_from=account.fresh_from if account.fresh_from < request_update_id else 0,
        )


def user_of(inbound: WrittenUpdate | Press) -> User:
    """The user who sent the update."""
    return inbound.message.user if isinstance(inbound, Turn) else inbound.user


def target_of(
    inbound: WrittenUpdate | Press, account: Account, update_id: int, *, is_permitted: bool = True
) -> ReplyTarget:
    """The target of the answer to an update.

    If the user is not permitted to use the bot, the text of the update is not read.
    """
    content = inbound.turn if isinstance(inbound, Edit) else inbound
    message = content.message if isinstance(content, Turn) and is_permitted else None
    text, client_language = message.words() if message else "", user_of(content).language_code
    locale = account.locale_for(text, client_language)
    if not is_permitted:
        return ReplyTarget(update_id, content.chat_id, locale, time_zone=account.time_zone)
    return ReplyTarget(
        update_id,
        content.chat_id,
        locale,
        links_in(message.text if message else ""),
        after_id=content.message_id,
        topic_id=content.topic_id,
        media_text=message.media_text if message else "",
        is_of_media=bool(message and message.media_text and not message.forwarded),
        time_zone=account.time_zone,
    )
