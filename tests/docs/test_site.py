"""The documentation as a site: every page is in it, and every link leads somewhere."""

import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lxml import html

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make site` builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    command += ["--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@cache
def parsed(page: Path) -> html.HtmlElement:
    """A page of the site."""
    return html.parse(str(page)).getroot()


def test_site_has_every_page(site: Path) -> None:
    """All of `docs/`, the README as the first, and what they link elsewhere."""
    for page in (ROOT / "docs").rglob("*.md"):
        place = page.relative_to(ROOT / "docs").with_suffix("")
        assert (site / place / "index.html").is_file(), place
    (title, *_) = parsed(site / "index.html").xpath("//h1/text()")
    assert title == "rich-agent"
    assert (site / "repository/deploy/grafana-dashboard.json").is_file()
    assert (site / "repository/CONTRIBUTING/index.html").is_file()


def test_links_of_the_site_lead_somewhere(site: Path) -> None:
    """To a file of the site, and to a heading that it has, as on the pages of the repository."""
    checked = 0
    for page in site.rglob("*.html"):
        for link in parsed(page).xpath("//main//a/@href | //main//img/@src"):
            parts = urlsplit(link)
            if parts.scheme or page.name == "404.html":
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            assert target.is_file(), f"{page}: {link}"
            if parts.fragment and target.suffix == ".html":
                there = parsed(target).xpath("//*[@id=$id]", id=unquote(parts.fragment))
                assert there, f"{page}: {link}"
            checked += 1
    assert checked > 500
