"""WebM with Opus, which browsers record, as OGG, which Telegram's apps send; the sound is the same.

Sources: RFC 8794 (EBML), RFC 9559 (Matroska), RFC 6716 section 3.1 (how long a packet plays).
"""

from collections.abc import Iterator

from rich_agent_sandbox.sound.ogg import HEAD, ogg_of

_MAGIC = b"\x1a\x45\xdf\xa3"
_FOLDERS = frozenset({0x18538067, 0x1654AE6B, 0xAE, 0x1F43B675, 0xA0})
"""Segment, Tracks, TrackEntry, Cluster, BlockGroup: what is in them is read like the rest."""
_PRIVATE, _BLOCKS = 0x63A2, frozenset({0xA3, 0xA1})
_LACED = 0x06
_MOST_BYTES_OF_NUMBER = 8
_CUT_OFF = "it is cut off, or no WebM"


def is_webm(data: bytes) -> bool:
    """Whether it is WebM, or another Matroska file."""
    return data.startswith(_MAGIC)


def ogg_of_webm(data: bytes) -> bytes:
    """The recording in OGG. Raises: ValueError if it is not Opus, or cut off."""
    head, packets = b"", list[bytes]()
    for name, content in _elements(data):
        if name == _PRIVATE and content.startswith(HEAD):
            head = content
        elif name in _BLOCKS:
            packets.append(_packet(content))
    if not head or not packets:
        raise ValueError("no Opus in it")
    return ogg_of(head, [(packet, _samples(packet)) for packet in packets])


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield a file's elements in order. A folder may say no length, so none is believed."""
    place = 0
    while place < len(data):
        name, place = _number(data, place, with_mark=True)
        size, place = _number(data, place, with_mark=False)
        if name in _FOLDERS:
            continue
        if place + size > len(data):
            raise ValueError(_CUT_OFF)
        yield name, data[place : place + size]
        place += size


def _number(data: bytes, place: int, *, with_mark: bool) -> tuple[int, int]:
    """A number whose first bit that is set says how many bytes it has, and the place behind it."""
    first = data[place] if place < len(data) else 0
    size = _MOST_BYTES_OF_NUMBER + 1 - first.bit_length()
    if size > _MOST_BYTES_OF_NUMBER or place + size > len(data):
        raise ValueError(_CUT_OFF)
    number = int.from_bytes(data[place : place + size], "big")
    return number if with_mark else number & ~(1 << (7 * size)), place + size


def _packet(block: bytes) -> bytes:
    """The packet of a block with one, which is how browsers write them."""
    _, place = _number(block, 0, with_mark=False)
    if len(block) < place + 3 or block[place + 2] & _LACED:
        raise ValueError("its blocks hold several packets each")
    return block[place + 3 :]


def _samples(packet: bytes) -> int:
    """Return the duration of a packet, in samples at 48 kHz."""
    if not packet:
        return 0
    kind, frames = packet[0] >> 3, (1, 2, 2, 0)[packet[0] & 3]
    if not frames:
        frames = packet[1] & 63 if len(packet) > 1 else 0
    if kind < 12:
        return frames * (480, 960, 1920, 2880)[kind % 4]
    if kind < 16:
        return frames * (480, 960)[kind % 2]
    return frames * (120, 240, 480, 960)[kind % 4]
