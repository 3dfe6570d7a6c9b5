"""Joins the pieces into which a client splits a text that is too long for one message."""

from collections.abc import Sequence
from itertools import pairwise

from rich_agent.domain.text import utf16_length

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
