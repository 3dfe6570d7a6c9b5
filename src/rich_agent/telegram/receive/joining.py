"""Joins what clients send in several messages although it is one question."""

from collections.abc import Sequence
from itertools import pairwise

from pydantic import ValidationError

from rich_agent.domain.json_values import read_json, storable
from rich_agent.domain.text import utf16_length
from rich_agent.telegram.receive.wire import Message, Update

MOST_APART_S = 2
"""Seconds between a text and what it speaks of, by the dates of the messages."""
_SPOKEN_OF = frozenset(
    {
        "photo", "document", "animation", "audio", "voice", "video", "video_note", "live_photo",
    }
)  # fmt: skip

FULL_PIECE = 4095
"""A piece of this many UTF-16 units is full: the limit is 4096, and a character of two units may
not have fitted. Source: Bot API, Message, `text`."""


def join_pieces(pieces: Sequence[str]) -> str:
    """The long text as it was before a client split it.

    A client cuts at the end of a line or word if it can, and Telegram trims the white space at the
    cut. There a line end is put back, so that no two words run together. Nothing is added after a
    full piece, which may have been cut inside a word, or in a script without spaces.
    """
    joined = pieces[0] if pieces else ""
    for before, after in pairwise(pieces):
        joined += ("\n" if _lost_white_space(before, after) else "") + after
    return joined


def join_captions(captions: Sequence[str]) -> str:
    """The captions of an album, one per line; repeated captions appear once."""
    return "\n".join(dict.fromkeys(caption for caption in captions if caption))


def _lost_white_space(before: str, after: str) -> bool:
    if not before or not after or utf16_length(before) >= FULL_PIECE:
        return False
    edges = before[-1] + after[0]
    return not any(edge.isspace() or _needs_no_space(edge) for edge in edges)


def _needs_no_space(character: str) -> bool:
    """Whether the character belongs to a script without spaces (CJK, kana)."""
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\uffef"


def continues(raws: Sequence[bytes], raw: bytes) -> bool:
    """Whether an update belongs to the question that the updates `raws` ask.

    So it is if the question is a text of the user, and within 2 s comes something forwarded, which
    it comments, or a file without a caption, of which it speaks.
    """
    first, last, new = _message(raws[0]), _message(raws[-1]), _message(raw)
    if first is None or last is None or new is None:
        return False
    is_text = bool(first.text) and not first.is_passed_on()
    is_next = new.message_id > last.message_id and 0 <= new.date - last.date <= MOST_APART_S
    is_here = (new.chat.id, new.topic_id()) == (last.chat.id, last.topic_id())
    is_file = bool(new.kinds() & _SPOKEN_OF) and not new.caption
    return is_text and is_next and is_here and (new.forward_origin is not None or is_file)


def _message(raw: bytes) -> Message | None:
    try:
        update = Update.model_validate(storable(read_json(raw)))
    except ValidationError:
        return None
    return update.message or update.edited_message
