"""Sheets as a person sees them: what is read as text and what is computed with."""

from pathlib import Path
from typing import Any

import pytest

from rich_agent.documents.extract.extracted import Extracted
from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import media_type_of_path
from rich_agent.documents.tables.engine import loaded_tables, schemas_of
from rich_agent.domain.tables import TableFile

CASES = Path(__file__).parents[2] / "cases" / "readers"


def read(name: str) -> Extracted:
    """A file of the cases as a document."""
    media_type = media_type_of_path(name)
    assert media_type is not None
    return extract(RawDocument(name, (CASES / name).read_bytes(), media_type))


def rows_of(name: str, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a query over a file of the cases."""
    media_type = media_type_of_path(name)
    assert media_type is not None
    file = TableFile(name, media_type, (CASES / name).read_bytes())
    with loaded_tables([file]) as (connection, _):
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize(
    ("name", "sql", "value"),
    [
        ("merged.xlsx", 'SELECT sum("Boxes") FROM table1 WHERE "Region" = \'North\'', 360),
        ("merged_head.xlsx", 'SELECT sum("2025 Units") FROM table1', 17),
        ("merged_head.xlsx", 'SELECT max("2026 Price") FROM table1', 33),
        ("two_tables.xlsx", 'SELECT sum("Kilos") FROM table1', 30),
        ("two_tables.xlsx", 'SELECT sum("Pieces") FROM table2', 7),
        ("timesheet.xlsx", 'SELECT sum("Hours") FROM table1', 41.75),
        ("formats.xlsx", 'SELECT max("Share") FROM table1', 30),
        ("formats.xlsx", 'SELECT sum("Pay") FROM table1', 4449.5),
        ("formats.xlsx", 'SELECT min("Begins") FROM table1', 8.5),
        ("dup_head.csv", 'SELECT sum("Value_2") FROM table1', 6),
        ("sep.csv", 'SELECT sum("price") FROM table1', 10.75),
        ("preamble.csv", 'SELECT sum("Amount") FROM table1', 1554.1),
        ("multiline.csv", 'SELECT min("remark") FROM table1', "broken glass\nsent back"),
    ],
)
def test_sheet_is_computed_as_a_person_sees_it(name: str, sql: str, value: object) -> None:
    """Merged cells, heads of two lines, several tables, hours, percents, and forms of CSV."""
    ((found,),) = rows_of(name, sql)
    assert found == value if isinstance(value, str) else float(found) == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("merged.xlsx", ["| North | February | 130 |", "| South | March | 85 |"]),
        ("merged_head.xlsx", ["| Product | 2025 Units | 2025 Price | 2026 Units | 2026 Price |"]),
        ("two_tables.xlsx", ["| Fruit | Kilos |", "| Tool | Pieces |", "| Axe | 4 |"]),
        ("timesheet.xlsx", ["| Wed | 26:00 |"]),
        ("formats.xlsx", ["| Ada | 2024-01-01 | 12.5% | 37:30 | 2450.50 € | 8:30 |"]),
        ("dup_head.csv", ["| Name | Value | Value_2 |"]),
        ("sep.csv", ["| item | price |", "| Lamp | 3,50 |"]),
        ("preamble.csv", ["| Date | Text | Amount |", "Report of the bank / Account 4711"]),
        ("multiline.csv", ["| Lamp | broken glass sent back |"]),
    ],
)
def test_sheet_is_text_as_a_person_sees_it(name: str, lines: list[str]) -> None:
    """The same grid is written as tables of Markdown."""
    text = read(name).text.splitlines()
    assert [line for line in lines if line not in text] == []


def test_hidden_rows_and_columns_are_left_out_and_counted() -> None:
    """Neither can be read or asked for; nothing is missing."""
    document = read("hidden_column.xlsx")
    assert "5100" not in document.text
    assert "Bo" not in document.text
    assert document.inventory.to_json() == {"hidden_column": [1, 0], "hidden_row": [1, 0]}
    assert document.inventory.missing == ()
    assert rows_of("hidden_column.xlsx", "SELECT * FROM table1") == [(2, "Ada", "A1")]


def test_formulas_without_values_are_counted_and_told() -> None:
    """The model can say how to get the sums."""
    assert read("no_values.xlsx").inventory.to_json() == {"formula": [3, 0]}
    data = (CASES / "no_values.xlsx").read_bytes()
    media_type = media_type_of_path("no_values.xlsx")
    assert media_type is not None
    (schema,) = schemas_of(TableFile("no_values.xlsx", media_type, data))
    assert "3 cells are NULL because their formulas have no saved values" in schema.note
