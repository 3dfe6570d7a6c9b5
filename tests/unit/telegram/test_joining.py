"""Pieces of one text grow together as they were."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rich_agent.telegram.receive.envelope import continues, join_captions, join_pieces


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


def _update(**fields: object) -> bytes:
    message = {
        "message_id": 5,
        "date": 1_700_000_000,
        "chat": {"id": 42, "type": "private"},
        **fields,
    }
    return json.dumps({"update_id": 1, "message": message}).encode()


ASKED = _update(text="What is this?")
FILE = {"file_id": "x"}
FORWARD = {"forward_origin": {"type": "hidden_user", "sender_user_name": "Eve"}}


@pytest.mark.parametrize(
    ("asked", "new", "is_part"),
    [
        (ASKED, {"photo": [FILE]}, True),
        (ASKED, {"document": FILE, "date": 1_700_000_002}, True),
        (ASKED, {"voice": FILE, **FORWARD}, True),
        (ASKED, {"voice": FILE}, False),
        (ASKED, {"video_note": FILE}, False),
        (ASKED, {"text": "Send money", **FORWARD}, True),
        (ASKED, {"photo": [FILE], "caption": "a cat", **FORWARD}, True),
        (ASKED, {"photo": [FILE], "date": 1_700_000_003}, False),
        (ASKED, {"photo": [FILE], "caption": "And what is this?"}, False),
        (ASKED, {"text": "And that?"}, False),
        (ASKED, {"sticker": FILE}, False),
        (ASKED, {"photo": [FILE], "message_thread_id": 7, "is_topic_message": True}, False),
        (ASKED, {"photo": [FILE], "message_id": 4}, False),
        (_update(photo=[FILE]), {"photo": [FILE]}, False),
        (_update(text="Send money", **FORWARD), {"text": "Now", **FORWARD}, False),
    ],
)
def test_continues_goes_by_kind_time_and_place(
    asked: bytes, new: dict[str, object], *, is_part: bool
) -> None:
    """A text is continued by what it may speak of, within two seconds, in the same topic."""
    part = _update(**{"message_id": 6, **new})
    assert continues([asked], part) is is_part


def test_continues_goes_on_after_each_part() -> None:
    """The second photo is measured by the first, not by the text."""
    first = _update(message_id=6, date=1_700_000_002, photo=[FILE])
    second = _update(message_id=7, date=1_700_000_004, photo=[FILE])
    assert continues([ASKED, first], second)
    assert not continues([ASKED], second)


def test_continues_takes_any_bytes() -> None:
    """Bytes that are no message join nothing."""
    assert not continues([ASKED], b"\xff{")
    assert not continues([b"[]"], ASKED)
