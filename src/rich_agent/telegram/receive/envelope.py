"""Reads the fields that the inbox needs to store an update, and the questions of groups."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pydantic import ValidationError

from rich_agent.chat_commands.suggestions import ASK_VERB, COMMAND_VERB
from rich_agent.domain.json_values import read_json, storable
from rich_agent.domain.text import clean_text, utf16_length
from rich_agent.ports.inbox import ReceivedUpdate
from rich_agent.telegram.receive.wire import UNREADABLE_KINDS, Message, Update

MOST_APART_S = 2
"""Most seconds between a text and the file that it is about, by the dates of the messages."""
# A voice or video message is a message of its own, like a text.
_SPOKEN_OF = frozenset({"photo", "document", "animation", "audio", "video", "live_photo"})

FULL_PIECE = 4095
"""UTF-16 units of a full piece.

The limit is 4096, but a character of two units may not have fitted. Source: Bot API, Message,
`text`.
"""


def join_pieces(pieces: Sequence[str]) -> str:
    """The long text before a client split it.

    A client cuts at the end of a line or word if it can, and Telegram trims the white space at the
    cut. A line end is put back there, so that no two words run together. Nothing is added after a
    full piece, which may have been cut inside a word, or in a script without spaces.
    """
    text = pieces[0] if pieces else ""
    for piece, next_piece in pairwise(pieces):
        text += ("\n" if _lost_white_space(piece, next_piece) else "") + next_piece
    return text


def join_captions(captions: Sequence[str]) -> str:
    """The captions of an album, one per line; repeated captions appear once."""
    return "\n".join(dict.fromkeys(caption for caption in captions if caption))


def _lost_white_space(piece: str, next_piece: str) -> bool:
    if not piece or not next_piece or utf16_length(piece) >= FULL_PIECE:
        return False
    edge_characters = piece[-1] + next_piece[0]
    return not any(
        character.isspace() or _needs_no_space(character) for character in edge_characters
    )


def _needs_no_space(character: str) -> bool:
    """Whether the character belongs to a script without spaces (CJK, kana)."""
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\uffef"


def continues(raws: Sequence[bytes], raw: bytes) -> bool:
    """Whether the update `raw` belongs to the question that the updates `raws` ask.

    The question has to be a text that the user wrote. The update has to come within 2 s, and to be
    a forwarded message, on which the text comments, or a file without a caption, about which the
    text asks.
    """
    first_message, last_message, new_message = _message(raws[0]), _message(raws[-1]), _message(raw)
    if first_message is None or last_message is None or new_message is None:
        return False
    is_text = bool(first_message.text) and not first_message.is_passed_on()
    is_next = (
        new_message.message_id > last_message.message_id
        and 0 <= new_message.date - last_message.date <= MOST_APART_S
    )
    is_here = (new_message.chat.id, new_message.topic_id()) == (
        last_message.chat.id,
        last_message.topic_id(),
    )
    is_file = bool(new_message.kinds() & _SPOKEN_OF) and not new_message.caption
    return is_text and is_next and is_here and (new_message.forward_origin is not None or is_file)


def _message(raw: bytes) -> Message | None:
    try:
        update = Update.model_validate(storable(read_json(raw)))
    except ValidationError:
        return None
    return update.message or update.edited_message


_UPDATE_ID = re.compile(rb'"update_id"\s*:\s*(\d{1,18})\b')
_MEMBER_KIND = "chat_member"
_QUERY_KINDS = ("callback_query", "widget_query")
_URGENT_KINDS = frozenset({*_QUERY_KINDS, "stopped_message_generation", _MEMBER_KIND})
_GROUP_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
# These commands start a turn, so they must not overtake the turn before them.
_TURN_COMMAND = re.compile(r"/(?:retry|plan|review|brainstorm|session)\b", re.IGNORECASE)
_BIGINT = 2**63
CHOICE_VERB = "answer1"
"""Prefix of a button's data if the button answers a question that the bot asked."""
MESSAGE_VERBS = frozenset({CHOICE_VERB, ASK_VERB, COMMAND_VERB})
"""Verbs of buttons whose press counts as a message of its user."""


def envelope(raw: bytes) -> ReceivedUpdate:
    """The update with the fields under which the inbox stores it.

    An unreadable update gets the user id 0. An update without an id gets a negative id made from
    its bytes, so that the same bytes are stored only once.
    """
    update = _parse(raw)
    kind, content = _content(update)
    message = content if kind == "message" else {}
    return ReceivedUpdate(
        update_id=_update_id(update, raw),
        user_id=_user_id(content),
        raw=raw,
        media_group_id=_group_id(message),
        urgent=(kind in _URGENT_KINDS and not _is_choice(content))
        or _is_urgent_command(message)
        or (kind == GUEST_KIND and _is_urgent_in_group(content)),
        text_units=_text_units(message),
        topic_id=_topic_id(message),
        user_message_id=_private_id(message),
    )


def kind_of(raw: bytes) -> str:
    """The Bot API's name for an update's kind (message, callback_query, ...), or "unreadable"."""
    return _content(_parse(raw))[0] or "unreadable"


def _parse(raw: bytes) -> dict[str, Any]:
    update = read_json(raw)
    return update if isinstance(update, dict) else {}


def _content(update: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    for kind, content in update.items():
        if isinstance(content, dict):
            return kind, content
    return "", {}


def _update_id(update: dict[str, Any], raw: bytes) -> int:
    update_id = _bigint(update.get("update_id"))
    if update_id is not None and update_id >= 0:
        return update_id
    id_match = _UPDATE_ID.search(raw)
    if id_match:
        return int(id_match[1])
    return -1 - int.from_bytes(hashlib.sha256(raw).digest()[:8]) // 2


def _user_id(content: dict[str, Any]) -> int:
    # Drafts exist only in private chats, and the id of a private chat is the user's id.
    sender = content.get("from") or (content.get("chat") if "draft_id" in content else None)
    return (_bigint(sender.get("id")) if isinstance(sender, dict) else None) or 0


def _bigint(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if -_BIGINT <= value < _BIGINT else None


def _group_id(message: dict[str, Any]) -> str | None:
    group_id = message.get("media_group_id")
    return group_id if isinstance(group_id, str) and _GROUP_ID.fullmatch(group_id) else None


def _topic_id(message: dict[str, Any]) -> int | None:
    # A thread of replies does not count.
    return _bigint(message.get("message_thread_id")) if message.get("is_topic_message") else None


def _private_id(message: dict[str, Any]) -> int | None:
    chat = message.get("chat")
    is_private = isinstance(chat, dict) and chat.get("type") == "private"
    return _bigint(message.get("message_id")) if is_private else None


def _is_choice(query: dict[str, Any]) -> bool:
    """Whether a press counts as a message, so that it waits in the lane of messages."""
    data = query.get("data")
    return isinstance(data, str) and data.partition(":")[0] in MESSAGE_VERBS


def _is_urgent_command(message: dict[str, Any]) -> bool:
    """Whether a message is a command that overtakes the message being answered.

    A forwarded command is ordinary text.
    """
    text = message.get("text")
    return (
        isinstance(text, str)
        and _is_command(message)
        and not _is_passed_on(message)
        and not _TURN_COMMAND.match(text)
    )


def _is_urgent_in_group(question: dict[str, Any]) -> bool:
    """Whether a stored question of a group is a command that would be urgent in a private chat."""
    command = question.get("group_command")
    return isinstance(command, str) and not _TURN_COMMAND.match(f"/{command}")


def _is_command(message: dict[str, Any]) -> bool:
    """Whether the text begins with an entity that is a command."""
    _, entities = _text_and_entities(message)
    return any(
        entity.get("type") == "bot_command" and entity.get("offset") == 0 for entity in entities
    )


def _is_passed_on(message: dict[str, Any]) -> bool:
    """Whether another person or an inline bot wrote the message."""
    return bool(message.get("forward_origin") or message.get("via_bot"))


def _text_units(message: dict[str, Any]) -> int | None:
    """The UTF-16 length of a text that may be a piece of a longer text, None for other messages."""
    text = message.get("text")
    if not isinstance(text, str) or _is_command(message) or _is_passed_on(message):
        return None
    return utf16_length(clean_text(text))


GUEST_KIND = "guest_message"
"""The Bot API's name for a question to a bot that is no member of the chat."""
_MESSAGE_KINDS = frozenset({"message", "edited_message", GUEST_KIND})
_LEFT_OUT = ("photo", *UNREADABLE_KINDS)
_ALWAYS = (
    *("message", "edited_message", *_QUERY_KINDS, "stopped_message_generation"),
    _MEMBER_KIND,
)

Json = Mapping[str, Any]


@dataclass(slots=True)
class GroupGate:
    """Decides which messages of groups are stored; none while `is_open` is False.

    A message is for the bot if it mentions the bot's `username`, replies to the bot, comes as a
    guest query, is a command with the bot's name (`/status@name`), or is ephemeral, so that only
    the bot sees it. A question is stored as a guest message, without names, titles and files of the
    group. `name` is the bot's display name, "" until Telegram has told it.
    """

    bot_id: int = 0
    username: str = ""
    name: str = ""
    is_open: bool = False

    def names(self) -> tuple[str, str]:
        """The bot's display name and its username."""
        return self.name, self.username

    @property
    def allowed_updates(self) -> tuple[str, ...]:
        """The kinds of updates to ask Telegram for; "message" includes messages of groups."""
        return (*_ALWAYS, GUEST_KIND) if self.is_open else _ALWAYS

    def admit(self, raw: bytes) -> bytes | None:
        """The update in the form to store; None if it comes from a group and is not for the bot."""
        update = read_json(raw)
        if not isinstance(update, dict):
            return raw
        kind = next((name for name, value in update.items() if isinstance(value, dict)), "")
        if kind == _MEMBER_KIND:
            return _without_names(update)
        if kind not in _MESSAGE_KINDS:
            return raw
        message = update[kind]
        if kind != GUEST_KIND and _object_in(message, "chat").get("type") in {"private", None}:
            return raw
        if not self.is_open or kind == "edited_message" or not self._is_for_bot(message):
            return None
        question = self._guest_message(message)
        return json.dumps({"update_id": update.get("update_id"), GUEST_KIND: question}).encode()

    def _is_for_bot(self, message: Json) -> bool:
        sender = _object_in(message, "from")
        # Channels and anonymous admins have no limits of their own, and bots would never end.
        if not sender or sender.get("is_bot") or message.get("sender_chat"):
            return False
        if message.get("forward_origin") or message.get("via_bot"):
            return False
        author_id = _object_in(_object_in(message, "reply_to_message"), "from").get("id")
        is_query = bool(message.get("guest_query_id"))
        is_query = is_query or _is_ephemeral(message) or bool(self._command(message))
        return is_query or author_id == self.bot_id or any(self._mentions(message))

    def _mentions(self, message: Json) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each mention of the bot, in UTF-16 units."""
        text, entities = _text_and_entities(message)
        for entity in entities:
            start, length = entity.get("offset"), entity.get("length")
            if not isinstance(start, int) or not isinstance(length, int):
                continue
            mention = text[2 * start : 2 * (start + length)].decode("utf-16-le", "replace")
            is_mention = entity.get("type") == "mention" and self.username
            is_bot_mention = is_mention and mention.casefold() == f"@{self.username}".casefold()
            if is_bot_mention or _object_in(entity, "user").get("id") == self.bot_id:
                yield start, start + length

    def _command(self, message: Json) -> str:
        """The command for this bot at the beginning, "" for none.

        A command without the bot's name may be for another bot, unless only this one sees it.
        """
        text, entities = _text_and_entities(message)
        for entity in entities:
            length = entity.get("length")
            is_first = entity.get("type") == "bot_command" and entity.get("offset") == 0
            if not (is_first and isinstance(length, int)):
                continue
            words = text[: 2 * length].decode("utf-16-le", "replace")
            name, _, owner = words.removeprefix("/").partition("@")
            is_named = bool(owner) and owner.casefold() == self.username.casefold()
            if is_named or (not owner and _is_ephemeral(message)):
                return name.lower()
        return ""

    def _guest_message(self, message: Json) -> dict[str, Any]:
        text, _ = _text_and_entities(message)
        command = self._command(message)
        for start, end in sorted(self._mentions(message), reverse=True):
            text = text[: 2 * start] + text[2 * end :]
        if command:
            # In a group commands only show. What follows them could be a secret.
            text = b""
        ids = _pick_fields(
            message,
            *("message_id", "message_thread_id", "is_topic_message", "ephemeral_message_id"),
        )
        question: dict[str, Any] = {
            **ids,
            "chat": _pick_fields(_object_in(message, "chat"), "id", "type"),
            "from": _pick_fields(_object_in(message, "from"), "id", "first_name", "language_code"),
            "text": text.decode("utf-16-le", "replace").strip(),
            "left_out": [kind for kind in _LEFT_OUT if kind in message],
        }
        if command:
            question["group_command"] = command
        if isinstance(message.get("guest_query_id"), str):
            question["guest_query_id"] = message["guest_query_id"]
        if isinstance(quote := _object_in(message, "quote").get("text"), str):
            question["quote"] = {"text": quote}
        if original := _object_in(message, "reply_to_message"):
            question["reply_to_message"] = _cut_original(original)
            question["left_out"] += [kind for kind in _LEFT_OUT if kind in original]
        return question


def _is_ephemeral(message: Json) -> bool:
    return _bigint(message.get("ephemeral_message_id")) is not None


def _cut_original(message: Json) -> dict[str, Any]:
    text, _ = _text_and_entities(message)
    return {
        **_pick_fields(message, "message_id"),
        "chat": _pick_fields(_object_in(message, "chat"), "id", "type"),
        "from": _pick_fields(_object_in(message, "from"), "id", "is_bot"),
        "text": text.decode("utf-16-le", "replace"),
    }


def _text_and_entities(message: Json) -> tuple[bytes, list[Json]]:
    """The text or caption in UTF-16, the encoding in which entities count, and its entities."""
    field_name = "text" if message.get("text") else "caption"
    text = message.get(field_name)
    entities = message.get("entities" if field_name == "text" else "caption_entities")
    entity_list = entities if isinstance(entities, list) else []
    return (
        (text if isinstance(text, str) else "").encode("utf-16-le", "surrogatepass"),
        [entity for entity in entity_list if isinstance(entity, dict)],
    )


def _object_in(parent: Json, name: str) -> Json:
    child = parent.get(name)
    return child if isinstance(child, dict) else {}


def _pick_fields(parent: Json, *names: str) -> dict[str, Any]:
    return {name: parent[name] for name in names if name in parent}


def _without_names(update: Json) -> bytes:
    """The update about a group's member, without the names of the group and of people."""
    change = update[_MEMBER_KIND]
    member, chat = _object_in(change, "new_chat_member"), _object_in(change, "chat")
    member_state = {name: member[name] for name in ("status", "is_member") if name in member}
    user = {"id": _object_in(member, "user").get("id")}
    anonymous_change = {
        "from": user,
        "chat": {name: chat.get(name) for name in ("id", "type")},
        "new_chat_member": {**member_state, "user": user},
    }
    return json.dumps(
        {"update_id": update.get("update_id"), _MEMBER_KIND: anonymous_change}
    ).encode()
