"""Opens documents that are ZIP archives, and refuses zip bombs.

The limits apply to the bytes that are unpacked, because the sizes in the archive may be wrong.
"""

import io
import zlib
from zipfile import BadZipFile, ZipFile, ZipInfo

from lxml import etree
from lxml.etree import LxmlError

from rich_agent.documents.extract.extracted import ExtractionError

_MOST_ENTRIES = 20_000
_MOST_BYTES = 256 * 1024 * 1024
_MOST_RATIO = 200
_HARMLESS_BYTES = 8 * 1024 * 1024
_PIECE = 64 * 1024
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
