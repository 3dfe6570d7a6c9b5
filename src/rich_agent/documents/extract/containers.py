"""Reads files that hold other files: mails, mailboxes and ZIP archives.

Each file within is read by the reader of its type, and becomes sections under its name. What cannot
be read is counted.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from typing import Final

from rich_agent.documents.extract.extracted import Extracted, ExtractionError
from rich_agent.documents.extract.markdown import Block, Section
from rich_agent.documents.extract.plain import is_text
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import (
    MediaType,
    media_type_of,
    media_type_of_path,
    sniff_type,
    type_of_zip,
)
from rich_agent.domain.inventory import Tally, VisiblePart

_MOST_FILES: Final = 200
_MOST_BYTES: Final = 256 * 1024 * 1024
_DEEPEST: Final = 4
_NO_TEXT: Final = ("image/", "audio/", "video/", "font/")
_PAGE: Final = "page="


@dataclass(frozen=True, slots=True)
class InnerFile:
    """A file within another, whose bytes are read on demand."""

    name: str
    media: str
    """Its Content-Type, "" if none is known."""
    read: Callable[[], bytes]
    """Read the bytes. Raises: ExtractionError."""


@dataclass(frozen=True, slots=True)
class Container:
    """A file that holds other files."""

    own: Extracted
    """Its own title and text, such as those of a mail."""
    files: Iterable[InnerFile]
    kind: VisiblePart
    """What a file within it is for the person who opens it."""
    tally: Tally = field(default_factory=Tally)


@dataclass(slots=True)
class Unpacking:
    """The amounts that may still be read from the files within a file, at all depths together."""

    files: int = _MOST_FILES
    size_bytes: int = _MOST_BYTES
    depth: int = 0


ReadInnerFile = Callable[[RawDocument], Extracted]


def read_container(container: Container, unpacking: Unpacking, read: ReadInnerFile) -> Extracted:
    """The text of the container, then that of each file within it under the file's name.

    Raises: ExtractionError if it has neither text nor a file that can be read.
    """
    sections = list(container.own.sections)
    texts = [container.own.text]
    is_partial = False
    problem: ExtractionError | None = None
    unpacking.depth += 1
    for name, file in _named(container.files):
        try:
            document = _read(file, unpacking, read)
        except ExtractionError as error:
            # The frames of the error hold the file.
            problem = problem or error.with_traceback(None)
            container.tally.note_unread(container.kind)
            continue
        if document is None:
            continue
        container.tally.note_read(container.kind)
        container.tally.include(document.inventory)
        sections += _under(name, document)
        texts.append(f"## {name}\n\n{document.text}")
        is_partial = is_partial or document.is_partial
    unpacking.depth -= 1
    if not sections and problem is not None and not container.own.bare_pages:
        raise problem
    return replace(
        container.own,
        text="\n\n".join(filter(None, texts)),
        sections=tuple(sections),
        is_partial=is_partial,
        inventory=container.tally.inventory(),
    )


def _named(files: Iterable[InnerFile]) -> Iterator[tuple[str, InnerFile]]:
    """The files with a name of their own; a name that occurs again gets a number."""
    counts: dict[str, int] = {}
    for file in files:
        count = counts[file.name] = counts.get(file.name, 0) + 1
        yield (f"{file.name} ({count})" if count > 1 else file.name), file


def _read(file: InnerFile, unpacking: Unpacking, read: ReadInnerFile) -> Extracted | None:
    """The content of a file, None for an empty file. Raises: ExtractionError."""
    if unpacking.depth > _DEEPEST:
        raise ExtractionError("files within files are nested too deeply")
    if unpacking.files <= 0 or unpacking.size_bytes <= 0:
        raise ExtractionError("it holds too many files", "too_long")
    unpacking.files -= 1
    data = file.read()
    unpacking.size_bytes -= len(data)
    if not data.strip():
        return None
    media_type = type_of_inner_file(file.name, file.media, data)
    if media_type is None:
        raise ExtractionError("files of this kind are not read")
    # Raised below, as the error that it is raised from would hold the memory.
    with suppress(MemoryError):
        return read(RawDocument("", data, media_type, name=file.name.rpartition("/")[2]))
    raise ExtractionError("reading it takes too much memory", "too_long")


def type_of_inner_file(name: str, media: str, data: bytes) -> MediaType | None:
    """The type by which a file within another is read, None if such files are not read.

    The bytes decide what is no text. Text of an unknown type is plain text.
    """
    if media.startswith(_NO_TEXT) or name.lower().endswith(".svg"):
        return None
    claimed_type = media_type_of_path(name) or media_type_of(media, "")
    if claimed_type == "application/zip":
        return type_of_zip(data)
    if claimed_type is not None and claimed_type.startswith(("text/", "message/", "multipart/")):
        return claimed_type if is_text(data) else sniff_type(data)
    return sniff_type(data) or claimed_type or ("text/plain" if is_text(data) else None)


def _under(name: str, document: Extracted) -> Iterator[Section]:
    """The sections of a file under its name, without anchors, which lead nowhere in a container.

    The pages of a PDF file are named, so that a citation can be looked up.
    """
    for section in document.sections:
        path = (name, *section.path)
        if document.title and document.title not in path and not _is_named_after(name, document):
            path = (name, document.title, *section.path)
        for page, blocks in groupby(_without_anchors(section), key=itemgetter(0)):
            page_path = (name, f"p. {page}", *section.path) if page else path
            yield Section(page_path, "", tuple(block for _, block in blocks))


def _without_anchors(section: Section) -> Iterator[tuple[str, Block]]:
    """The blocks of a section, those of a PDF file with the number of their page."""
    for block in section.blocks:
        if not block.anchor.startswith(_PAGE):
            yield "", replace(block, anchor="", later_anchors=())
            continue
        for anchor, part in block.parts():
            yield anchor.removeprefix(_PAGE), Block(part, block.glue, block.kind)


def _is_named_after(name: str, document: Extracted) -> bool:
    return name.rpartition("/")[2].startswith(document.title)


def joined(parts: Sequence[Sequence[Section]]) -> tuple[Section, ...]:
    """The sections of consecutive texts; what stands before the first heading is one section."""
    sections: list[Section] = []
    for section in (section for part in parts for section in part):
        if sections and not section.path and not sections[-1].path:
            blocks = (*sections[-1].blocks, *section.blocks)
            sections[-1] = replace(sections[-1], blocks=blocks)
        else:
            sections.append(section)
    return tuple(sections)
