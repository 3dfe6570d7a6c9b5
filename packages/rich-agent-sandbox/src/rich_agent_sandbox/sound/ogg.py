"""OGG files with Opus: their comments and their length.

Sources: RFC 3533 (pages and their checksum), RFC 7845 (the two headers of Opus).
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

_MAGIC = b"OggS"
HEAD, _TAGS = b"OpusHead", b"OpusTags"
_FIXED = struct.Struct("<4sBBqIIIB")
_RATE = 48_000
_MOST_SEGMENT, _MOST_SEGMENTS = 255, 255
_BEGINS, _ENDS = 2, 4
_PACKETS_OF_PAGE = 15
"""Of 60 ms, the most that browsers record, each has at most 3,825 bytes: 16 of 255 segments."""
_MOST_WORDS = 60_000
"""Bytes of a comment that fits into one page."""
_POLYNOMIAL = 0x04C11DB7


@dataclass(frozen=True, slots=True)
class Page:
    """A page; `lacing` are the lengths of its segments."""

    flags: int
    granule: int
    serial: int
    number: int
    lacing: bytes
    body: bytes

    def to_bytes(self) -> bytes:
        """The page with its checksum."""
        head = (_MAGIC, 0, self.flags, self.granule, self.serial, self.number)
        count = len(self.lacing)
        blank = _FIXED.pack(*head, 0, count) + self.lacing + self.body
        return _FIXED.pack(*head, _checksum(blank), count) + self.lacing + self.body


def is_opus(data: bytes) -> bool:
    """Whether it is an OGG file with Opus, as a voice message has to be."""
    return data.startswith(_MAGIC) and HEAD in data[:64]


def comments_of(data: bytes) -> list[str]:
    """The comments of the file; none if it is not OGG with Opus."""
    packet = bytearray()
    for page in list(_pages(data))[1:]:
        packet += page.body
        if not page.lacing or page.lacing[-1] < _MOST_SEGMENT:
            break
    return list(_comments_in(bytes(packet)))


def seconds_of(data: bytes) -> float:
    """Return the duration in seconds."""
    return max((page.granule for page in _pages(data)), default=0) / _RATE


def with_comment(data: bytes, comment: str) -> bytes:
    """The file with this comment alone."""
    first, *others = _pages(data)
    while others and not others[0].lacing[-1] < _MOST_SEGMENT:
        del others[0]
    words = comment.encode()[:_MOST_WORDS]
    packet = _TAGS + _sized(b"sandbox") + struct.pack("<I", 1) + _sized(words)
    tags = page_of([packet], replace(first, flags=0, granule=0, number=1))
    pages = [first, tags, *(replace(one, number=n) for n, one in enumerate(others[1:], 2))]
    return b"".join(page.to_bytes() for page in pages)


def ogg_of(head: bytes, packets: Sequence[tuple[bytes, int]]) -> bytes:
    """A file of Opus packets, each with its length at 48 kHz; `head` is the first header."""
    first = page_of([head], Page(_BEGINS, 0, 1, 0, b"", b""))
    tags = page_of([_TAGS + _sized(b"sandbox") + struct.pack("<I", 0)], replace(first, flags=0))
    pages, samples = [first, replace(tags, number=1)], 0
    for start in range(0, len(packets), _PACKETS_OF_PAGE):
        some = packets[start : start + _PACKETS_OF_PAGE]
        samples += sum(length for _, length in some)
        like = Page(0, samples, first.serial, len(pages), b"", b"")
        pages.append(page_of([packet for packet, _ in some], like))
    pages[-1] = replace(pages[-1], flags=_ENDS)
    return b"".join(page.to_bytes() for page in pages)


def page_of(packets: Iterable[bytes], like: Page) -> Page:
    """A page of whole packets, with the other fields of `like`."""
    kept = list(packets)
    lacing = b"".join(
        bytes([_MOST_SEGMENT] * (len(one) // _MOST_SEGMENT) + [len(one) % _MOST_SEGMENT])
        for one in kept
    )
    return replace(like, lacing=lacing, body=b"".join(kept))


def _pages(data: bytes) -> Iterator[Page]:
    place = 0
    while data[place : place + 4] == _MAGIC and place + _FIXED.size <= len(data):
        _, _, flags, granule, serial, number, _, count = _FIXED.unpack_from(data, place)
        start = place + _FIXED.size
        lacing = data[start : start + count]
        place = start + count + sum(lacing)
        yield Page(flags, granule, serial, number, lacing, data[start + count : place])


def _comments_in(packet: bytes) -> Iterator[str]:
    if not packet.startswith(_TAGS):
        return
    try:
        place = len(_TAGS)
        place += 4 + struct.unpack_from("<I", packet, place)[0]
        (count,) = struct.unpack_from("<I", packet, place)
        place += 4
        for _ in range(min(count, _MOST_SEGMENTS)):
            (length,) = struct.unpack_from("<I", packet, place)
            yield packet[place + 4 : place + 4 + length].decode("utf-8", "replace")
            place += 4 + length
    except struct.error:
        return


def _sized(text: bytes) -> bytes:
    return struct.pack("<I", len(text)) + text


def _remainder(byte: int) -> int:
    value = byte << 24
    for _ in range(8):
        value = (value << 1) ^ (_POLYNOMIAL if value & 0x80000000 else 0)
    return value & 0xFFFFFFFF


_REMAINDERS = tuple(map(_remainder, range(256)))


def _checksum(page: bytes) -> int:
    value = 0
    for byte in page:
        value = ((value << 8) & 0xFFFFFFFF) ^ _REMAINDERS[(value >> 24) ^ byte]
    return value
