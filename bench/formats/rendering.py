"""Renders documents with other programs: LibreOffice, poppler and Chromium of this machine."""

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Final

from bench.formats.truth import Truth

OFFICE: Final = frozenset({"docx", "pptx", "odt", "odp", "rtf", "doc", "ppt"})
"""Formats that LibreOffice renders as pages. It cuts cells of spreadsheets at their edges."""

_EDGE_LINES = 3
_DIGITS = re.compile(r"\b\d+\b")
_CLICKS = """<script>
addEventListener("load", async () => {
  const main = () => document.querySelector("main, article, [role=main]") || document.body;
  const lines = [];
  const note = () => main().innerText.split("\\n").forEach(
    line => { if (line.trim() && !lines.includes(line)) lines.push(line); });
  note();
  for (const knob of main().querySelectorAll("summary, button, [role=tab], [aria-controls]")) {
    knob.click();
    await new Promise(done => setTimeout(done, 5));
    note();
  }
  for (const panel of main().querySelectorAll("[hidden=until-found]")) {
    panel.removeAttribute("hidden");
    note();
  }
  const words = document.createElement("pre");
  words.textContent = lines.join("\\n");
  document.body.replaceChildren(words);
});
</script>"""
_WORDS = re.compile(r"<pre>(.*?)</pre>", re.DOTALL)


def office_to(suffix: str, documents: Sequence[Path], folder: Path) -> None:
    """Convert documents to another format with LibreOffice, into a folder."""
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                "soffice",
                f"-env:UserInstallation=file://{profile}",
                "--headless",
                "--convert-to",
                suffix,
                "--outdir",
                folder,
                *documents,
            ],
            check=True,
            capture_output=True,
            timeout=60 + 20 * len(documents),
        )


def pdf_text(document: Path) -> str:
    """The words that poppler finds on the pages, those in head and foot of several pages once."""
    done = subprocess.run(
        ["pdftotext", "-enc", "UTF-8", document, "-"], capture_output=True, check=True, timeout=60
    )
    pages = [page.splitlines() for page in done.stdout.decode("utf-8").split("\f")]
    return "\n".join(_lines(pages))


def _lines(pages: Sequence[Sequence[str]]) -> Iterator[str]:
    edges = [
        {_shape(line) for line in (*page[:_EDGE_LINES], *page[-_EDGE_LINES:]) if line.strip()}
        for page in pages
    ]
    repeated = {
        shape
        for shape, count in Counter(shape for edge in edges for shape in edge).items()
        if count > 1
    }
    seen: set[str] = set()
    for page in pages:
        for line in page:
            shape = _shape(line)
            if shape not in repeated:
                yield line
            elif shape not in seen:
                seen.add(shape)
                yield _DIGITS.sub("", line) if line != shape else line


def _shape(line: str) -> str:
    """A line without its numbers, which may be those of pages."""
    return _DIGITS.sub("#", line.strip())


def page_text(page: Path) -> str:
    """The words of the main part of a page, in Chromium, after a click on all that opens."""
    source = page.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "page.html"
        head, mark, tail = source.partition("</body>")
        copy.write_text(f"{head}{_CLICKS}{mark}{tail}", "utf-8")
        dom = _chromium(["--virtual-time-budget=4000", "--dump-dom", f"file://{copy}"], folder)
    found = _WORDS.search(dom)
    return unescape(found[1]) if found else ""


def print_page(page: Path, target: Path) -> None:
    """Print a page as PDF with Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        _chromium(["--no-pdf-header-footer", f"--print-to-pdf={target}", f"file://{page}"], folder)


def _chromium(arguments: Sequence[str], folder: str) -> str:
    return subprocess.run(
        [
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            f"--user-data-dir={folder}/profile",
            *arguments,
        ],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout


def render(documents: Sequence[Path], truths: Mapping[Path, Truth]) -> None:
    """Add what is seen to truths that lack it, and save them."""
    lacking = [document for document in documents if not truths[document].seen]
    office = [document for document in lacking if document.suffix.lstrip(".") in OFFICE]
    with tempfile.TemporaryDirectory() as name:
        for suffix in {document.suffix for document in office}:
            folder = Path(name) / suffix.lstrip(".")
            folder.mkdir()
            same = [document for document in office if document.suffix == suffix]
            office_to("pdf", same, folder)
            for document in same:
                truths[document].seen = pdf_text(folder / f"{document.stem}.pdf")
    for document in lacking:
        if document.suffix == ".pdf":
            truths[document].seen = pdf_text(document)
        elif document.suffix == ".html":
            truths[document].seen = page_text(document)
        truths[document].save(document)
