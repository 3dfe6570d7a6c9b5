"""Pages without text of documents, and what was read on them."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.pools import Connection, Pool, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all

_FORGET_OLD = """
DELETE FROM rag_scanned_pages
WHERE source_id = %(source)s AND url = %(url)s
    AND (file_hash <> %(file_hash)s OR page <> ALL(%(numbers)s))
"""
# Another document may have the same bytes.
_NOTE = """
INSERT INTO rag_scanned_pages AS stored (source_id, url, page, file_hash, reader, content)
SELECT %(source)s, %(url)s, numbers.page, %(file_hash)s,
    coalesce(same.reader, ''), coalesce(same.content, '')
FROM unnest(%(numbers)s::integer[]) AS numbers (page) LEFT JOIN LATERAL (
    SELECT reader, content FROM rag_scanned_pages AS other
    WHERE other.file_hash = %(file_hash)s AND other.page = numbers.page AND other.reader <> ''
    ORDER BY other.reader = %(reader)s DESC, other.noted_at DESC LIMIT 1
) AS same ON true
ON CONFLICT (source_id, url, page) DO UPDATE
SET reader = excluded.reader, content = excluded.content
WHERE stored.reader = '' AND excluded.reader <> ''
"""
_PAGES = """
SELECT page AS number, reader, content FROM rag_scanned_pages
WHERE source_id = %(source)s AND url = %(url)s ORDER BY page
"""
_STORE = """
UPDATE rag_scanned_pages SET reader = %s, content = %s, noted_at = now()
WHERE source_id = %s AND url = %s AND page = %s AND file_hash = %s
"""
_PUT_OFF = """
UPDATE rag_scanned_pages SET noted_at = now()
WHERE source_id = %s AND url = %s AND page = %s AND file_hash = %s
"""
_DUE = """
SELECT url, count(*)::integer AS pages FROM rag_scanned_pages
WHERE source_id = %(source)s AND (%(urls)s::text[] IS NULL OR url = ANY(%(urls)s)) AND (
    reader = '' OR reader <> %(reader)s AND (%(replaces_all)s OR starts_with(reader, 'ocr:'))
)
GROUP BY url ORDER BY min(noted_at), url
"""
# A page is noted before its document is stored.
_PRUNE = """
DELETE FROM rag_scanned_pages AS page
WHERE noted_at < now() - interval '1 day' AND NOT EXISTS (
    SELECT FROM rag_documents AS document
    WHERE document.source_id = page.source_id AND document.url = page.url
        AND document.inventory ? 'page'
)
"""


@dataclass(frozen=True, slots=True)
class PageOfFile:
    """A page without text of a file: the address of the document, and the hash of its bytes."""

    url: str
    file_hash: str
    number: int


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """A page without text: its number, what read it ("" for nothing), and its text."""

    number: int
    reader: str
    content: str


class PostgresScannedPages(PostgresRepository):
    """Keeps the pages of the documents of one source."""

    def __init__(self, pool: Pool, source_id: str) -> None:
        super().__init__(pool)
        self._source = source_id

    async def note(
        self, url: str, file_hash: str, numbers: Sequence[int], reader: str
    ) -> list[ScannedPage]:
        """Note the pages of a document, with what is known of files with the same bytes.

        A text by this reader is preferred. Pages of other bytes are forgotten.
        """
        parameters = {
            "source": self._source,
            "url": url,
            "file_hash": file_hash,
            "numbers": list(numbers),
            "reader": reader,
        }
        async with one_transaction(self._pool) as connection:
            await connection.execute(_FORGET_OLD, parameters)
            await connection.execute(_NOTE, parameters)
            rows = await fetch_all(connection, _PAGES, parameters)
        return [ScannedPage(**row) for row in rows]

    async def store(self, page: PageOfFile, reader: str, content: str) -> None:
        """Store the text of a page."""
        key = (self._source, page.url, page.number, page.file_hash)
        await self._run(_STORE, (reader, clean_text(content), *key))

    async def put_off(self, page: PageOfFile) -> None:
        """Put a page that could not be read now behind the others that are due."""
        key = (self._source, page.url, page.number, page.file_hash)
        await self._run(_PUT_OFF, key)

    async def due(
        self, urls: Sequence[str] | None, reader: str, *, replaces_all: bool
    ) -> dict[str, int]:
        """The number of pages that this reader is to read, by url; of all urls with None.

        What was not tried for the longest time comes first.

        These are unread pages, and pages that another reader of its kind read, or any other with
        `replaces_all`.
        """
        parameters = {
            "source": self._source,
            "urls": None if urls is None else list(urls),
            "reader": reader,
            "replaces_all": replaces_all,
        }
        return {row["url"]: row["pages"] for row in await self._rows(_DUE, parameters)}


async def prune_scanned_pages(connection: Connection) -> None:
    """Delete pages of documents that are gone or have no such pages any more."""
    await connection.execute(_PRUNE)
