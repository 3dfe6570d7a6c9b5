"""Lists the pages in a site's sitemaps (sitemaps.org): XML, nested, compressed, text or feeds.

If a part cannot be read, the listing is incomplete, so that no page is treated as removed. Nor is
the listing of a feed complete, because a feed names only the newest pages.
`lastmod` is not used, because many sites give every page the date of the last build.
"""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import httpx
from lxml import etree

from rich_agent.documents.fetch.bodies import gunzip_beginning
from rich_agent.documents.fetch.errors import FetchError
from rich_agent.documents.fetch.fetching import Fetcher
from rich_agent.documents.fetch.outcomes import Listing, Skipped
from rich_agent.documents.source import LEFT_OUT, Selection, Source, SourceError, web_address
from rich_agent.runtime.concurrency import run_all

# Sources: sitemaps.org, RSS 2.0, RSS 1.0, RFC 4287 (Atom).
_ENTRY_OF: Final = {
    "urlset": "url",
    "sitemapindex": "sitemap",
    "rss": "item",
    "RDF": "item",
    "feed": "entry",
}
_FEEDS: Final = frozenset({"rss", "RDF", "feed"})
_LOCATIONS: Final = frozenset({"loc", "link"})
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_XML_BEGINS: Final = (b"<", *_UTF_16)
_BEFORE_XML: Final = b"\xef\xbb\xbf \t\r\n"
_CDATA: Final = b"<![CDATA["
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_BARE_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
_PIECE_BYTES: Final = 65_536


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
    """The original addresses of pages or, if it is an index, of further sitemaps.

    `problem` tells why addresses are missing, "" if none are.
    """

    is_index: bool
    locations: tuple[str, ...]
    is_feed: bool = False
    problem: str = ""


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
        """The part of a sitemap that can be read; its problem is noted."""
        try:
            async with self._at_once:
                page = await self._fetcher.fetch(url, max_bytes=self._limits.size_bytes)
                data = page.data if page else b""
                sitemap = await asyncio.to_thread(_parse, data, self._limits)
        except FetchError as error:
            sitemap = Sitemap(is_index=False, locations=(), problem=str(error))
        walk.note(url, sitemap)
        return sitemap


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
        self._has_feed = False

    def note(self, url: str, sitemap: Sitemap) -> None:
        """Note what makes a sitemap incomplete."""
        self._has_feed = self._has_feed or sitemap.is_feed
        if sitemap.problem:
            is_root = url == self.root_url
            self.problems.append(sitemap.problem if is_root else f"{url}: {sitemap.problem}")

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
        is_complete = not problem and not self._has_feed
        return Listing(tuple(self._pages), is_complete, self._skipped, problem)

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

    Of broken XML, the addresses that are intact are returned, with the problem.

    Raises: SitemapError if there are none.
    """
    data = data.lstrip(_BEFORE_XML)
    if not data:
        raise SitemapError("this is not a sitemap: it is empty")
    sitemap = _parse_xml(data) if data.startswith(_XML_BEGINS) else _parse_text(data)
    count = len(sitemap.locations)
    if count <= most:
        return sitemap
    problem = f"it holds {count:,} addresses, and only the first {most:,} are read"
    return replace(sitemap, locations=sitemap.locations[:most], problem=problem)


def _parse(data: bytes, limits: SitemapLimits) -> Sitemap:
    content, is_whole = gunzip_beginning(data, limits.size_bytes)
    sitemap = parse_sitemap(content, limits.urls_in_one)
    if is_whole:
        return sitemap
    # The last line of a text may be half an address.
    is_text = not content.lstrip(_BEFORE_XML).startswith(_XML_BEGINS)
    locations = sitemap.locations[:-1] if is_text else sitemap.locations
    return replace(sitemap, locations=locations, problem="the file broke off before its end")


def _parse_text(data: bytes) -> Sitemap:
    lines = data.decode(errors="replace").splitlines()
    locations = [line.strip() for line in lines if line.strip()]
    no_address = next(
        (line for line in locations if not line.startswith(("http://", "https://"))), None
    )
    if no_address is not None:
        raise SitemapError(f"this is not a sitemap: it holds {no_address[:60]!r}")
    return Sitemap(is_index=False, locations=tuple(locations))


def _parse_xml(data: bytes) -> Sitemap:
    try:
        return _EntryReader(recovers=False).read(data)
    except etree.XMLSyntaxError:
        data = _without_stray_bytes(data)
    try:
        return _EntryReader(recovers=False).read(data)
    except etree.XMLSyntaxError as error:
        problem = f"its XML is broken: {error.msg}"
    try:
        sitemap = _EntryReader(recovers=True).read(data)
    except etree.XMLSyntaxError as error:
        raise SitemapError(problem) from error
    if not sitemap.locations:
        raise SitemapError(problem)
    return replace(sitemap, problem=problem)


def _without_stray_bytes(data: bytes) -> bytes:
    """XML with escaped ampersands, and without control characters, which it must not contain."""
    if data.startswith(_UTF_16):
        return data
    before, *sections = _CONTROL.sub(b"", data).split(_CDATA)
    pieces = [_BARE_AMPERSAND.sub(b"&amp;", before)]
    for section in sections:
        verbatim, end, after = section.partition(b"]]>")
        pieces.append(verbatim + end + _BARE_AMPERSAND.sub(b"&amp;", after))
    return _CDATA.join(pieces)


class _EntryReader:
    """Reads the addresses of entries; with `recovers`, also those of broken XML.

    Elements that the XML does not close are not read, because their address may be cut off.
    """

    def __init__(self, *, recovers: bool) -> None:
        self._recovers = recovers
        self._parser: Any = etree.XMLPullParser(
            events=("start", "end"),
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
            recover=recovers,
        )
        self._root: Any = None
        self._locations: list[str] = []

    def read(self, data: bytes) -> Sitemap:
        """The addresses of all entries. Raises: SitemapError, XMLSyntaxError."""
        for start in range(0, len(data), _PIECE_BYTES):
            self._parser.feed(data[start : start + _PIECE_BYTES])
            for event, element in self._parser.read_events():
                self._take(event, element)
        if not self._recovers:
            self._parser.close()
        if self._root is None:
            raise SitemapError("this is not a sitemap: it is empty")
        name = etree.QName(self._root).localname
        return Sitemap(name == "sitemapindex", tuple(self._locations), is_feed=name in _FEEDS)

    def _take(self, event: str, element: Any) -> None:  # noqa: ANN401 - lxml has no types
        if self._root is None:
            self._root = _sitemap_root(element)
        elif event == "end" and isinstance(element.tag, str):
            parent = element.getparent()
            if parent is not None and _is_location(element, parent, self._root):
                self._add(element)
            elif parent is self._root:
                element.clear()
                del parent[: parent.index(element)]

    def _add(self, element: Any) -> None:  # noqa: ANN401 - lxml has no types
        """Add the address in an element, unless it contains a reference that is not resolved."""
        is_alternate = element.get("rel", "alternate") == "alternate"
        location = ((element.text or "").strip() or element.get("href", "")) if is_alternate else ""
        if location and not len(element):
            self._locations.append(location)


def _sitemap_root(element: Any) -> Any:  # noqa: ANN401 - lxml has no types
    # Entities can expand without bounds, and can name files; sitemaps need none of their own.
    declaration = element.getroottree().docinfo.internalDTD
    if declaration is not None and next(declaration.iterentities(), None) is not None:
        raise SitemapError("this is not a sitemap: it declares entities")
    name = etree.QName(element).localname
    if name not in _ENTRY_OF:
        raise SitemapError(f"this is not a sitemap: it begins with <{name}>")
    return element


def _is_location(element: Any, parent: Any, root: Any) -> bool:  # noqa: ANN401 - lxml has no types
    """Whether an element is the address of an entry, in the namespace of the entry."""
    name, entry = etree.QName(element), etree.QName(parent)
    return (
        name.localname in _LOCATIONS
        and name.namespace == entry.namespace
        and entry.localname == _ENTRY_OF[etree.QName(root).localname]
    )


def _site(url: str) -> tuple[str, int | None]:
    """Host without `www.` and port, which all addresses of a site share."""
    url_parts = urlsplit(url)
    return (url_parts.hostname or "").removeprefix("www."), url_parts.port
