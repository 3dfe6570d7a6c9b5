"""The little that must be known of an update before it is stored; never refuses anything."""

import hashlib
import json
import re
from typing import Any

from rich_agent.telegram_ports import ReceivedUpdate

_UPDATE_ID = re.compile(rb'"update_id"\s*:\s*(\d{1,18})\b')
_URGENT_COMMAND = re.compile(r"/(?:stop|cancel)(?:@\w+)?\s*\Z", re.IGNORECASE)
_URGENT_KINDS = frozenset({"callback_query", "stopped_message_generation"})
_BIGINT = 2**63


def envelope(raw: bytes) -> ReceivedUpdate:
    """What the inbox needs to file an update.

    Whatever cannot be read is filed too: under the user 0, and if it has no id under a negative one
    made from its bytes, so that the same bytes are stored once.
    """
    update = _parse(raw)
    kind, content = _content(update)
    message = content.get("message") if kind == "callback_query" else content
    group = message.get("media_group_id") if isinstance(message, dict) else None
    return ReceivedUpdate(
        update_id=_update_id(update, raw),
        user_id=_user_id(content),
        raw=raw,
        media_group_id=group if isinstance(group, str) and kind == "message" else None,
        urgent=kind in _URGENT_KINDS or _is_urgent(content.get("text")),
    )


def _parse(raw: bytes) -> dict[str, Any]:
    try:
        update = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return update if isinstance(update, dict) else {}


def _content(update: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    for kind, content in update.items():
        if isinstance(content, dict):
            return kind, content
    return "", {}


def _update_id(update: dict[str, Any], raw: bytes) -> int:
    known = _bigint(update.get("update_id"))
    if known is not None and known >= 0:
        return known
    found = _UPDATE_ID.search(raw)
    if found:
        return int(found[1])
    return -1 - int.from_bytes(hashlib.sha256(raw).digest()[:8]) // 2


def _user_id(content: dict[str, Any]) -> int:
    # Drafts are of private chats only, whose id is the user's.
    sender = content.get("from") or (content.get("chat") if "draft_id" in content else None)
    return (_bigint(sender.get("id")) if isinstance(sender, dict) else None) or 0


def _bigint(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if -_BIGINT <= value < _BIGINT else None


def _is_urgent(text: object) -> bool:
    return isinstance(text, str) and bool(_URGENT_COMMAND.match(text))
