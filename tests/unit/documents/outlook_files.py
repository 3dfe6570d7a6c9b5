"""Makes mails as Outlook saves them, in compound files (MS-CFB), byte by byte."""

import struct
from collections.abc import Mapping

_END, _FREE, _NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF


class _Chains:
    """Sectors of one size, and the table that says which follows which."""

    def __init__(self, size_bytes: int) -> None:
        self.size_bytes = size_bytes
        self.content = b""
        self.table: list[int] = []

    def store(self, content: bytes) -> int:
        """Add a stream; return its first sector."""
        first = len(self.table)
        count = max(1, -(-len(content) // self.size_bytes))
        self.content += content.ljust(count * self.size_bytes, b"\0")
        self.table += [*range(first + 1, first + count), _END]
        return first


def compound_file(streams: Mapping[str, bytes]) -> bytes:
    """A compound file with these streams by their paths; short ones lie in small sectors."""
    large, small = _Chains(512), _Chains(64)
    places = {
        path: ((small if len(data) < 4096 else large).store(data), len(data))
        for path, data in streams.items()
    }
    small_start = large.store(small.content)
    small_entries = struct.pack(f"<{len(small.table)}I", *small.table)
    small_table = large.store(small_entries.ljust(512, b"\xff"))
    small_table_sectors = len(large.table) - small_table
    first_directory = large.store(_directory(places, (small_start, len(small.content))))
    table_sectors = -(-(len(large.table) + 8) // 128)
    first_table = len(large.table)
    table = [*large.table, *[0xFFFFFFFD] * table_sectors]
    table += [_FREE] * (128 * table_sectors - len(table))
    head = struct.pack(
        "<8s16xHHHHH6x9I",
        *(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, table_sectors),
        *(first_directory, 0, 4096, small_table, small_table_sectors, _END, 0),
    )
    table_places = [first_table + number for number in range(table_sectors)]
    head += struct.pack("<109I", *table_places, *[_FREE] * (109 - table_sectors))
    return head + large.content + struct.pack(f"<{len(table)}I", *table)


def _directory(places: Mapping[str, tuple[int, int]], root: tuple[int, int]) -> bytes:
    """The directory: the root, then each storage and stream; siblings are a chain."""
    folders = {
        "/".join(path.split("/")[:depth]) for path in places for depth in range(path.count("/") + 1)
    }
    paths = ["", *sorted({*folders, *places} - {""})]
    entries = []
    for path in paths:
        parent = path.rpartition("/")[0]
        siblings = [other for other in paths if other and other.rpartition("/")[0] == parent]
        children = [other for other in paths if other and other.rpartition("/")[0] == path]
        position = siblings.index(path) + 1 if path else len(siblings)
        right = paths.index(siblings[position]) if position < len(siblings) else _NONE
        child = paths.index(children[0]) if children and path not in places else _NONE
        kind = 5 if not path else 2 if path in places else 1
        start, size = places.get(path, (0, 0)) if path else root
        name = (path.rpartition("/")[2] or "Root Entry").encode("utf-16-le")
        entries.append(
            struct.pack(
                "<64sHBBIII36xIQ",
                *(name, len(name) + 2, kind, 1, _NONE, right, child, start, size),
            )
        )
    return b"".join(entries)


def outlook_mail(
    subject: str,
    body: str = "",
    *,
    html: bytes = b"",
    attachments: Mapping[str, bytes | dict[str, bytes]] | None = None,
    texts: Mapping[str, str] | None = None,
) -> dict[str, bytes]:
    """The streams of a mail; an attachment is its bytes, or the streams of a mail."""
    properties = {"0037": subject, "1000": body, **(texts or {})}
    streams = {
        f"__substg1.0_{key.upper()}001F": value.encode("utf-16-le")
        for key, value in properties.items()
    }
    streams["__properties_version1.0"] = (
        bytes(32)
        + struct.pack("<HHIQ", 0x40, 0x0039, 6, 134_401_824_000_000_000)
        + struct.pack("<HHIQ", 3, 0x3FDE, 6, 1252)
    )
    if html:
        streams["__substg1.0_10130102"] = html
    for number, (name, content) in enumerate((attachments or {}).items()):
        folder = f"__attach_version1.0_#{number:08X}"
        streams[f"{folder}/__properties_version1.0"] = bytes(8)
        streams[f"{folder}/__substg1.0_3707001F"] = name.encode("utf-16-le")
        if isinstance(content, bytes):
            streams[f"{folder}/__substg1.0_37010102"] = content
        else:
            for path, inner in content.items():
                streams[f"{folder}/__substg1.0_3701000D/{path}"] = inner
    return streams
