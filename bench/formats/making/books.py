"""Electronic books, written by EbookLib and changed by hand."""

import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ebooklib import epub

from bench.formats.making.facts import Draft, Make

_TAG: Final = re.compile("<[^<>]*>")


def _chapters(draft: Draft) -> list[tuple[str, str]]:
    chapters = []
    for heading, *sentences in draft["clauses"]:
        title = draft.shown(heading)
        words = "".join(f"<p>{draft.shown(sentence)}.</p>" for sentence in sentences * 2)
        chapters.append((title, f"<h1>{title}</h1>{words}"))
    return chapters


def _write(draft: Draft, target: Path, chapters: Sequence[tuple[str, str]]) -> None:
    book = epub.EpubBook()
    book.set_identifier(target.stem)
    book.set_title(draft["title"])
    book.set_language(draft.language)
    items = []
    for at, (title, content) in enumerate(chapters):
        item = epub.EpubHtml(title=title, file_name=f"c{at}.xhtml", lang=draft.language)
        item.set_content(f"<html><head><title>{title}</title></head><body>{content}</body></html>")
        book.add_item(item)
        items.append(item)
    book.toc = tuple(items)
    book.spine = ["nav", *items]
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    epub.write_epub(str(target), book)
    draft.truth.seen = _TAG.sub(" ", " ".join(content for _, content in chapters))


def chapters(draft: Draft, target: Path) -> None:
    """A book of chapters with headings and paragraphs."""
    _write(draft, target, _chapters(draft))


def tables(draft: Draft, target: Path) -> None:
    """A manual with a table, a list, a note that is linked, and hidden words."""
    head, rows = draft.table()
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    heads = "".join(f"<th>{name}</th>" for name in head)
    steps = "".join(f"<li>{draft.shown(step)}</li>" for step in draft["steps"])
    note = f'<aside epub:type="footnote" id="n"><p>{draft.shown(draft["note"])}</p></aside>'
    hidden = f'<p style="display:none">{draft.hidden()}</p>'
    title = draft["subject"]
    body = f"<h1>{title}</h1><table><tr>{heads}</tr>{lines}</table>{hidden}<ol>{steps}</ol>{note}"
    _write(draft, target, [(title, body)])


def _encoded(charset: str) -> Make:
    def write(draft: Draft, target: Path) -> None:
        _write(draft, target, _chapters(draft))
        with zipfile.ZipFile(target) as book:
            parts = {name: book.read(name) for name in book.namelist()}
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as book:
            for name, content in parts.items():
                is_chapter = name.rpartition("/")[2].startswith("c") and name.endswith(".xhtml")
                text = content.decode("utf-8").replace("utf-8", charset) if is_chapter else ""
                book.writestr(name, text.encode(charset) if is_chapter else content)

    return write


MAKES: Final[Mapping[str, tuple[Make, Sequence[str]]]] = {
    "chapters": (chapters, ("en", "ja", "ar")),
    "tables": (tables, ("en", "de")),
    "utf16": (_encoded("utf-16"), ("de",)),
    "latin1": (_encoded("iso-8859-1"), ("de",)),
    "cyrillic": (_encoded("windows-1251"), ("ru",)),
}
