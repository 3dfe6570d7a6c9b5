"""Directions of pages to programs: where to go on, and not to be indexed."""

import pytest
from lxml import html

from rich_agent.documents.fetch.directions import (
    forbids_indexing,
    next_address,
    page_forbids_indexing,
)


@pytest.mark.parametrize(
    ("head", "address"),
    [
        ('<meta http-equiv="refresh" content="0; url=/new">', "/new"),
        ("<META HTTP-EQUIV=Refresh CONTENT='3;URL=\"/new\" '>", "/new"),
        ("<meta http-equiv=refresh content='0,/new'>", "/new"),
        ("<meta http-equiv=refresh content=\"0.5; url='/new?a=1;b' x\">", "/new?a=1;b"),
        ("<title>x</title></head><body><meta http-equiv=refresh content='1;url=/new'>", "/new"),
        ("<meta http-equiv=refresh content='30; url=/new'>", ""),
        ("<meta http-equiv=refresh content='5'>", ""),
        ("<meta http-equiv=refresh content='soon; url=/new'>", ""),
        ("<noscript><meta http-equiv=refresh content='0; url=/new'></noscript>", ""),
        ("<!-- <meta http-equiv=refresh content='0; url=/new'> -->", ""),
        ("<script>'<meta http-equiv=refresh content=\"0; url=/new\">'</script>", ""),
        ("<p>refresh</p>", ""),
    ],
)
def test_next_address_is_where_a_browser_goes_on(head: str, address: str) -> None:
    """Within a few seconds, and not from notes, scripts and what is for browsers without them."""
    assert next_address(f"<!doctype html><html><head>{head}".encode()) == address


@pytest.mark.parametrize("data", [b"", b"refresh", b"\xff\xfe\x00refresh", b"<refresh" * 20_000])
def test_next_address_of_anything_is_found(data: bytes) -> None:
    """Nothing fails."""
    assert next_address(data) == ""


@pytest.mark.parametrize(
    ("headers", "is_forbidden"),
    [
        ([], False),
        (["noindex"], True),
        (["max-snippet: 20, NoIndex"], True),
        (["none"], True),
        (["otherbot: noindex, nofollow"], False),
        (["otherbot: nofollow", "noindex"], True),
        (["rich-agent: noindex"], True),
        (["otherbot: nofollow, rich-agent: nofollow, noindex"], True),
        (["unavailable_after: 25 Jun 2010 15:00:00 PST"], False),
        (["noindexing, all"], False),
    ],
)
def test_forbids_indexing_follows_the_header(headers: list[str], *, is_forbidden: bool) -> None:
    """Rules are for every program, or for the one that is named before them."""
    assert forbids_indexing(headers) is is_forbidden


@pytest.mark.parametrize(
    ("meta", "is_forbidden"),
    [
        ('<meta name="robots" content="noindex,follow">', True),
        ('<meta name="ROBOTS" content="Nofollow NONE">', True),
        ('<meta name="rich-agent" content="noindex">', True),
        ('<meta name="otherbot" content="noindex">', False),
        ('<meta name="robots" content="index, follow">', False),
    ],
)
def test_page_forbids_indexing_in_its_head(meta: str, *, is_forbidden: bool) -> None:
    """For all programs, or for this one."""
    assert page_forbids_indexing(html.document_fromstring(meta + "<p>x")) is is_forbidden
