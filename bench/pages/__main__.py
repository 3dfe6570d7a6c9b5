"""Content against boilerplate: `python -m bench.pages [TESTS]`.

The pages of documentation in this folder and, with the folder `tests` of trafilatura's repository,
the pages that it is evaluated on: for the product, trafilatura and readability, how many of the
words that must be in the text are there (recall), and how many of those found belong there
(precision). The latter pages are shown in halves, too: the product was made with the first.
"""

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import lxml.html
import trafilatura
from typing_extensions import override

from bench.peers import ROOT, peer_python
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.extract.markdown import parser
from rich_agent.documents.extract.plain import decode, visible
from rich_agent.documents.fetch.outcomes import RawDocument

OWN = Path(__file__).parent / "documentation"


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and words that must and must not be in its text."""

    url: str
    data: bytes
    wanted: Sequence[str]
    unwanted: Sequence[str]

    @property
    def is_first_half(self) -> bool:
        """Half of any set, by the address alone."""
        return int(sha256(self.url.encode()).hexdigest(), 16) % 2 == 0


@dataclass(frozen=True, slots=True)
class Counts:
    """Of all labels: wanted ones in the text, unwanted ones in it, wanted ones that are not."""

    right: int
    wrong: int
    missing: int

    @override
    def __str__(self) -> str:
        precision = self.right / max(1, self.right + self.wrong)
        recall = self.right / max(1, self.right + self.missing)
        f1 = 2 * self.right / max(1, 2 * self.right + self.wrong + self.missing)
        return f"{precision:9.3f} {recall:7.3f} {f1:7.3f}"


def read_pages(labels: Path, folders: Sequence[Path]) -> Iterator[Page]:
    """The pages named in a file of labels, which lie in one of the folders."""
    for url, label in json.loads(labels.read_text("utf-8")).items():
        places = (folder / label["file"] for folder in folders)
        data = next(place for place in places if place.is_file()).read_bytes()
        yield Page(url, data, label["with"], label["without"])


def ours(page: Page) -> str:
    """The words of the product's title and Markdown."""
    try:
        found = extract(RawDocument(page.url, page.data, "text/html"))
    except ExtractionError:
        return ""
    html = parser().render(f"# {found.title}\n\n{found.text}")
    return str(lxml.html.fromstring(f"<div>{html}</div>").text_content())


def theirs(page: Page) -> str:
    """Trafilatura's text, with the settings of its own evaluation."""
    return trafilatura.extract(page.data, include_comments=False, include_tables=True) or ""


def readability(pages: Sequence[Page]) -> list[str]:
    """Run readability on all pages, in one process of its environment."""
    texts = (decode(page.data, None, is_html=True) for page in pages)
    done = subprocess.run(
        [peer_python(), "-m", "bench.pages.readability"],
        input="".join(f"{json.dumps(text)}\n" for text in texts),
        capture_output=True,
        check=True,
        cwd=ROOT,
        text=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def count(pages: Sequence[Page], texts: Mapping[str, str]) -> Counts:
    """Count the labels that the texts have; spaces and invisible characters do not matter."""
    right = wrong = missing = 0
    for page in pages:
        text = _plain(texts[page.url])
        found = sum(_plain(words) in text for words in page.wanted)
        right += found
        missing += len(page.wanted) - found
        wrong += sum(_plain(words) in text for words in page.unwanted)
    return Counts(right, wrong, missing)


def _plain(text: str) -> str:
    return " ".join(visible(text).split())


def compare(name: str, pages: Sequence[Page], *, in_halves: bool) -> None:
    """Print a table of the extractors."""
    parts: dict[str, Callable[[Page], bool]] = {f"{len(pages)} pages": lambda _: True}
    if in_halves:
        parts["first half"] = lambda page: page.is_first_half
        parts["second half"] = lambda page: not page.is_first_half
    texts = {
        "ours": [ours(page) for page in pages],
        f"trafilatura {trafilatura.__version__}": [theirs(page) for page in pages],
        "readability": readability(pages),
    }
    print(f"\n{name:<24}  " + "  ".join(f"{part:>25}" for part in parts))
    print(" " * 26 + "  ".join(f"{'precision  recall      F1':>25}" for _ in parts))
    for extractor, found in texts.items():
        by_url = dict(zip((page.url for page in pages), found, strict=True))
        counts = (count([page for page in pages if has(page)], by_url) for has in parts.values())
        print(f"{extractor:<24}  " + "  ".join(f"{counted!s:>25}" for counted in counts))


if __name__ == "__main__":
    logging.disable()
    compare("documentation", list(read_pages(OWN / "labels.json", [OWN])), in_halves=False)
    for given in map(Path, sys.argv[1:2]):
        set_of = read_pages(given / "evaldata.json", [given / "cache", given / "eval"])
        compare("trafilatura's pages", list(set_of), in_halves=True)
