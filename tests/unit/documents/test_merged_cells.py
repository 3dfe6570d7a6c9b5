"""Merged cells in tables of pages, books and mails: each row and column tells its group."""

import time

from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument


def table_of(rows: str) -> list[str]:
    """The lines of the table of a page."""
    page = f"<html><body><main><p>Words.</p><table>{rows}</table></main></body></html>"
    found = extract(RawDocument("https://example.com/a", page.encode(), "text/html"))
    return [line for line in found.text.splitlines() if line.startswith("|") and "---" not in line]


def test_rows_have_the_words_of_cells_that_they_share() -> None:
    """Also in the midst of a row, for several rows, and over several columns."""
    rows = (
        "<tr><th>Region<th>Month<th>Units<th>Kind</tr>"
        "<tr><td rowspan=3><b>North</b><td>May<td>1<td rowspan='2'>new</tr>"
        "<tr><td>June<td>2</tr><tr><td colspan=2 rowspan=2>closed<td>old</tr>"
        "<tr><td>South<td>x</tr>"
    )
    assert table_of(rows) == [
        "| Region | Month | Units | Kind |",
        "| **North** | May | 1 | new |",
        "| North | June | 2 | new |",
        "| North | closed | | old |",
        "| South | closed | | x |",
    ]


def test_head_of_two_rows_becomes_one() -> None:
    """Each column has the words that stand over it, each once."""
    rows = (
        "<thead><tr><th rowspan=2>Region<th colspan=2>2025</tr><tr><th>Units<th>Price</tr></thead>"
        "<tbody><tr><td>North<td>1<td>2</tr><tr><td colspan=2>Sum<td>2</tr></tbody>"
    )
    assert table_of(rows) == [
        "| Region | 2025 Units | 2025 Price |",
        "| North | 1 | 2 |",
        "| Sum | | 2 |",
    ]


def test_merged_cells_end_with_their_part_of_the_table() -> None:
    """A height that is too large, zero or no number does no harm, and long words stand once."""
    rows = (
        "<tbody><tr><td>a<td rowspan=99>b</tr><tr><td>c</tr></tbody>"
        "<tbody><tr><td>d<td>e</tr></tbody>"
        f"<tbody><tr><td rowspan=2>{'long ' * 90}<td rowspan=x>f</tr><tr><td>g</tr></tbody>"
    )
    lines = table_of(rows)
    assert lines[:3] == ["| a | b |", "| c | b |", "| d | e |"]
    assert lines[4] == "|  | g |"


def test_many_merged_cells_take_no_time() -> None:
    """Beyond some thousands of copies, cells stay as they are."""
    row = "<tr>" + "<td rowspan=99 colspan=99>x" * 150 + "</tr>"
    begin = time.process_time()
    table_of(row * 30)
    assert time.process_time() - begin < 5
