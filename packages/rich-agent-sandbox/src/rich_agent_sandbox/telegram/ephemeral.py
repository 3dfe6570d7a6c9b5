"""Ephemeral messages: messages of a group that only the bot and one member see.

They are in no history and are lost at a restart, as in Telegram. Sources:
https://core.telegram.org/bots/api#ephemeral-messages-and-commands,
https://core.telegram.org/bots/api#ephemeralmessageparameters
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rich_agent_sandbox.telegram.chats import Chat, Message, User
from rich_agent_sandbox.telegram.groups import Groups
from rich_agent_sandbox.telegram.keyboards import read_keyboard
from rich_agent_sandbox.telegram.params import Params
from rich_agent_sandbox.telegram.refusals import BotApiError, bad_request
from rich_agent_sandbox.telegram.text.entities import FormattedText
from rich_agent_sandbox.telegram.text.formatting import read_text
from rich_agent_sandbox.telegram.text.rich import read_blocks, words_of
from rich_agent_sandbox.telegram.widgets import METHODS as WIDGET_METHODS
from rich_agent_sandbox.telegram.wire import message_json

ANSWERED_WITHIN_S = 15.0
PARAMETERS = "ephemeral_message_parameters"
METHODS = frozenset(
    {
        "deleteEphemeralMessage",
        "editEphemeralMessageReplyMarkup",
        "editEphemeralMessageText",
    }
)
ServerAge = Literal["new", "ignoring", "old"]
"""An "old" server knows neither the methods nor the parameter of sendMessage, which it ignores, and
no widgets, which are newer; an "ignoring" one knows only the methods. No server is known that does
the latter."""
_IN_GROUP = frozenset({"creator", "administrator", "member", "restricted"})


@dataclass(frozen=True, slots=True)
class EphemeralMessage:
    """A message between the bot and one member of a group, who alone sees it."""

    id: int
    member: User
    message: Message
    receiver: User

    def to_json(self, chat: Chat) -> dict[str, Any]:
        """The `Message` in the Bot API's form: its message_id is 0."""
        ids = {"ephemeral_message_id": self.id, "receiver_user": self.receiver.to_json()}
        return {**message_json(chat, self.message), **ids}


@dataclass(frozen=True, slots=True)
class EphemeralPress:
    """A press by which a bot may send an ephemeral message for 15 s."""

    chat_id: int
    user_id: int
    at: float


@dataclass(slots=True)
class Ephemerals:
    """The ephemeral messages of all groups by chat and id, and the presses that permit more.

    An id counts within its chat. `answered_within_s`: for which a press or a message permits more.
    """

    clock: Callable[[], float] = time.time
    server: ServerAge = "new"
    answered_within_s: float = ANSWERED_WITHIN_S
    presses: dict[str, EphemeralPress] = field(default_factory=dict)
    _messages: dict[int, dict[int, EphemeralMessage]] = field(default_factory=dict)
    _last_ids: dict[int, int] = field(default_factory=dict)

    def add(self, chat_id: int, member: User, message: Message, receiver: User) -> EphemeralMessage:
        """Add a message of the bot to a member, or of the member to the bot."""
        new_id = self._last_ids.get(chat_id, 0) + 1
        self._last_ids[chat_id] = new_id
        added = EphemeralMessage(new_id, member, message, receiver)
        self._messages.setdefault(chat_id, {})[new_id] = added
        return added

    def find(self, chat_id: int, message_id: int | None) -> EphemeralMessage | None:
        """The message with an id in a chat, None if there is none."""
        return self._messages.get(chat_id, {}).get(message_id or 0)

    def of(self, chat_id: int, user_id: int) -> list[EphemeralMessage]:
        """The messages of a chat that a user sees, oldest first."""
        messages = self._messages.get(chat_id, {}).values()
        return [one for one in messages if one.member.id == user_id]

    def put(self, chat_id: int, changed: EphemeralMessage) -> None:
        """Replace a message by its new state."""
        self._messages[chat_id][changed.id] = changed

    def remove(self, chat_id: int, message_id: int) -> None:
        """Delete a message."""
        self._messages[chat_id].pop(message_id, None)

    def forget(self) -> None:
        """Drop all messages and presses, and become a new server again."""
        self._messages.clear()
        self._last_ids.clear()
        self.presses.clear()
        self.server, self.answered_within_s = "new", ANSWERED_WITHIN_S

    def check_method(self, method: str) -> None:
        """Raises: BotApiError as of a server that does not know the method."""
        if self.server == "old" and method in METHODS | WIDGET_METHODS:
            raise BotApiError(404, "Not Found")


@dataclass(frozen=True, slots=True)
class Whispering:
    """Decides whether the bot may send a member of a group a message that only they see."""

    ephemerals: Ephemerals
    groups: Groups
    bot: User

    def receiver(self, chat: Chat, params: Params) -> User | None:
        """The user for whom a message is sent; None for everybody in the chat.

        Raises: BotApiError if the bot may not send them an ephemeral message now.
        """
        parameters = params.fields(PARAMETERS)
        if parameters is None or self.ephemerals.server != "new":
            return None
        if chat.type != "group":
            raise bad_request("ephemeral messages can be sent only to groups and supergroups")
        user_id = parameters.get("receiver_user_id")
        if isinstance(user_id, bool) or not isinstance(user_id, int) or user_id <= 0:
            raise bad_request("invalid ephemeral message receiver user identifier specified")
        if user_id == self.bot.id or not self._is_member(chat, user_id):
            raise bad_request("USER_NOT_PARTICIPANT")
        is_asked = self._is_asked(chat, user_id, parameters, params)
        if not (is_asked or self._is_administrator(chat)):
            raise bad_request("MESSAGE_NOT_COMMAND")
        return chat.user if chat.user.id == user_id else User(user_id, f"User {user_id}")

    def _is_member(self, chat: Chat, user_id: int) -> bool:
        return user_id == chat.user.id or self.groups.status(chat.id, user_id) in _IN_GROUP

    def _is_administrator(self, chat: Chat) -> bool:
        """Whether the bot is; it is if nobody said otherwise, so that groups are easily tried."""
        status = self.groups.status(chat.id, self.bot.id, "administrator")
        return status in {"administrator", "creator"}

    def _is_asked(
        self, chat: Chat, user_id: int, parameters: Mapping[str, Any], params: Params
    ) -> bool:
        """Whether the user asked for it within 15 s, by a press or by an ephemeral message.

        Raises: BotApiError if they did earlier, or if what is named does not exist; also to a bot
        that is an administrator.
        """
        since = self.ephemerals.clock() - self.ephemerals.answered_within_s
        query_id = parameters.get("callback_query_id")
        reply = (params.fields("reply_parameters") or {}).get("ephemeral_message_id")
        if query_id is not None and reply is not None:
            raise bad_request("a callback query and a message to be replied exclude each other")
        if query_id is not None:
            press = self.ephemerals.presses.get(str(query_id))
            if press is None or (press.chat_id, press.user_id) != (chat.id, user_id):
                raise bad_request("QUERY_ID_INVALID")
            if press.at < since:
                raise bad_request("query is too old and response timeout expired")
            return True
        if reply is None:
            return False
        asked = self.ephemerals.find(chat.id, reply)
        if asked is None or asked.member.id != user_id or asked.message.sent_at < since:
            raise bad_request("MESSAGE_ID_INVALID")
        return not asked.message.sender.is_bot


def edit_text(ephemerals: Ephemerals, chat: Chat, params: Params) -> None:
    """EditEphemeralMessageText; without a keyboard, the old one is removed."""
    known = _own(ephemerals, chat, params)
    blocks = read_blocks(params)
    content = read_text(params) if blocks is None else FormattedText(words_of(list(blocks)))
    keyboard = read_keyboard(params)
    changed = replace(known.message, content=content, keyboard=keyboard, blocks=blocks or ())
    _put(ephemerals, chat, known, changed)


def edit_keyboard(ephemerals: Ephemerals, chat: Chat, params: Params) -> None:
    """EditEphemeralMessageReplyMarkup."""
    known = _own(ephemerals, chat, params)
    _put(ephemerals, chat, known, replace(known.message, keyboard=read_keyboard(params)))


def delete(ephemerals: Ephemerals, chat: Chat, params: Params) -> None:
    """DeleteEphemeralMessage."""
    ephemerals.remove(chat.id, _own(ephemerals, chat, params, verb="delete").id)


def _own(
    ephemerals: Ephemerals, chat: Chat, params: Params, verb: str = "edit"
) -> EphemeralMessage:
    """The bot's message that a call names. Raises: BotApiError."""
    known = ephemerals.find(chat.id, params.integer("ephemeral_message_id"))
    is_named = known is not None and known.member.id == params.integer("receiver_user_id")
    if known is None or not is_named or not known.message.sender.is_bot:
        raise bad_request(f"message to {verb} not found")
    return known


def _put(ephemerals: Ephemerals, chat: Chat, known: EphemeralMessage, changed: Message) -> None:
    state, old_state = ((one.content, one.keyboard, one.blocks) for one in (changed, known.message))
    if state == old_state:
        raise bad_request(
            "message is not modified: specified new message content and reply markup are exactly "
            "the same as a current content and reply markup of the message"
        )
    changed = replace(changed, edits=changed.edits + 1, edited_at=ephemerals.clock())
    ephemerals.put(chat.id, replace(known, message=changed))
