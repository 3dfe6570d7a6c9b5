"""Lists the pages in a site's sitemaps (sitemaps.org): XML, nested, compressed or text.

If a part cannot be read, the listing is incomplete, so that no page is treated as removed.
`lastmod` is not used, because many sites give every page the date of the last build.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx
from lxml import etree

from rich_agent.documents.fetch.bodies import gunzip
from rich_agent.documents.fetch.errors import FetchError
from rich_agent.documents.fetch.fetching import Fetcher
from rich_agent.documents.fetch.outcomes import Listing, Skipped
from rich_agent.documents.source import LEFT_OUT, Selection, Source, SourceError, web_address
from rich_agent.runtime.concurrency import run_all

_ENTRY_OF = {"urlset": "url", "sitemapindex": "sitemap"}
_XML_BEGINS = (b"<", b"\xff\xfe", b"\xfe\xff")
_BEFORE_XML = b"\xef\xbb\xbf \t\r\n"


@dataclass(frozen=True, slots=True)
class SitemapLimits:
    """Limits of a source's sitemaps. sitemaps.org allows 50,000 addresses and 50 MB in each."""

    size_bytes: int = 50_000_000  # decompressed
    urls_in_one: int = 50_000
    urls: int = 200_000
    sitemaps: int = 1_000
    at_once: int = 4


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The original addresses of pages or, if it is an index, of further sitemaps."""

    is_index: bool
    locations: tuple[str, ...]


class SitemapError(FetchError):
    """A sitemap that cannot be parsed."""


class SitemapReader:
    """Follows the sitemaps of a source."""

    def __init__(self, fetcher: Fetcher, limits: SitemapLimits | None = None) -> None:
        self._fetcher = fetcher
        self._limits = limits or SitemapLimits()
        self._at_once = asyncio.Semaphore(self._limits.at_once)

    async def list_pages(self, source: Source) -> Listing:
        """The selected pages on the source's own host, with or without `www.`."""
        walk = _Walk(source, self._limits)
        try:
            next_urls = walk.sitemaps(await self._roots(source.root_url))
        except FetchError as error:
            return Listing((), is_complete=False, problem=str(error))
        for _ in range(source.depth + 1):
            sitemaps = await run_all(self._read(url, walk) for url in next_urls)
            next_urls = walk.sitemaps(
                location
                for sitemap in sitemaps
                if sitemap.is_index
                for location in sitemap.locations
            )
            pages = [sitemap.locations for sitemap in sitemaps if not sitemap.is_index]
            await asyncio.to_thread(walk.add_pages, pages)
        if next_urls:
            walk.problems.append(f"{next_urls[0]} is deeper than {source.depth} (--depth)")
        return walk.listing()

    async def _roots(self, root_url: str) -> list[str]:
        """The registered sitemap, or the sitemaps of the registered site."""
        url = httpx.URL(root_url)
        if url.raw_path != b"/":
            return [root_url]
        sitemaps = await self._fetcher.robots.sitemaps(root_url)
        return sitemaps or [str(url.join("/sitemap.xml"))]

    async def _read(self, url: str, walk: "_Walk") -> Sitemap:
        """A sitemap.

        If it cannot be read, the problem is noted, and an empty sitemap is returned.
        """
        try:
            async with self._at_once:
                page = await self._fetcher.fetch(url, max_bytes=self._limits.size_bytes)
                return await asyncio.to_thread(_parse, page.data if page else b"", self._limits)
        except FetchError as error:
            walk.problems.append(str(error) if url == walk.root_url else f"{url}: {error}")
            return Sitemap(is_index=False, locations=())


class _Walk:
    """The results of a source's sitemaps so far."""

    def __init__(self, source: Source, limits: SitemapLimits) -> None:
        self.problems: list[str] = []
        self.root_url = source.root_url
        self._site = _site(source.root_url)
        self._selection = Selection(source.include, source.exclude)
        self._limits = limits
        self._pages: dict[str, None] = {}
        self._sitemaps: set[str] = set()
        self._skipped = Skipped()

    def sitemaps(self, locations: Iterable[str]) -> list[str]:
        """The addresses to read next: those of this site that were not given before."""
        new_urls: list[str] = []
        for url in self._of_this_site(locations):
            if url in self._sitemaps:
                continue
            if len(self._sitemaps) == self._limits.sitemaps:
                self.problems.append(f"there are more than {self._limits.sitemaps:,} sitemaps")
                break
            self._sitemaps.add(url)
            new_urls.append(url)
        return new_urls

    def add_pages(self, pages: Iterable[Sequence[str]]) -> None:
        """Add the pages of sitemaps."""
        for url in self._of_this_site(location for locations in pages for location in locations):
            if not self._selection.has(unquote(urlsplit(url).path)):
                self._skipped.add(LEFT_OUT, url)
            elif len(self._pages) < self._limits.urls or url in self._pages:
                self._pages[url] = None
            else:
                self.problems.append(f"there are more than {self._limits.urls:,} pages")
                return

    def listing(self) -> Listing:
        """The complete result."""
        if not self._pages and not self.problems:
            self.problems.append(f"it lists no page of this host, and {self._skipped.total} others")
        problem = self.problems[0] if self.problems else ""
        return Listing(tuple(self._pages), not problem, self._skipped, problem)

    def _of_this_site(self, locations: Iterable[str]) -> Iterable[str]:
        for location in locations:
            try:
                url = web_address(location)
            except SourceError:
                self._skipped.add("that are not web addresses", location[:100])
                continue
            if _site(url) == self._site:
                yield url
            else:
                self._skipped.add("of other sites", url)


def parse_sitemap(data: bytes, most: int) -> Sitemap:
    """The addresses in a sitemap, at most `most`; XML, or plain text with one per line.

    Raises: SitemapError.
    """
    data = data.lstrip(_BEFORE_XML)
    if not data:
        raise SitemapError("this is not a sitemap: it is empty")
    return _parse_xml(data, most) if data.startswith(_XML_BEGINS) else _parse_text(data, most)


def _parse(data: bytes, limits: SitemapLimits) -> Sitemap:
    return parse_sitemap(gunzip(data, limits.size_bytes), limits.urls_in_one)


def _parse_text(data: bytes, most: int) -> Sitemap:
    lines = data.decode(errors="replace").splitlines()
    locations = [line.strip() for line in lines if line.strip()]
    no_address = next(
        (line for line in locations if not line.startswith(("http://", "https://"))), None
    )
    if no_address is not None:
        raise SitemapError(f"this is not a sitemap: it holds {no_address[:60]!r}")
    _require_few(locations, most)
    return Sitemap(is_index=False, locations=tuple(locations))


def _parse_xml(data: bytes, most: int) -> Sitemap:
    locations: list[str] = []
    root: Any = None
    try:
        for event, element in etree.iterparse(
            BytesIO(data),
            events=("start", "end"),
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            recover=False,
        ):
            if root is None:
                root = _sitemap_root(element)
            elif event == "end" and element.getparent() is root:
                locations += _location(element, etree.QName(root))
                _require_few(locations, most)
                element.clear()
                del root[: root.index(element)]
    except etree.XMLSyntaxError as error:
        raise SitemapError(f"its XML is broken: {error.msg}") from error
    return Sitemap(etree.QName(root).localname == "sitemapindex", tuple(locations))


def _sitemap_root(element: Any) -> Any:  # noqa: ANN401 - lxml has no types
    # A document type can declare entities that expand without bounds; sitemaps need none.
    if element.getroottree().docinfo.doctype:
        raise SitemapError("this is not a sitemap: it declares a document type")
    name = etree.QName(element).localname
    if name not in _ENTRY_OF:
        raise SitemapError(f"this is not a sitemap: it begins with <{name}>")
    return element


def _location(entry: Any, root: Any) -> list[str]:  # noqa: ANN401 - lxml has no types
    """The address of an entry in a list; [] if the element is not an entry."""
    if not isinstance(entry.tag, str) or etree.QName(entry).localname != _ENTRY_OF[root.localname]:
        return []
    text = entry.findtext(etree.QName(root.namespace, "loc")) or ""
    return [text.strip()] if text.strip() else []


def _require_few(locations: Sequence[str], most: int) -> None:
    if len(locations) > most:
        raise SitemapError(f"it holds more than {most:,} addresses")


def _site(url: str) -> tuple[str, int | None]:
    """Host without `www.` and port, which all addresses of a site share."""
    url_parts = urlsplit(url)
    return (url_parts.hostname or "").removeprefix("www."), url_parts.port
