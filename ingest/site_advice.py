"""For a web address without a kind, asks whether to register the page or the whole site.

Nothing is crawled without a person's consent. A sitemap is searched for only if a person can
answer.
"""

import asyncio
import sys
from shlex import quote
from urllib.parse import urlsplit

import typer

from rich_agent.documents.fetch.errors import FetchError
from rich_agent.documents.fetch.fetching import Fetcher, FetchOptions
from rich_agent.documents.fetch.sitemaps import parse_sitemap
from rich_agent.documents.source import SourceType, kind_of_address, root_address
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err, working

_DEADLINE_S = 10.0
_MOST_BYTES = 50_000_000
_MOST_URLS = 50_000


def advise_kind(target: str) -> SourceType | None:
    """The kind that a person chose for a web address, None if there is no choice.

    Raises: SourceError for an address or a path that cannot be registered, SettingsError.
    """
    address = root_address(target)
    url_parts = urlsplit(address)
    if url_parts.scheme not in {"http", "https"} or kind_of_address(address) != "page":
        return None
    site = f"{url_parts.scheme}://{url_parts.netloc}/"
    if address == site and sys.stdin.isatty() and sys.stderr.isatty():
        with working(f"Looking for a sitemap of {url_parts.netloc}…"):
            sitemap = asyncio.run(find_sitemap(site, Settings.load()))
        if sitemap and typer.confirm(
            f"This is one page. Read the whole site by its sitemap {sitemap} instead?", err=True
        ):
            return "sitemap"
    err(
        "Only this page is read. For the whole site, if it has a sitemap: "
        f"ingest add-source {quote(site)} --kind sitemap"
    )
    return None


async def find_sitemap(site: str, settings: Settings) -> str:
    """The first sitemap in a site's robots.txt, or its /sitemap.xml; "" if there is none."""
    documents = settings.documents
    options = FetchOptions(
        attempts=1, respect_robots=documents.respect_robots, intranet=documents.intranet
    )
    fetcher = Fetcher(options)
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
