"""Opens ZIP archives and documents that are ZIP archives, and refuses zip bombs.

The limits apply to the bytes that are unpacked, because the sizes in the archive may be wrong.
"""

import io
import zlib
from collections.abc import Iterator
from functools import partial
from zipfile import BadZipFile, ZipFile, ZipInfo

from lxml import etree
from lxml.etree import LxmlError

from rich_agent.documents.extract.containers import InnerFile
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.plain import decode

_MOST_ENTRIES = 20_000
_MOST_BYTES = 256 * 1024 * 1024
_MOST_RATIO = 200
_HARMLESS_BYTES = 8 * 1024 * 1024
_PIECE = 64 * 1024
_ENCRYPTED = 1
_NAMED_IN_UTF8 = 1 << 11
# The parts that readers of office documents need; pictures, films and fonts contain no text.
_TEXT_SUFFIXES = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".css", "mimetype")


def text_parts(data: bytes) -> dict[str, bytes]:
    """The parts of an archive that may contain text, by name.

    Raises: ExtractionError if it is damaged, encrypted, or too large when unpacked.
    """
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > _MOST_ENTRIES:
                reason = f"it holds {len(entries)} parts, more than {_MOST_ENTRIES}"
                raise ExtractionError(reason, "too_long")
            remaining_bytes = min(_MOST_BYTES, max(_HARMLESS_BYTES, _MOST_RATIO * len(data)))
            parts: dict[str, bytes] = {}
            for entry in entries:
                if entry.filename.lower().endswith(_TEXT_SUFFIXES):
                    parts[entry.filename] = _read(archive, entry, remaining_bytes)
                    remaining_bytes -= len(parts[entry.filename])
            return parts
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise ExtractionError(f"the file is damaged: {error}") from error
    except RuntimeError as error:
        raise ExtractionError("the file is encrypted", "encrypted") from error


def zip_files(data: bytes) -> Iterator[InnerFile]:
    """The files in an archive, without hidden files and those of operating systems.

    Raises: ExtractionError if it is damaged, or encrypted as a whole.
    """
    try:
        archive = ZipFile(io.BytesIO(data))
    except (BadZipFile, NotImplementedError, ValueError) as error:
        raise ExtractionError(f"the file is damaged: {error}") from error
    entries = [entry for entry in archive.infolist() if not _is_unseen(entry)]
    if entries and all(entry.flag_bits & _ENCRYPTED for entry in entries):
        raise ExtractionError("the file is encrypted", "encrypted")
    remaining_bytes = min(_MOST_BYTES, max(_HARMLESS_BYTES, _MOST_RATIO * len(data)))
    for entry in entries:
        yield InnerFile(
            _entry_name(entry), "", partial(_read_entry, archive, entry, remaining_bytes)
        )


def _is_unseen(entry: ZipInfo) -> bool:
    parts = entry.filename.split("/")
    is_system_file = parts[0] == "__MACOSX" or parts[-1].lower() in {"thumbs.db", "desktop.ini"}
    return entry.is_dir() or is_system_file or any(part.startswith(".") for part in parts)


def _entry_name(entry: ZipInfo) -> str:
    """The path of an entry as its author wrote it; old programs do not tell its charset."""
    if entry.flag_bits & _NAMED_IN_UTF8 or entry.filename.isascii():
        return entry.filename
    return decode(entry.filename.encode("cp437", "replace"), None, is_html=False)


def _read_entry(archive: ZipFile, entry: ZipInfo, most_bytes: int) -> bytes:
    try:
        return _read(archive, entry, most_bytes)
    except RuntimeError as error:
        raise ExtractionError("the file is encrypted", "encrypted") from error
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise ExtractionError(f"the file is damaged: {error}") from error


def _read(archive: ZipFile, entry: ZipInfo, remaining_bytes: int) -> bytes:
    """The bytes of an entry. Raises: ExtractionError if there are more than `remaining_bytes`."""
    pieces: list[bytes] = []
    with archive.open(entry) as stream:
        while piece := stream.read(_PIECE):
            remaining_bytes -= len(piece)
            if remaining_bytes < 0:
                raise ExtractionError(
                    "it would take too much memory when it is unpacked", "too_long"
                )
            pieces.append(piece)
    return b"".join(pieces)


def pack_archive(parts: dict[str, bytes]) -> io.BytesIO:
    """The parts as a new archive, for readers that open archives themselves."""
    target = io.BytesIO()
    with ZipFile(target, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    target.seek(0)
    return target


def parse_xml(content: bytes) -> etree._Element:
    """The root of an XML part.

    Raises: ExtractionError for broken XML, and for entity declarations, which can expand without
    bounds or load other files.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True
    )
    try:
        root = etree.fromstring(content, parser)
    except (LxmlError, ValueError) as error:
        raise ExtractionError(f"the file is damaged: {error}") from error
    declarations = root.getroottree().docinfo.internalDTD
    if declarations is not None and any(True for _ in declarations.iterentities()):
        raise ExtractionError("its XML declares entities, which no such document needs")
    return root
