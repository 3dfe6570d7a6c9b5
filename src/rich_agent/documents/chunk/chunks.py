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
    """A piece of a document."""

    id: str
    section: str
    anchor: str
    link: str
    content: str
    """Text that models see."""
    text: str
    """Text that is embedded and searched: the headings, then the content."""
    content_hash: str
    """Hash of `text`."""


@dataclass(frozen=True, slots=True)
class DocumentRef:
    """A document that is cut into chunks."""

    identity: str
    """Text from which the ids of the chunks are derived."""
    url: str
    title: str


def make_chunks(page: DocumentRef, pieces: Iterable[ChunkText]) -> tuple[Chunk, ...]:
    """The chunks of a page, in order.

    An id is derived from the headings and the text of the chunk, not from its position, so that an
    edit elsewhere in the document does not change the id.
    """
    occurrences: Counter[tuple[str, str]] = Counter()
    chunks: list[Chunk] = []
    for chunk_text in pieces:
        section = shorten(clean_text(chunk_text.section), _LONGEST_HEADING)
        content = clean_text(chunk_text.content)
        text = text_to_embed(page.title, section, content)
        content_hash = digest(text)
        occurrences[section, content_hash] += 1
        id_parts = (page.identity, section, content_hash, str(occurrences[section, content_hash]))
        chunks.append(
            Chunk(
                id=f"chk_{digest(*id_parts)[:16]}",
                section=section,
                anchor=chunk_text.anchor,
                link=_link(page.url, chunk_text),
                content=content,
                text=text,
                content_hash=content_hash,
            )
        )
    return tuple(chunks)


def text_to_embed(title: str, section: str, content: str) -> str:
    """The title and the heading path, without repeated headings, then the content."""
    return f"{_heading(title, section)}\n{content}"


def digest(*parts: str) -> str:
    """The SHA-256 of the parts in hex; ("a", "bc") and ("ab", "c") differ."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _heading(title: str, section: str) -> str:
    if section == title or section.startswith(f"{title}{SECTION_SEPARATOR}"):
        return section
    top_heading, _, lower_headings = section.partition(SECTION_SEPARATOR)
    if f" {_words(top_heading)} " not in f" {_words(title)} ":
        return f"{title}{SECTION_SEPARATOR}{section}"
    return f"{title}{SECTION_SEPARATOR}{lower_headings}" if lower_headings else title


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text))


def _link(url: str, chunk_text: ChunkText) -> str:
    """The document's address, with a fragment that leads to a page, a heading or words.

    Words are linked only in types that browsers show as text. In local files, only pages of PDFs
    are linked.
    """
    is_page = chunk_text.anchor.startswith("page=")
    if url.startswith(("http://", "https://")):
        directive = chunk_text.directive if media_type_of_path(urlsplit(url).path) in _SHOWN else ""
        fragment = chunk_text.anchor + directive
        return f"{url}#{fragment}" if fragment else url
    return f"{url}#{chunk_text.anchor}" if is_page else url
