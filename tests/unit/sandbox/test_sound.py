"""Recordings of browsers, as Telegram's apps would send them."""

import pytest

from rich_agent_sandbox.sound.ogg import is_opus, seconds_of
from rich_agent_sandbox.sound.webm import is_webm, ogg_of_webm
from rich_agent_sandbox.sound.words import say_in, words_in

HEAD = b"OpusHead" + bytes([1, 1, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0])
PACKETS = [bytes([0x78, number]) * (number * 7 % 400 + 1) for number in range(50)]
"""Each begins with a byte that says: one frame of 20 ms."""
UNKNOWN = b"\x01" + b"\xff" * 7


def element(name: int, content: bytes, size: bytes = b"") -> bytes:
    """An element of EBML; `size` in place of its own."""
    told = size or (len(content) | 1 << 28).to_bytes(4, "big")
    return name.to_bytes((name.bit_length() + 7) // 8, "big") + told + content


def webm(packets: list[bytes], flags: int = 0x80) -> bytes:
    """A recording as Chromium writes it: its folders do not say how long they are."""
    track = element(0xAE, element(0x86, b"A_OPUS") + element(0x63A2, HEAD))
    blocks = b"".join(element(0xA3, bytes([0x81, 0, 0, flags]) + one) for one in packets)
    inside = element(0x1654AE6B, track) + element(
        0x1F43B675, element(0xE7, b"\0") + blocks, UNKNOWN
    )
    return element(0x1A45DFA3, element(0x4282, b"webm")) + element(0x18538067, inside, UNKNOWN)


def test_recording_of_a_browser_becomes_a_voice_message() -> None:
    """All packets are in it, in order; it says how long it plays, and takes a comment."""
    made = webm(PACKETS)
    voice = ogg_of_webm(made)
    assert is_webm(made)
    assert is_opus(voice)
    assert seconds_of(voice) == pytest.approx(len(PACKETS) * 0.02)
    places = [voice.find(packet) for packet in PACKETS[1:]]
    assert -1 not in places
    assert places == sorted(places)
    assert words_in(say_in(voice, "hello")) == "hello"


@pytest.mark.parametrize(
    "data",
    [
        webm([]),
        webm(PACKETS, flags=0x82),
        webm(PACKETS)[:-5],
        b"\x1a\x45\xdf\xa3",
        b"\x1a\x45\xdf\xa3\x00",
    ],
    ids=["silent", "laced", "cut", "bare", "torn"],
)
def test_recording_that_is_none_is_refused(data: bytes) -> None:
    """With a reason, never a guess."""
    with pytest.raises(ValueError, match=r"Opus|packets|cut off"):
        ogg_of_webm(data)
