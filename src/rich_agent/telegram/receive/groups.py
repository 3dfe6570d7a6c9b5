"""Lets through what people in groups ask the bot, cut to what an answer needs; nothing else."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich_agent.domain.json_values import read_json
from rich_agent.telegram.receive.wire import UNREADABLE_KINDS

GUEST_KIND = "guest_message"
"""The Bot API's name for a question to a bot that is no member of the chat."""
_MESSAGE_KINDS = frozenset({"message", "edited_message", GUEST_KIND})
_LEFT_OUT = ("photo", *UNREADABLE_KINDS)
_ALWAYS = ("message", "edited_message", "callback_query", "stopped_message_generation")

Json = Mapping[str, Any]


@dataclass(slots=True)
class GroupGate:
    """Decides at reception what of groups is stored; closed, nothing is.

    A message is for the bot if it mentions the bot's `username`, replies to the bot, or comes as a
    guest query. A question is stored as a guest message, without names, titles and files of the
    group.
    """

    bot_id: int = 0
    username: str = ""
    is_open: bool = False

    @property
    def allowed_updates(self) -> tuple[str, ...]:
        """The kinds of updates to ask Telegram for. Messages of groups come as messages too."""
        return (*_ALWAYS, GUEST_KIND) if self.is_open else _ALWAYS

    def admit(self, raw: bytes) -> bytes | None:
        """The update as it is to be stored; None if it is of a group and not for the bot."""
        update = read_json(raw)
        if not isinstance(update, dict):
            return raw
        kind = next((name for name, value in update.items() if isinstance(value, dict)), "")
        if kind not in _MESSAGE_KINDS:
            return raw
        message = update[kind]
        if kind != GUEST_KIND and _fields(message, "chat").get("type") in {"private", None}:
            return raw
        if not self.is_open or kind == "edited_message" or not self._is_asked(message):
            return None
        question = self._cut(message)
        return json.dumps({"update_id": update.get("update_id"), GUEST_KIND: question}).encode()

    def _is_asked(self, message: Json) -> bool:
        sender = _fields(message, "from")
        # Channels and anonymous admins have no limits of their own, and bots would never end.
        if not sender or sender.get("is_bot") or message.get("sender_chat"):
            return False
        if message.get("forward_origin") or message.get("via_bot"):
            return False
        replied = _fields(_fields(message, "reply_to_message"), "from").get("id")
        is_query = bool(message.get("guest_query_id"))
        return is_query or replied == self.bot_id or any(self._mentions(message))

    def _mentions(self, message: Json) -> Iterator[tuple[int, int]]:
        """The places where the bot is named, in UTF-16 units."""
        text, entities = _written(message)
        for entity in entities:
            start, length = entity.get("offset"), entity.get("length")
            if not isinstance(start, int) or not isinstance(length, int):
                continue
            named = text[2 * start : 2 * (start + length)].decode("utf-16-le", "replace")
            by_name = entity.get("type") == "mention" and self.username
            is_us = by_name and named.casefold() == f"@{self.username}".casefold()
            if is_us or _fields(entity, "user").get("id") == self.bot_id:
                yield start, start + length

    def _cut(self, message: Json) -> dict[str, Any]:
        text, _ = _written(message)
        for start, end in sorted(self._mentions(message), reverse=True):
            text = text[: 2 * start] + text[2 * end :]
        kept = _only(message, "message_id", "message_thread_id", "is_topic_message")
        question: dict[str, Any] = {
            **kept,
            "chat": _only(_fields(message, "chat"), "id", "type"),
            "from": _only(_fields(message, "from"), "id", "first_name", "language_code"),
            "text": text.decode("utf-16-le", "replace").strip(),
            "left_out": [kind for kind in _LEFT_OUT if kind in message],
        }
        if isinstance(message.get("guest_query_id"), str):
            question["guest_query_id"] = message["guest_query_id"]
        if isinstance(quote := _fields(message, "quote").get("text"), str):
            question["quote"] = {"text": quote}
        if replied := _fields(message, "reply_to_message"):
            question["reply_to_message"] = _replied(replied)
            question["left_out"] += [kind for kind in _LEFT_OUT if kind in replied]
        return question


def _replied(message: Json) -> dict[str, Any]:
    text, _ = _written(message)
    return {
        **_only(message, "message_id"),
        "chat": _only(_fields(message, "chat"), "id", "type"),
        "from": _only(_fields(message, "from"), "id", "is_bot"),
        "text": text.decode("utf-16-le", "replace"),
    }


def _written(message: Json) -> tuple[bytes, list[Json]]:
    """The text or caption in UTF-16, in which entities count, and its entities."""
    name = "text" if message.get("text") else "caption"
    text = message.get(name)
    entities = message.get("entities" if name == "text" else "caption_entities")
    found = entities if isinstance(entities, list) else []
    return (
        (text if isinstance(text, str) else "").encode("utf-16-le", "surrogatepass"),
        [entity for entity in found if isinstance(entity, dict)],
    )


def _fields(value: Json, name: str) -> Json:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _only(value: Json, *names: str) -> dict[str, Any]:
    return {name: value[name] for name in names if name in value}
