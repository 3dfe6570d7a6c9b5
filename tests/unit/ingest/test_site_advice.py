"""Advice and questions of `ingest add-source` about a bare web address."""

import pytest
from starlette.responses import Response

from ingest.site_advice import advise_kind
from tests.screen import Screen
from tests.unit.documents.web_site import site

SITEMAP = Response("<urlset><url><loc>http://127.0.0.1/a</loc></url></urlset>")


def advised(
    monkeypatch: pytest.MonkeyPatch, address: str, typed: str | None
) -> tuple[str | None, str]:
    """The source made of an address, and what was said; `typed` at a terminal, None without one."""
    said = Screen()
    monkeypatch.setenv("INTRANET_HOSTS", "127.0.0.1")
    monkeypatch.setattr("sys.stderr", said)
    if typed is not None:
        monkeypatch.setattr("sys.stdin", Screen(typed))
    return advise_kind(address), said.getvalue()


@pytest.mark.parametrize(("typed", "kind"), [("y\n", "sitemap"), ("n\n", None), ("\n", None)])
def test_site_with_a_sitemap_is_offered_whole(
    monkeypatch: pytest.MonkeyPatch, typed: str, kind: str | None
) -> None:
    """The sitemap that robots.txt names, and a page alone unless that is wanted."""
    with site() as (server, url):
        server.pages["/robots.txt"] = Response(f"Sitemap: {url}/map.xml\n")
        found, said = advised(monkeypatch, url, typed)
        assert found == kind
        assert f"{url}/map.xml" in said
        assert ("--kind sitemap" in said) == (kind is None)


def test_site_with_a_sitemap_at_its_usual_place_is_offered_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though no robots.txt names it."""
    with site(pages={"/sitemap.xml": SITEMAP}) as (_, url):
        assert advised(monkeypatch, f"{url}/", "y\n")[0] == "sitemap"


def test_site_without_a_sitemap_is_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said that only this page is read, and nothing is asked."""
    with site() as (_, url):
        kind, said = advised(monkeypatch, url, "")
        assert kind is None
        assert "Only this page is read. For the whole site, if it has a sitemap: ingest " in said


def test_nothing_is_looked_for_where_nobody_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script registers a page, and is told; no request is made."""
    with site() as (server, url):
        kind, said = advised(monkeypatch, url, None)
        assert (kind, server.requests) == (None, [])
        assert f"ingest add-source {url}/ --kind sitemap" in said


def test_page_and_sitemap_are_taken_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page below the root is not asked about; a sitemap says nothing."""
    kind, said = advised(monkeypatch, "https://example.com/docs/a.html", "")
    assert kind is None
    assert "ingest add-source https://example.com/ --kind sitemap" in said
    assert advised(monkeypatch, "https://example.com/sitemap.xml", "") == (None, "")
