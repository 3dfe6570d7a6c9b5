"""Finds pages that repeat another page, or what their site shows for a missing address."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Final
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.isolation import extract_in_process
from rich_agent.documents.fetch.outcomes import Outcome, RawDocument

SAME_AS_NO_PAGE: Final = (
    "the site shows the same for an address that does not exist, so there is no such page; remove "
    "the address from its list, or ask the site to answer 404"
)
SAME_AS_ANOTHER: Final = (
    "the page has the content of another address of this source, and is stored only once"
)
_MARKS: Final = "\"'`“”‘’«»„.,:;!?()[]<>*_"
_MOST_DIFFERENCE: Final = 0.05  # of the words, such as a time or an error's number


class MissingPages:
    """The words that hosts show for an address that cannot exist, each read at most once."""

    def __init__(self, read: Callable[[str], Awaitable[Outcome]], owner: str) -> None:
        self._read = read
        self._owner = owner
        self._words: dict[str, list[str]] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def is_missing(self, url: str, text: str) -> bool:
        """Whether the host shows this text for an address that does not exist.

        The page at the root of a host exists, whatever the host shows elsewhere.
        """
        url_parts = urlsplit(url)
        if not url_parts.path.strip("/"):
            return False
        host_url = f"{url_parts.scheme}://{url_parts.netloc}/"
        async with self._locks[host_url]:
            if host_url not in self._words:
                self._words[host_url] = await self._words_of_missing(host_url)
        missing_words = self._words[host_url]
        return bool(missing_words) and _differs_little(_words(text, url), missing_words)

    async def _words_of_missing(self, host_url: str) -> list[str]:
        """The words that a host shows for a made-up address, none if it says that there is none."""
        url = f"{host_url}{uuid4().hex}"
        outcome = await self._read(url)
        if not isinstance(outcome, RawDocument) or outcome.media_type != "text/html":
            return []
        try:
            document = await extract_in_process(outcome, owner=self._owner)
        except ExtractionError:
            return []
        return _words(document.text, url)


def _words(text: str, url: str) -> list[str]:
    """The words of a page without its own address, which error pages repeat."""
    path = unquote(urlsplit(url).path)
    name = path.rstrip("/").rpartition("/")[2]
    words = text.replace(url, " ").replace(path, " ").split()
    return [word for word in words if word.strip(_MARKS) != name]


def _differs_little(words: Sequence[str], other_words: Sequence[str]) -> bool:
    counts, other_counts = Counter(words), Counter(other_words)
    difference = (counts - other_counts).total() + (other_counts - counts).total()
    return difference <= _MOST_DIFFERENCE * max(len(words), len(other_words))
