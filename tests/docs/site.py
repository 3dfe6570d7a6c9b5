"""Builds the documentation as a site: what its pages link outside of `docs/` goes with it.

A hook of MkDocs, which calls these functions by their names; `mkdocs.yml` names this file.
"""

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
OUTSIDE = "repository"
"""The folder of the site with what is outside of `docs/`."""
_LINK = re.compile(r"\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def on_config(config: MkDocsConfig) -> None:
    """Name the anchors of headings as GitHub does, so that links hold in both places."""
    config.mdx_configs["toc"]["slugify"] = slug


def slug(heading: str, separator: str) -> str:
    """The anchor of a heading: its letters, digits, `_` and `-`."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the README as the first page, and everything that the pages link outside of `docs/`."""
    files.append(File.generated(config, "index.md", content=_overview()))
    waiting = [*DOCS.rglob("*.md"), ROOT / "README.md"]
    found = set[Path]()
    while waiting:
        new = _linked(waiting.pop()) - found
        found |= new
        waiting += [place for place in new if place.suffix == ".md"]
    for place in sorted(found):
        files.append(File.generated(config, _uri_of(place), abs_src_path=str(place)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead the links of a page to the places of their files in the site."""
    del config, files
    here = page.file.src_uri
    source = ROOT / "README.md" if here == "index.md" else _source_of(here)

    def led(link: re.Match[str]) -> str:
        target = os.path.relpath(_uri_of(_target(source, link[1])), Path(here).parent)
        return f"]({target}{link[2] or ''})"

    return _LINK.sub(led, markdown)


def _overview() -> str:
    return (ROOT / "README.md").read_text("utf-8")


def _source_of(uri: str) -> Path:
    outside = uri.removeprefix(f"{OUTSIDE}/")
    return DOCS / uri if outside == uri else ROOT / outside


def _target(source: Path, link: str) -> Path:
    """The file that a link leads to; a folder stands for the first page in it."""
    place = (source.parent / link).resolve()
    return min(place.glob("*.md")) if place.is_dir() else place


def _uri_of(place: Path) -> str:
    if place.is_relative_to(DOCS):
        return place.relative_to(DOCS).as_posix()
    return f"{OUTSIDE}/{place.relative_to(ROOT).as_posix()}"


def _linked(source: Path) -> set[Path]:
    """The files outside of `docs/` that a page links to."""
    links = _LINK.findall(source.read_text("utf-8"))
    targets = {_target(source, link) for link, _ in links}
    return {target for target in targets if not target.is_relative_to(DOCS)}
