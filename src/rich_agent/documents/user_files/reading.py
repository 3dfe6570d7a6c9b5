"""Reads untrusted files, in processes that can be ended, and indexes them for their owner."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from typing import Final
from zipfile import BadZipFile, ZipFile

from rich_agent.documents.extract.extracted import Extracted, ExtractionError
from rich_agent.documents.extract.isolation import deadline_for, extract_within_limits
from rich_agent.documents.extract.markdown import Section
from rich_agent.documents.extract.pdf.rendering import RENDERING_S, PdfPage, render_page
from rich_agent.documents.extract.plain import is_text
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import (
    CONTAINER_TYPES,
    MediaType,
    is_encrypted_office,
    is_old_office,
    media_type_of,
    media_type_of_path,
    sniff_type,
    type_of_zip,
)
from rich_agent.documents.user_files.workers import run_in_worker
from rich_agent.domain.retrieval.passage import SECTION_SEPARATOR
from rich_agent.domain.tables import TableFile, TableSchema
from rich_agent.domain.text import estimate_tokens
from rich_agent.domain.user_files import TABLE_TYPES, FileUnit, ReadFile, UnitKind
from rich_agent.ports.user_files import FileRefusedError

_SLIDES: Final = frozenset(
    {
        "application/vnd.oasis.opendocument.presentation",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    }
)
_PAGE: Final = "page="
_SLIDE: Final = "slide="


def units_of(document: Extracted, media_type: str) -> tuple[FileUnit, ...]:
    """The parts with text, in order."""
    if media_type == "application/pdf":
        own = [section for section in document.sections if section.anchor]
        attached = [section for section in document.sections if not section.anchor]
        return (*_pages(own), *_parts("section", document.title, attached))
    if media_type in _SLIDES:
        return tuple(map(_slide, document.sections, count(1)))
    kind: UnitKind = "sheet" if media_type in TABLE_TYPES else "section"
    return _parts(kind, document.title, document.sections)


def _parts(kind: UnitKind, title: str, sections: Iterable[Section]) -> tuple[FileUnit, ...]:
    """The sections under their headings, without the title of the document."""
    # The title is above all parts, so it does not tell where a part is.
    titled_sections = (
        (SECTION_SEPARATOR.join(name for name in section.path if name != title), section)
        for section in sections
    )
    # Neighbouring sections under one heading are one part.
    parts = (
        (heading, [section for _, section in group])
        for heading, group in groupby(titled_sections, key=lambda part: part[0])
    )
    return tuple(
        _section(kind, position, heading, group)
        for position, (heading, group) in enumerate(parts, start=1)
    )


def _slide(section: Section, position: int) -> FileUnit:
    """A slide, with the number that programs show."""
    number = section.anchor.removeprefix(_SLIDE)
    heading = section.path[-1] if section.path else ""
    return _section("slide", int(number) if number.isdecimal() else position, heading, [section])


def _section(kind: UnitKind, number: int, heading: str, sections: Sequence[Section]) -> FileUnit:
    text = "\n\n".join(map(_text, sections))
    return FileUnit(kind, number, heading, text, estimate_tokens(text), sections[0].anchor)


def _pages(sections: Iterable[Section]) -> Iterator[FileUnit]:
    """The text of each page with its headings."""
    pages: dict[int, list[str]] = {}
    for section in sections:
        for position, block in enumerate(section.blocks):
            for anchor, piece in block.parts():
                texts = pages.setdefault(_page(anchor), [])
                if position == 0 and section.path and anchor == block.anchor:
                    texts.append(f"## {section.path[-1]}")
                texts.append(piece)
    for page, texts in sorted(pages.items()):
        text = "\n\n".join(texts)
        yield FileUnit("page", page, "", text, estimate_tokens(text))


def _page(anchor: str) -> int:
    return int(anchor.removeprefix(_PAGE))


def _text(section: Section) -> str:
    return "".join(f"{block.glue}{block.text}" for block in section.blocks).strip("\n")


_PACKED: Final = (
    *(b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"),
    b"\x28\xb5\x2f\xfd",
)
"""How files of 7-Zip, RAR, gzip, bzip2, xz and Zstandard begin."""
_TAR_AT: Final = 257
_SPREADSHEETS: Final = (".xlsx", ".xlsm", ".xls", ".ods")
_TEXTS: Final = frozenset(
    {"text/html", "text/markdown", "text/plain", "text/csv", "text/x-rst"}
    | {"application/rtf", "application/x-ipynb+json"}
    | {"application/mbox", "message/rfc822", "multipart/related"}
)


def media_type_of_file(name: str, mime: str, data: bytes) -> MediaType:
    """The type by which a file is read. Text of an unknown type is plain text.

    Raises: FileRefusedError("empty", "encrypted", "old_office", "archive", "unsupported",
    "damaged").
    """
    if not data.strip():
        raise FileRefusedError("empty", "the file is empty")
    if is_encrypted_office(data):
        raise FileRefusedError("encrypted", "the document is encrypted")
    if is_old_office(data):
        raise FileRefusedError("old_office", "a document of an old Office format")
    claimed_type = media_type_of_path(name) or media_type_of(mime, "", data)
    if claimed_type == "application/zip" and (zip_type := type_of_zip(data)):
        return zip_type
    if claimed_type in _TEXTS and is_text(data):
        return claimed_type
    if actual_type := sniff_type(data):
        return actual_type
    if data.startswith(_PACKED) or data[_TAR_AT:].startswith(b"ustar"):
        raise FileRefusedError("archive", "an archive that is not a ZIP")
    if is_text(data):
        # Programs save tables as text under the names of spreadsheets.
        return "text/csv" if name.lower().endswith(_SPREADSHEETS) else "text/plain"
    raise FileRefusedError(
        "damaged" if claimed_type else "unsupported", "neither text nor a document"
    )


_MOST_CHARACTERS: Final = 4_000_000
_MOST_ROWS: Final = 1_000
_MOST_OF_TABLE: Final = 512 * 1024
_MACROS: Final = re.compile(r"(?:^|/)vbaProject\.bin$|^Basic/|^Scripts/")


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    mime: str
    data: bytes


class IsolatedFileReader:
    """Reads a file within the time and memory that `extract.isolation` allows."""

    async def read(self, user_id: int, name: str, mime: str, data: bytes) -> ReadFile:
        """See `FileReader.read`."""
        file, deadline_s = _File(name, mime, data), deadline_for(len(data))
        return await run_in_worker(_read, file, ReadFile, user_id, deadline_s)

    async def render_page(self, user_id: int, data: bytes, number: int) -> bytes:
        """See `FileReader.render_page`."""
        page = PdfPage(data, number)
        return await run_in_worker(render_page, page, bytes, user_id, RENDERING_S)


def _read(file: _File) -> ReadFile:
    """Read a file inside a worker."""
    media_type = media_type_of_file(file.name, file.mime, file.data)
    if _is_encrypted_opendocument(media_type, file.data):
        raise FileRefusedError("encrypted", "the document is encrypted")
    is_table = media_type in TABLE_TYPES
    may_have_tables = is_table or media_type in CONTAINER_TYPES
    data, is_cut = _beginning(file.data) if media_type == "text/csv" else (file.data, False)
    raw = RawDocument(file.name.replace("/", "_"), data, media_type)
    document = extract_within_limits(raw, _MOST_ROWS if may_have_tables else None)
    file_units = units_of(document, media_type)
    if sum(len(unit.text) for unit in file_units) > _MOST_CHARACTERS:
        raise FileRefusedError("too_long", f"over {_MOST_CHARACTERS:,} characters")
    tables = _tables(file, media_type) if is_table else ()
    is_partial = is_cut or document.is_partial
    macros = _has_macros(file.data)
    return ReadFile(
        media_type,
        file_units,
        document.bare_pages,
        is_partial,
        tables,
        document.title,
        macros,
        document.inventory,
    )


def _tables(file: _File, media_type: MediaType) -> tuple[TableSchema, ...]:
    # The engine takes a while to load, and only tables need it.
    from rich_agent.documents.tables.engine import schemas_of  # noqa: PLC0415 - see above

    try:
        return schemas_of(TableFile(file.name, media_type, file.data))
    except ExtractionError:
        # The text of the file can be read nevertheless.
        return ()


def _beginning(data: bytes) -> tuple[bytes, bool]:
    """The first lines of a long table, and whether lines were left out."""
    head = data[:_MOST_OF_TABLE]
    lines = head.splitlines(keepends=True)
    if len(data) <= _MOST_OF_TABLE and len(lines) <= _MOST_ROWS:
        return data, False
    whole_lines = lines if len(data) <= _MOST_OF_TABLE else lines[:-1]
    return b"".join(whole_lines[:_MOST_ROWS]) or head, True


def _is_encrypted_opendocument(media_type: MediaType, data: bytes) -> bool:
    if not media_type.startswith("application/vnd.oasis"):
        return False
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            return b"encryption-data" in archive.open("META-INF/manifest.xml").read(1_000_000)
    except (BadZipFile, KeyError, OSError, ValueError, RuntimeError):
        return False


def _has_macros(data: bytes) -> bool:
    """Whether an Office or OpenDocument file contains macros."""
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            return any(_MACROS.search(name) for name in archive.namelist())
    except (BadZipFile, OSError, ValueError):
        return False
