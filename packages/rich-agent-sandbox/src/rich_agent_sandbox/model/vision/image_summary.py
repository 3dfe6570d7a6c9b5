"""Reads picture summaries in a prompt: JSON, or paragraphs, some of which have a label."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rich_agent_sandbox.model.language.text import content_terms
from rich_agent_sandbox.model.language.tongues import plain

_LABELLED = re.compile(
    r"(seen|entities|table|uncertain|warnings)\s*:\s*(.*)", re.IGNORECASE | re.DOTALL
)
_ROW = re.compile(r"^\s*\|(.+)\|\s*$", re.MULTILINE)
_RULE = re.compile(r"[\s|:-]+")
_EXTREMES: tuple[tuple[re.Pattern[str], Callable[..., Any], str], ...] = (
    (
        re.compile(
            r"\b(?:best|highest|most|largest|biggest|greatest|top|maximum|peak|expensive|dearest"
            r"|beste[rns]?|hochste[rns]?|meisten|teuerste[rns]?|mejor|mayor|mas alto|mas car[oa]"
            r"|meilleur|plus (?:haut|cher)|migliore|melhor)\b"
            r"|一番(?:多|高|良)|最(?:も?(?:多|高)|好)|いちばん"
        ),
        max,
        "highest",
    ),
    (
        re.compile(
            r"\b(?:worst|lowest|least|fewest|smallest|minimum|weakest|cheapest|schlechteste[rns]?"
            r"|niedrigste[rns]?|wenigsten|billigste[rns]?|gunstigste[rns]?|peor|menor|mas barat[oa]"
            r"|pire|moins cher|peggiore|pior)\b|一番(?:少|低|悪|安)|最(?:も少|も低|低|少|差)"
        ),
        min,
        "lowest",
    ),
)
_IN_ALL = re.compile(
    r"\b(?:total|in all|altogether|sum|overall|insgesamt|gesamt|zusammen|summe|en tout|totale)\b"
    r"|合計|全部で|总共|一共"
)


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
        if extreme := self._extreme(question):
            return extreme
        row = max(body, key=lambda cells: len(asked & set(content_terms(cells[0]))))
        if not asked & set(content_terms(row[0])):
            return ""
        named = [(name, cell) for name, cell in zip(head, row, strict=False)][1:]
        wanted = [pair for pair in named if asked & set(content_terms(pair[0]))] or named
        return f"{row[0]}: " + ", ".join(f"{name} {cell}" for name, cell in wanted)

    def _extreme(self, question: str) -> str:
        """The row with the largest or smallest number, or the sum of all rows, if asked for."""
        head, *body = self.rows
        numbers = [(_number(row[-1]), row) for row in body]
        asked = plain(question)
        for pattern, choose, name in _EXTREMES:
            if pattern.search(asked) and all(number is not None for number, _ in numbers):
                _, row = choose(numbers, key=lambda pair: pair[0] or 0.0)
                return f"{row[0]} is the {name}, with {row[-1]} ({_inside(head[-1])})."
        if _IN_ALL.search(asked) and all(number is not None for number, _ in numbers):
            total = sum(number or 0.0 for number, _ in numbers)
            return f"In all it is {total:,.10g} ({_inside(head[-1])})."
        return ""


def told_by(text: str, question: str) -> str:
    """The table cell in a summary that a question is about, "" if there is none."""
    cells = (table.answer(question) for table in ImageSummary.read(text).tables)
    return next(filter(None, cells), "")


def asks_of_a_table(question: str) -> bool:
    """Whether it asks for the largest, the smallest or the sum of several numbers."""
    asked = plain(question)
    patterns = (_IN_ALL, *(pattern for pattern, _, _ in _EXTREMES))
    return any(pattern.search(asked) for pattern in patterns)


def _inside(name: str) -> str:
    """The name of a column as written inside a sentence."""
    return name[:1].lower() + name[1:]


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", ""))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class ImageSummary:
    """The sentences, entities and tables of a summary."""

    told: str
    entities: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()

    @classmethod
    def read(cls, text: str) -> "ImageSummary":
        """Read a summary in either form."""
        try:
            return _from_json(json.loads(text), text)
        except ValueError:
            return _from_paragraphs(text)


def _from_json(parsed: Any, text: str) -> ImageSummary:  # noqa: ANN401 - any JSON
    if not isinstance(parsed, dict):
        return ImageSummary(text)
    listed = [item.get("name") if isinstance(item, dict) else item for item in _list(parsed)]
    names = tuple(name for name in listed if isinstance(name, str) and name)
    told = parsed.get("summary")
    return ImageSummary(told if isinstance(told, str) and told else text, names)


def _list(parsed: dict[str, Any]) -> list[Any]:
    found = parsed.get("entities")
    return found if isinstance(found, list) else []


def _from_paragraphs(text: str) -> ImageSummary:
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
    return ImageSummary("\n\n".join(told), tuple(names), tuple(tables))
