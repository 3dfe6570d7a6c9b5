"""Chunks as they are stored: text to show, text to embed, and an id that survives edits."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from rich_agent.documents.chunk.chunking import ChunkText
from rich_agent.documents.media import media_type_of_path
from rich_agent.domain.retrieval.passage import SECTION_SEPARATOR
from rich_agent.domain.text import clean_text, shorten

_LONGEST_HEADING = 300
_WORD = re.compile(r"\w+")
# Files that browsers show as text, so that text links work; most pages have no suffix.
_SHOWN = frozenset({None, "text/html", "text/markdown", "text/plain", "text/x-rst"})


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document.

    `content` is shown to models. `text` is embedded and searched: the headings, then the content.
    `content_hash` is the hash of `text`.
    """

    id: str
    section: str
    anchor: str
    link: str
    content: str
    text: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """The document of chunks; their ids are derived from its `identity`."""

    identity: str
    url: str
    title: str


def make_chunks(page: DocumentRef, pieces: Iterable[ChunkText]) -> tuple[Chunk, ...]:
    """The chunks of a page, in order.

    An id is derived from the chunk's text and headings, not from its number, so that an edit
    elsewhere in the document does not change it.
    """
    occurrences: Counter[tuple[str, str]] = Counter()
    chunks: list[Chunk] = []
    for piece in pieces:
        section = shorten(clean_text(piece.section), _LONGEST_HEADING)
        content = clean_text(piece.content)
        text = text_to_embed(page.title, section, content)
        content_hash = digest(text)
        occurrences[section, content_hash] += 1
        place = (page.identity, section, content_hash, str(occurrences[section, content_hash]))
        chunks.append(
            Chunk(
                id=f"chk_{digest(*place)[:16]}",
                section=section,
                anchor=piece.anchor,
                link=_link(page.url, piece),
                content=content,
                text=text,
                content_hash=content_hash,
            )
        )
    return tuple(chunks)


def text_to_embed(title: str, section: str, content: str) -> str:
    """Title and heading path on the first line, no heading twice, then the content."""
    return f"{_heading(title, section)}\n{content}"


def digest(*parts: str) -> str:
    """The SHA-256 of the parts in hex; ("a", "bc") and ("ab", "c") differ."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _heading(title: str, section: str) -> str:
    if section == title or section.startswith(f"{title}{SECTION_SEPARATOR}"):
        return section
    first, _, rest = section.partition(SECTION_SEPARATOR)
    if f" {_words(first)} " not in f" {_words(title)} ":
        return f"{title}{SECTION_SEPARATOR}{section}"
    return f"{title}{SECTION_SEPARATOR}{rest}" if rest else title


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text))


def _link(url: str, piece: ChunkText) -> str:
    """The address of the chunk: with the page of a PDF, the heading, or a link to the words.

    In local files, only pages of PDFs can be linked; in other binary documents, nothing can.
    """
    is_page = piece.anchor.startswith("page=")
    if url.startswith(("http://", "https://")):
        directive = piece.directive if media_type_of_path(urlsplit(url).path) in _SHOWN else ""
        fragment = piece.anchor + directive
        return f"{url}#{fragment}" if fragment else url
    return f"{url}#{piece.anchor}" if is_page else url
