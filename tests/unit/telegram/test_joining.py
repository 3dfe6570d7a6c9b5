"""Pieces of one text grow together as they were."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rich_agent.telegram.receive.joining import join_captions, join_pieces


@pytest.mark.parametrize(
    ("pieces", "joined"),
    [
        ([], ""),
        (["whole"], "whole"),
        # Cut where the room ended: in a word, before a character of two units.
        (["a" * 4096, "bc"], "a" * 4096 + "bc"),
        (["a" * 4095, "🙂 b"], "a" * 4095 + "🙂 b"),
        # Cut at a line's or word's end, whose white space Telegram trimmed away.
        (["a" * 4000 + " one", "two"], "a" * 4000 + " one\ntwo"),
        (["a" * 4000 + ".", "Next"], "a" * 4000 + ".\nNext"),
        # The white space is still there, on either side.
        (["a" * 4000 + "\n", "b"], "a" * 4000 + "\nb"),
        (["a" * 4000, " b"], "a" * 4000 + " b"),
        # Japanese has no spaces to lose.
        (["あ" * 4000 + "。", "い"], "あ" * 4000 + "。い"),
        (["a" * 4096, "b" * 4096, "c"], "a" * 4096 + "b" * 4096 + "c"),
    ],
)
def test_join_pieces_gives_back_the_text(pieces: list[str], joined: str) -> None:
    """Nothing is lost, and only white space that was cut away is put back."""
    assert join_pieces(pieces) == joined


@settings(derandomize=True, max_examples=30)
@given(st.text("a b\n🙂あ.", min_size=1, max_size=12), st.integers(4100, 9000))
def test_join_pieces_undoes_a_cut_at_the_limit(motif: str, length: int) -> None:
    """Whatever is cut where the room ends comes back letter by letter."""
    text = (motif * length)[:length]
    pieces, piece, units = [], "", 0
    for character in text:
        width = 2 if ord(character) > 0xFFFF else 1
        if units + width > 4096:
            pieces.append(piece)
            piece, units = "", 0
        piece, units = piece + character, units + width
    assert join_pieces([*pieces, piece]) == text


def test_join_captions_takes_each_caption_once() -> None:
    """Clients repeat one caption under each photo, or write several."""
    assert join_captions(["", "one", "two", "one"]) == "one\ntwo"
