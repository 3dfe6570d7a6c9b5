"""Test collections in many languages, made of what Debian packages hold in translation.

`libreoffice-help-XX`: the titles of help pages are the questions, the pages without them the
documents. `manpages-XX`: the descriptions of manual pages, and the pages without them. A page is
the one relevant document of its question, so neither is judged by people.
"""

import gzip
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from lxml import html

from bench.beir import Collection, TestDocument

_PAGES = 300
_SEED = 7
_SHORTEST = 80  # characters of a document
_DESCRIBED = re.compile(
    r"^\S.*\n\s+\S+(?:, \S+)* [-‐–—−] (.+(?:\n[ \t]+\S.*){0,2})\n", re.MULTILINE
)
_NOT_SAID_HERE = ".//h1 | .//*[@class='relatedtopics'] | .//meta"


def read_help(directory: Path) -> Collection:
    """At most 300 how-to pages of LibreOffice's help in the language of this directory.

    Of titles in ASCII only those of `en-US` count: others were not translated.
    """
    pages = sorted(directory.glob("text/*/guide/*.html"))
    found = (_help_page(page, page.relative_to(directory).as_posix()) for page in pages)
    translated = (one for one in found if one[0].isascii() == (directory.name == "en-US"))
    return _collection(translated)


def _help_page(path: Path, key: str) -> tuple[str, TestDocument]:
    page = html.parse(path, html.HTMLParser(encoding="utf-8"))
    body = page.find(".//div[@id='DisplayArea']")
    if body is None:
        return "", TestDocument(key, "", "")
    title = " ".join(" ".join(heading.text_content() for heading in body.iter("h1")).split())
    for part in body.xpath(_NOT_SAID_HERE):
        part.drop_tree()
    lines = (" ".join(line.split()) for line in body.text_content().splitlines())
    return title, TestDocument(key, "", "\n".join(filter(None, lines)))


def read_manual(directory: Path) -> Collection:
    """At most 300 manual pages in the language of this directory; `groff` renders them."""
    pages = sorted(directory.glob("man*/*.gz"))
    drawn = random.Random(_SEED).sample(pages, min(2 * _PAGES, len(pages)))  # noqa: S311 - a sample
    return _collection(filter(None, map(_manual_page, drawn)))


def _manual_page(path: Path) -> tuple[str, TestDocument] | None:
    done = subprocess.run(
        ["/usr/bin/groff", "-K", "utf8", "-man", "-T", "utf8", "-P-c", "-P-b", "-P-o", "-P-u"],
        input=gzip.decompress(path.read_bytes()),
        capture_output=True,
        check=True,
    )
    text = done.stdout.decode()
    found = _DESCRIBED.search(text)
    if found is None:
        return None
    rest = re.sub(r"\n\s*\n\s*", "\n\n", text[found.end() :])
    return " ".join(found[1].split()), TestDocument(path.stem, "", rest)


def _collection(pages: Iterable[tuple[str, TestDocument]]) -> Collection:
    """The pages that are long enough, asked for by what no other page is called."""
    kept = [(title, page) for title, page in pages if title and len(page.text) >= _SHORTEST]
    chosen = list(_draw(kept))
    titles = Counter(title for title, _ in chosen)
    asked = {page.id: title for title, page in chosen if titles[title] == 1}
    return Collection(tuple(page for _, page in chosen), asked, {key: {key: 1} for key in asked})


def _draw(pages: list[tuple[str, TestDocument]]) -> Iterator[tuple[str, TestDocument]]:
    yield from random.Random(_SEED).sample(pages, min(_PAGES, len(pages)))  # noqa: S311 - a sample
