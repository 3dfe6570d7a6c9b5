"""Ids of people: those of Telegram, and those that the product gives to people without Telegram."""

from hashlib import sha256
from typing import Final

TELEGRAM_ID_BITS: Final = 52
"""Most significant bits of an id of Telegram. Source: Bot API, User."""
_FIRST_OTHER_ID: Final = 2**TELEGRAM_ID_BITS
LARGEST_ID: Final = 2 * _FIRST_OTHER_ID - 1
"""The largest id of a person, which JavaScript has exactly."""


def has_telegram(user_id: int) -> bool:
    """Whether the id can be one of Telegram; the others belong to people without Telegram."""
    return user_id < _FIRST_OTHER_ID


def id_without_telegram(name: str) -> int:
    """The id of a person without Telegram who has this name; the same name has the same id.

    It is at most `LARGEST_ID`. Two names have the same id with a probability of 2**-52.
    """
    digest = int.from_bytes(sha256(name.encode()).digest()[:8])
    return _FIRST_OTHER_ID + digest % _FIRST_OTHER_ID
