"""One text out of the pieces in which Telegram lets it through."""

from collections.abc import Sequence
from itertools import pairwise

from rich_agent.domain.text import utf16_length

FULL_PIECE = 4095
"""UTF-16 units from which on a piece is full: 4096 is the limit, and a character of two units may
not have found room. Source: Bot API, Message, `text`."""


def join_pieces(pieces: Sequence[str]) -> str:
    """A long text as it was before a client split it.

    A client cuts at a line's or word's end when it finds one, and Telegram then trims the white
    space at the cut away: there a line end is put back, so that no two words grow together. A piece
    that is full was cut where the room ended, in a word perhaps; and a script without spaces loses
    nothing at a cut: there nothing is added.
    """
    joined = pieces[0] if pieces else ""
    for before, after in pairwise(pieces):
        joined += ("\n" if _lost_white_space(before, after) else "") + after
    return joined


def join_captions(captions: Sequence[str]) -> str:
    """The captions of an album, each on a line, the same one once."""
    return "\n".join(dict.fromkeys(caption for caption in captions if caption))


def _lost_white_space(before: str, after: str) -> bool:
    if not before or not after or utf16_length(before) >= FULL_PIECE:
        return False
    edges = before[-1] + after[0]
    return not any(edge.isspace() or _needs_no_space(edge) for edge in edges)


def _needs_no_space(character: str) -> bool:
    """Whether the character is of a script that is written without spaces (CJK, kana)."""
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\uffef"
