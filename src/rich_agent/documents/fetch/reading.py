"""Lists a source's documents and reads them, from the web or from a folder.

Files are read only inside the registered folder. Links out of the folder are not followed.
"""

import asyncio
from typing import Self
from urllib.parse import unquote, urlsplit

import structlog

from rich_agent.documents.fetch.errors import FetchError
from rich_agent.documents.fetch.fetching import FetchedPage, Fetcher, FetchOptions
from rich_agent.documents.fetch.files import FileError, read_file
from rich_agent.documents.fetch.local import list_files, read_document
from rich_agent.documents.fetch.outcomes import (
    Listing,
    NotModified,
    Outcome,
    RawDocument,
    Skipped,
    Unreadable,
    Validators,
)
from rich_agent.documents.fetch.sitemaps import SitemapReader
from rich_agent.documents.media import charset_of, media_type_of
from rich_agent.documents.source import LEFT_OUT, Selection, Source, addresses, local_path

_log = structlog.get_logger(__name__)


class SourceReader:
    """Reads sources. Many documents can be read at once, because the reader applies the limits."""

    def __init__(self, options: FetchOptions | None = None) -> None:
        self._options = options or FetchOptions()
        self._fetcher = Fetcher(self._options)
        self._open_files = asyncio.Semaphore(self._options.concurrency)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self._fetcher.aclose()

    async def list_documents(self, source: Source) -> Listing:
        """The current listing of the source; an incomplete listing after a failure."""
        try:
            return await self._list(source)
        except Exception as error:  # noqa: BLE001 - one bad source must not stop others
            _log.exception("listing_failed", source=source.root_url)
            problem = f"{source.root_url}: cannot be listed: {error!r}"
            return Listing((), is_complete=False, problem=problem)

    async def _list(self, source: Source) -> Listing:
        match source.type:
            case "page":
                return Listing((source.root_url,), is_complete=True)
            case "url-list":
                return await self._list_addresses(source)
            case "sitemap":
                return await SitemapReader(self._fetcher).list_pages(source)
            case "file" | "folder":
                return await asyncio.to_thread(list_files, source)
            case "connected" | "upload":
                return Listing((), is_complete=False, problem="another reader lists it")

    async def read(self, source: Source, url: str, validators: Validators) -> Outcome:
        """A document of the source's listing."""
        if source.type in {"file", "folder"}:
            return await self._read_file(source, url)
        return await self._read_page(url, validators)

    async def _list_addresses(self, source: Source) -> Listing:
        try:
            url_list = await self._list_bytes(source)
        except (FetchError, FileError) as error:
            return Listing((), is_complete=False, problem=str(error))
        return await asyncio.to_thread(_url_list, source, url_list)

    async def _list_bytes(self, source: Source) -> bytes:
        path = local_path(source.root_url)
        if path is not None:
            return await asyncio.to_thread(
                read_file, str(path.parent), path.name, self._options.max_file_bytes
            )
        page = await self._fetcher.fetch(source.root_url)
        return page.data if page else b""

    async def _read_page(self, url: str, validators: Validators) -> Outcome:
        try:
            page = await self._fetch_surely(url, validators)
        except FetchError as error:
            return Unreadable(url, str(error), error.is_gone)
        return NotModified(url) if page is None else _document(url, page)

    async def _fetch_surely(self, url: str, validators: Validators) -> FetchedPage | None:
        try:
            return await self._fetch(url, validators)
        except FetchError as error:
            if not error.is_gone:
                raise
        # A server that is being updated may briefly answer 404.
        await asyncio.sleep(self._options.gone_wait_s)
        return await self._fetch(url, validators)

    async def _fetch(self, url: str, validators: Validators) -> FetchedPage | None:
        return await self._fetcher.fetch(
            url, etag=validators.etag, last_modified=validators.last_modified
        )

    async def _read_file(self, source: Source, url: str) -> Outcome:
        async with self._open_files:
            return await asyncio.to_thread(read_document, source, url, self._options.max_file_bytes)


def _url_list(source: Source, data: bytes) -> Listing:
    """The selected addresses of a URL list."""
    urls, odd_lines = addresses(data.decode("utf-8-sig", errors="replace"))
    selection = Selection(source.include, source.exclude)
    selection_urls = [url for url in urls if selection.has(unquote(urlsplit(url).path))]
    skips = Skipped()
    for url in sorted(set(urls).difference(selection_urls)):
        skips.add(LEFT_OUT, url)
    for line in odd_lines:
        skips.add("that are not web addresses", line[:100])
    problem = ""
    if odd_lines:
        problem = f"{odd_lines[0][:100]!r} is not a web address"
    elif not selection_urls:
        problem = "it contains no address" + (" that matches" if urls else "")
    return Listing(tuple(selection_urls), not problem, skips, problem)


def _document(url: str, page: FetchedPage) -> Outcome:
    media_type = media_type_of(page.content_type, url, page.data)
    if media_type is None:
        kind = page.content_type.partition(";")[0].strip() or "of an unnamed kind"
        return Unreadable(url, f"the page is {kind}, which cannot be read yet")
    charset = charset_of(page.content_type)
    return RawDocument(
        url,
        page.data,
        media_type,
        charset,
        page.etag,
        page.last_modified,
        is_noindex=page.is_noindex,
    )
