"""Reads picture summaries in a prompt, which are paragraphs with or without a label."""

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
    """The cells of a Markdown table; the first row has the names of the columns."""

    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, text: str) -> "Table":
        """The rows of a text in the form of a table, without the line below the header."""
        cells = [tuple(cell.strip() for cell in row.split("|")) for row in _ROW.findall(text)]
        return cls(tuple(row for row in cells if not _RULE.fullmatch("|".join(row))))

    def answer(self, question: str) -> str:
        """The cells about which the question is: a row, or a cell if the column is named."""
        question_terms = set(content_terms(question))
        if len(self.rows) < 2:
            return ""
        header, *body_rows = self.rows
        row = max(body_rows, key=lambda cells: len(question_terms & set(content_terms(cells[0]))))
        if not question_terms & set(content_terms(row[0])):
            return ""
        named_cells = [(name, cell) for name, cell in zip(header, row, strict=False)][1:]
        wanted_cells = [
            pair for pair in named_cells if question_terms & set(content_terms(pair[0]))
        ] or named_cells
        return f"{row[0]}: " + ", ".join(f"{name} {cell}" for name, cell in wanted_cells)


def told_by(text: str, question: str) -> str:
    """The table cell in a summary for a question, "" if there is none."""
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
        """Read the paragraphs of a summary, with or without a label."""
        sentences: list[str] = []
        names: list[str] = []
        tables: list[Table] = []
        for paragraph in text.split("\n\n"):
            label = _LABELLED.match(paragraph)
            kind = label[1].lower() if label else ""
            if label is None:
                sentences.append(paragraph)
            elif kind in ("seen", "entities"):
                names += [name.strip() for name in label[2].split(";") if name.strip()]
            elif kind == "table":
                tables.append(Table.read(label[2]))
        return cls("\n\n".join(sentences), tuple(names), tuple(tables))
