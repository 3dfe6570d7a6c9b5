"""A look at what an address is, before it is registered. Nothing is stored."""

import asyncio
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from rich_agent.documents.fetch.errors import FetchError
from rich_agent.documents.fetch.fetching import Fetcher, FetchOptions
from rich_agent.documents.fetch.outcomes import Listing, RawDocument, Unreadable, Validators
from rich_agent.documents.fetch.reading import SourceReader
from rich_agent.documents.fetch.sitemaps import parse_sitemap
from rich_agent.documents.source import Source

_DEADLINE_S: Final = 10.0
_PREVIEW_S: Final = 20.0
_MOST_BYTES: Final = 50_000_000
_MOST_URLS: Final = 50_000
_EXAMPLES: Final = 5


@dataclass(frozen=True, slots=True)
class SourcePreview:
    """The documents that a source would read now.

    `documents`: the number of its documents, None if the look took too long.
    `examples`: the addresses of the first.
    `skipped`: what would be left out, "" for nothing.
    `problem`: the reason why it, or a part of it, cannot be read, "" without one.
    `sitemap`: the sitemap of the site whose first page the source is, "" if there is none.
    """

    source: Source
    documents: int | None
    examples: tuple[str, ...] = ()
    skipped: str = ""
    problem: str = ""
    sitemap: str = ""


async def preview_source(source: Source, options: FetchOptions) -> SourcePreview:
    """Look at a web source for at most 20 s."""
    options = replace(options, attempts=1, gone_wait_s=0)
    try:
        async with asyncio.timeout(_PREVIEW_S), SourceReader(options) as reader:
            if source.type == "page":
                return await _look_at_page(source, reader, options)
            return _preview(source, await reader.list_documents(source))
    except TimeoutError:
        return SourcePreview(source, None)


async def find_sitemap(site: str, options: FetchOptions) -> str:
    """The first sitemap in a site's robots.txt, or its /sitemap.xml; "" if there is none."""
    fetcher = Fetcher(replace(options, attempts=1))
    try:
        async with asyncio.timeout(_DEADLINE_S):
            sitemaps = await fetcher.robots.sitemaps(site)
            if sitemaps:
                return sitemaps[0]
            page = await fetcher.fetch(f"{site}sitemap.xml", max_bytes=_MOST_BYTES)
            parse_sitemap(page.data if page else b"", _MOST_URLS)
    except (FetchError, TimeoutError):
        return ""
    finally:
        await fetcher.aclose()
    return f"{site}sitemap.xml"


async def _look_at_page(
    source: Source, reader: SourceReader, options: FetchOptions
) -> SourcePreview:
    outcome = await reader.read(source, source.root_url, Validators())
    problem = outcome.reason if isinstance(outcome, Unreadable) else ""
    is_read = isinstance(outcome, RawDocument)
    examples = (source.root_url,) if is_read else ()
    parts = urlsplit(source.root_url)
    site = f"{parts.scheme}://{parts.netloc}/"
    sitemap = await find_sitemap(site, options) if source.root_url == site else ""
    return SourcePreview(source, int(is_read), examples, problem=problem, sitemap=sitemap)


def _preview(source: Source, listing: Listing) -> SourcePreview:
    skipped = listing.skipped.in_words() if listing.skipped.total else ""
    examples = listing.urls[:_EXAMPLES]
    return SourcePreview(source, len(listing.urls), examples, skipped, listing.problem)
