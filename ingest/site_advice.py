"""For a web address without a kind, asks whether to register the page or the whole site.

Nothing is crawled without a person's consent. A sitemap is searched for only if a person can
answer.
"""

import asyncio
import sys
from shlex import quote
from urllib.parse import urlsplit

import typer

from rich_agent.documents.fetch.fetching import FetchOptions
from rich_agent.documents.registry.previews import find_sitemap
from rich_agent.documents.source import SourceType, kind_of_address, root_address
from rich_agent.settings.settings import Settings
from rich_agent.terminal.console import err, working


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
            sitemap = asyncio.run(find_sitemap(site, FetchOptions.of(Settings.load().documents)))
        if sitemap and typer.confirm(
            f"This is one page. Read the whole site by its sitemap {sitemap} instead?", err=True
        ):
            return "sitemap"
    err(
        "Only this page is read. For the whole site, if it has a sitemap: "
        f"ingest add-source {quote(site)} --kind sitemap"
    )
    return None
