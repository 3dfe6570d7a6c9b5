"""Texts of OpenDocument, written by odfdo."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from odfdo import Cell as TableCell
from odfdo import Document, Header, List, ListItem, Note, Paragraph, Row, Table

from bench.formats.making.facts import Draft, Make


def manual(draft: Draft, target: Path) -> None:
    """A manual with footnotes, endnotes, a list, and a table."""
    document = Document("text")
    body = document.body
    body.clear()
    body.append(Header(1, draft.shown(draft["subject"])))
    for at, (heading, *sentences) in enumerate(draft["clauses"]):
        body.append(Header(2, draft.shown(heading)))
        for sentence in sentences:
            paragraph = Paragraph(draft.shown(sentence))
            if at < 2:
                kind = ("footnote", "endnote")[at]
                paragraph.append(
                    Note(
                        kind,
                        note_id=f"n{at}{len(draft.truth.facts)}",
                        citation=str(at + 1),
                        body=draft.shown(draft["note"]),
                    )
                )
            body.append(paragraph)
    points = List()
    for step in draft["steps"]:
        points.append(ListItem(draft.shown(step)))
    body.append(points)
    head, rows = draft.table()
    table = Table("List")
    for row in [head, *rows]:
        line = Row()
        for value in row:
            line.append_cell(TableCell(value))
        table.append_row(line)
    body.append(table)
    document.save(str(target))
    # Notes stand at the end of their page, or after their paragraph.
    draft.truth.facts.sort()


MAKES: Final[Mapping[str, tuple[Make, Sequence[str]]]] = {"manual": (manual, ("en", "de", "hi"))}
