"""OGG files with Opus: their comments and their duration.

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
"""Browsers record packets of at most 60 ms. Each has at most 3,825 bytes: 16 of 255 segments."""
_MOST_WORDS = 60_000
"""Bytes of a comment that fits into one page."""
_POLYNOMIAL = 0x04C11DB7


@dataclass(frozen=True, slots=True)
class Page:
    """A page; `lacing` has the lengths of its segments."""

    flags: int
    granule: int
    serial: int
    number: int
    lacing: bytes
    body: bytes

    def to_bytes(self) -> bytes:
        """The page with its checksum."""
        header_fields = (_MAGIC, 0, self.flags, self.granule, self.serial, self.number)
        segment_count = len(self.lacing)
        page_without_checksum = (
            _FIXED.pack(*header_fields, 0, segment_count) + self.lacing + self.body
        )
        return (
            _FIXED.pack(*header_fields, _checksum(page_without_checksum), segment_count)
            + self.lacing
            + self.body
        )


def is_opus(data: bytes) -> bool:
    """Whether the data is an OGG file with Opus, which is the format of voice messages."""
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
    """The duration in seconds."""
    return max((page.granule for page in _pages(data)), default=0) / _RATE


def with_comment(data: bytes, comment: str) -> bytes:
    """The file with only this comment."""
    head_page, *other_pages = _pages(data)
    while other_pages and not other_pages[0].lacing[-1] < _MOST_SEGMENT:
        del other_pages[0]
    comment_bytes = comment.encode()[:_MOST_WORDS]
    packet = _TAGS + _sized(b"sandbox") + struct.pack("<I", 1) + _sized(comment_bytes)
    tags_page = page_of([packet], replace(head_page, flags=0, granule=0, number=1))
    pages = [
        head_page,
        tags_page,
        *(
            replace(other_page, number=number)
            for number, other_page in enumerate(other_pages[1:], 2)
        ),
    ]
    return b"".join(page.to_bytes() for page in pages)


def ogg_of(head: bytes, packets: Sequence[tuple[bytes, int]]) -> bytes:
    """A file of Opus packets, each with its length at 48 kHz; `head` is the first header."""
    head_page = page_of([head], Page(_BEGINS, 0, 1, 0, b"", b""))
    tags_page = page_of(
        [_TAGS + _sized(b"sandbox") + struct.pack("<I", 0)], replace(head_page, flags=0)
    )
    pages, sample_count = [head_page, replace(tags_page, number=1)], 0
    for start in range(0, len(packets), _PACKETS_OF_PAGE):
        page_packets = packets[start : start + _PACKETS_OF_PAGE]
        sample_count += sum(length for _, length in page_packets)
        page_fields = Page(0, sample_count, head_page.serial, len(pages), b"", b"")
        pages.append(page_of([packet for packet, _ in page_packets], page_fields))
    pages[-1] = replace(pages[-1], flags=_ENDS)
    return b"".join(page.to_bytes() for page in pages)


def page_of(packets: Iterable[bytes], like: Page) -> Page:
    """A page of whole packets, with the other fields of `like`."""
    whole_packets = list(packets)
    lacing = b"".join(
        bytes([_MOST_SEGMENT] * (len(packet) // _MOST_SEGMENT) + [len(packet) % _MOST_SEGMENT])
        for packet in whole_packets
    )
    return replace(like, lacing=lacing, body=b"".join(whole_packets))


def _pages(data: bytes) -> Iterator[Page]:
    position = 0
    while data[position : position + 4] == _MAGIC and position + _FIXED.size <= len(data):
        _, _, flags, granule, serial, number, _, segment_count = _FIXED.unpack_from(data, position)
        start = position + _FIXED.size
        lacing = data[start : start + segment_count]
        position = start + segment_count + sum(lacing)
        yield Page(flags, granule, serial, number, lacing, data[start + segment_count : position])


def _comments_in(packet: bytes) -> Iterator[str]:
    if not packet.startswith(_TAGS):
        return
    try:
        position = len(_TAGS)
        position += 4 + struct.unpack_from("<I", packet, position)[0]
        (comment_count,) = struct.unpack_from("<I", packet, position)
        position += 4
        for _ in range(min(comment_count, _MOST_SEGMENTS)):
            (length,) = struct.unpack_from("<I", packet, position)
            yield packet[position + 4 : position + 4 + length].decode("utf-8", "replace")
            position += 4 + length
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
