"""Tables as text: separators, encodings and lines as banks, shops and programs write them."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.formats.making.facts import Draft, Make


def _text(draft: Draft, delimiter: str) -> str:
    head, rows = draft.table()
    target = io.StringIO()
    csv.writer(target, delimiter=delimiter, lineterminator="\r\n").writerows([head, *rows])
    return target.getvalue()


def commas(draft: Draft, target: Path) -> None:
    """Commas, and quotes where a value has one."""
    target.write_bytes(_text(draft, ",").encode("utf-8"))


def semicolons(draft: Draft, target: Path) -> None:
    """Semicolons and decimal commas, in the character set of Windows."""
    target.write_bytes(
        _text(draft, ";").encode("windows-1251" if draft.language == "ru" else "cp1252")
    )


def utf16(draft: Draft, target: Path) -> None:
    """Tabs in UTF-16, as Excel saves Unicode text."""
    target.write_bytes(_text(draft, "\t").encode("utf-16"))


def separator_line(draft: Draft, target: Path) -> None:
    """A first line for Excel that names the separator."""
    target.write_bytes(b"\xef\xbb\xbf" + f"sep=;\r\n{_text(draft, ';')}".encode())


def preamble(draft: Draft, target: Path) -> None:
    """Lines over the head that belong to the whole file, as banks write them."""
    lines = f"{draft.shown(draft['title'])};;\r\n{draft.shown(draft['note'])};;\r\n\r\n"
    target.write_bytes(f"{lines}{_text(draft, ';')}".encode())


def lines(draft: Draft, target: Path) -> None:
    """Line ends and quotes within values."""
    head = draft["head"]
    rows = [
        [draft.shown(name), f'{count} "x"', f"{price}\r\nnet"]
        for name, count, price in draft["rows"]
    ]
    for row in rows:
        draft.note_row(head, row)
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])


MAKES: Final[Mapping[str, tuple[Make, Sequence[str]]]] = {
    "commas": (commas, ("en", "ja")),
    "semicolons": (semicolons, ("de", "ru")),
    "utf16": (utf16, ("en", "ar")),
    "separator_line": (separator_line, ("de",)),
    "preamble": (preamble, ("de", "en")),
    "lines": (lines, ("en", "fr")),
}
