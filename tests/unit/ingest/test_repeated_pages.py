"""Pages that say the same as an address that does not exist."""

import pytest

from ingest.sync.repeated_pages import MissingPages
from rich_agent.documents.fetch.outcomes import Outcome, RawDocument, Unreadable

HOST = "https://example.com"
SENTENCE = "The pool opens at nine and closes at five on every day of the week but Monday. " * 4


class Host:
    """A host that shows the same body for each address."""

    def __init__(self, body: str) -> None:
        self.urls: list[str] = []
        self._body = body

    async def read(self, url: str) -> Outcome:
        """See `SourceReader.read`."""
        self.urls.append(url)
        if not self._body:
            return Unreadable(url, "there is no such page", is_gone=True)
        body = self._body.format(path=url.removeprefix(HOST))
        data = f"<title>Pool</title><main><h1>Pool</h1><p>{body}</p></main>".encode()
        return RawDocument(url, data, "text/html")


@pytest.mark.parametrize(
    ("body", "text", "is_missing"),
    [
        ("No page at {path} here.", "No page at /a/b here.", True),
        (f"{SENTENCE} Error 8f3a.", f"{SENTENCE} Error 77c1.", True),
        (SENTENCE, f"{SENTENCE} Tickets cost four euros for adults, two for children.", False),
        ("No page here.", "Four euros.", False),
        ("", "No page here.", False),
    ],
)
async def test_missing_pages_are_known_by_their_words(
    body: str, text: str, *, is_missing: bool
) -> None:
    """But for their own address, and for a word or two of many."""
    pages = MissingPages(Host(body).read, HOST)
    assert await pages.is_missing(f"{HOST}/a/b", text) is is_missing


async def test_missing_pages_are_read_once_for_each_host() -> None:
    """At an address that nobody made, and not for the root."""
    host = Host("No page here.")
    pages = MissingPages(host.read, HOST)
    assert not await pages.is_missing(f"{HOST}/", "No page here.")
    assert host.urls == []
    for path in ("/a", "/b", "/c"):
        assert await pages.is_missing(f"{HOST}{path}", "No page here.")
    assert len(host.urls) == 1
    assert await pages.is_missing("https://example.org/a", "No page here.")
    assert [url.rpartition("/")[0] for url in host.urls] == [HOST, "https://example.org"]
