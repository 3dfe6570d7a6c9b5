"""Reads picture summaries in a prompt: paragraphs, some of which have a label."""

import re
from dataclasses import dataclass

from rich_agent_sandbox.model.language.text import content_terms

_LABELLED = re.compile(
    r"(seen|entities|table|uncertain|warnings)\s*:\s*(.*)", re.IGNORECASE | re.DOTALL
)
_ROW = re.compile(r"^\s*\|(.+)\|\s*$", re.MULTILINE)
_RULE = re.compile(r"[\s|:-]+")


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of a Markdown table; the first row names the columns."""

    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, text: str) -> "Table":
        """The rows of a text that look like a table, without the line below the head."""
        cells = [tuple(cell.strip() for cell in row.split("|")) for row in _ROW.findall(text)]
        return cls(tuple(row for row in cells if not _RULE.fullmatch("|".join(row))))

    def answer(self, question: str) -> str:
        """The cells that a question is about: a row, or one cell if the column is named."""
        asked = set(content_terms(question))
        if len(self.rows) < 2:
            return ""
        head, *body = self.rows
        row = max(body, key=lambda cells: len(asked & set(content_terms(cells[0]))))
        if not asked & set(content_terms(row[0])):
            return ""
        named = [(name, cell) for name, cell in zip(head, row, strict=False)][1:]
        wanted = [pair for pair in named if asked & set(content_terms(pair[0]))] or named
        return f"{row[0]}: " + ", ".join(f"{name} {cell}" for name, cell in wanted)


def told_by(text: str, question: str) -> str:
    """The table cell in a summary that a question is about, "" if there is none."""
    cells = (table.answer(question) for table in ImageSummary.read(text).tables)
    return next(filter(None, cells), "")


@dataclass(frozen=True, slots=True)
class ImageSummary:
    """The sentences, entities and tables of a summary."""

    told: str
    entities: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()

    @classmethod
    def read(cls, text: str) -> "ImageSummary":
        """The paragraphs of a summary, some of which have a label."""
        told: list[str] = []
        names: list[str] = []
        tables: list[Table] = []
        for paragraph in text.split("\n\n"):
            label = _LABELLED.match(paragraph)
            kind = label[1].lower() if label else ""
            if label is None:
                told.append(paragraph)
            elif kind in ("seen", "entities"):
                names += [name.strip() for name in label[2].split(";") if name.strip()]
            elif kind == "table":
                tables.append(Table.read(label[2]))
        return cls("\n\n".join(told), tuple(names), tuple(tables))
