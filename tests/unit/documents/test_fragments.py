"""Links to the very words: what stands behind `:~:text=`."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from urllib.parse import quote

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from rich_agent.documents.chunk.chunking import cut_sections, text_fragments
from rich_agent.documents.chunk.chunks import DocumentRef, make_chunks
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument
from tests.integration.sandbox_openai.serving import served

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
URL = "https://example.com/page"


JAPANESE = "日本語の文書を読む方法"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a b c three four five six seven eight", "a%20b%20c%20three%20four%20five%20six%20seven"),
        ("**Bold** `c-d`, a [link](https://a.b) & more", "Bold%20c%2Dd%2C%20a%20link%20%26%20more"),
        ("- An item of a list", "An%20item%20of%20a%20list"),
        ("- **--long**: Tells it at length", "Tells%20it%20at%20length"),
        (f"{JAPANESE}、その他。", quote(JAPANESE)),
        ("```\nsome code here\n```", ""),
        ("| some | table |\n| --- | --- |", ""),
        ("Too short", ""),
        ("A <name> that looks like a tag", ""),
    ],
)  # fmt: skip
def test_text_fragments_are_the_first_words_of_a_piece(content: str, words: str) -> None:
    """As they stand on the page; what the syntax of fragments uses is encoded."""
    assert text_fragments([content]) == [f":~:text={words}" if words else ""]


def test_text_fragments_lead_to_the_first_place_only() -> None:
    """Words that stand earlier in the document lead there, so they lead nowhere."""
    words = "The same words open this paragraph as another one"
    fragments = text_fragments([f"Lead. {words}.", f"{words}, too.", "Other words open it"])
    assert [bool(fragment) for fragment in fragments] == [True, False, True]


@pytest.mark.req("RAG-4")
def test_links_lead_to_the_section_or_to_the_words() -> None:
    """The first chunk of a section to its id; later ones, and those without, to their words."""
    parts = [f"{word} parts say at length what it is. {'More. ' * 200}" for word in ("Few", "All")]
    page = f"<p>Lead of the page.<h2 id='a'>A</h2><p>{parts[0]}<p>{parts[1]}"
    found = extract(RawDocument(URL, f"<article>{page}</article>".encode(), "text/html"))
    pieces = cut_sections(found.sections, "T")
    chunks = make_chunks(DocumentRef(URL, URL, "T"), pieces)
    assert [chunk.link.removeprefix(URL) for chunk in chunks] == [
        "#:~:text=Lead%20of%20the%20page.",
        "#a",
        "#a:~:text=All%20parts%20say%20at%20length%20what%20it%20is.",
    ]
    local = make_chunks(DocumentRef(URL, "file:///a.html", "T"), pieces)
    assert {chunk.link for chunk in local} == {"file:///a.html"}
    office = make_chunks(DocumentRef(URL, f"{URL}.docx", "T"), pieces)
    assert office[0].link == f"{URL}.docx"


@pytest.fixture
def browser() -> Iterator[webdriver.Chrome]:
    """A browser that has never been used."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for argument in ("--headless=new", "--no-sandbox", f"--user-data-dir={profile}"):
            options.add_argument(argument)
        driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
        try:
            yield driver
        finally:
            driver.quit()


@pytest.mark.browser
@pytest.mark.req("RAG-4")
@pytest.mark.skipif(
    not (CHROMIUM and DRIVER) and not os.environ.get("RICH_AGENT_REQUIRE_BROWSER"),
    reason="Chromium and chromedriver are not installed",
)
def test_links_open_a_page_at_the_words(browser: webdriver.Chrome) -> None:
    """In a real browser, in English and in Japanese, whatever stands around them."""
    openings = [
        "The well-known pump, an <em>old</em> one &amp; heavy, is here.",
        "圧力弁の<b>点検</b>方法を次に示します。毎週行って下さい。",
        "Its <code>co_de</code> is four-two, 50% of (all).",
    ]
    filling = "".join(f"<p>Filling number {n}.</p>" for n in range(80))
    parts = "".join(f"<h2>Part</h2><p class='it'>{words}</p>{filling}" for words in openings)
    page = f"<html><body><article>{filling}{parts}{filling}</article></body></html>"

    async def send(_: Request) -> HTMLResponse:
        return HTMLResponse(page)

    with served(Starlette(routes=[Route("/page", send)])) as address:
        url = f"{address}/page"
        found = extract(RawDocument(url, page.encode(), "text/html"))
        chunks = make_chunks(DocumentRef(url, url, "T"), cut_sections(found.sections, "T"))
        starts = ("The well", "圧力弁", "Its `co")
        links = [chunk.link for chunk in chunks if chunk.content.startswith(starts)]
        assert len(links) == len(openings)
        for place, link in enumerate(links):
            browser.get("about:blank")
            browser.get(link)
            WebDriverWait(browser, 10).until(partial(_shows, place=place))


def _shows(browser: webdriver.Chrome, place: int) -> bool:
    """Whether the element of class `it` at this place is within the window."""
    script = (
        "const box = document.querySelectorAll('.it')[arguments[0]].getBoundingClientRect();"
        "return box.bottom > 0 && box.top < window.innerHeight;"
    )
    return bool(browser.execute_script(script, place))
