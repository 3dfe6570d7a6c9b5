"""Sums over sheets of people's kinds, in two languages, as a model asks for them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from rich_agent.documents.tables.engine import loaded_tables
from rich_agent.domain.tables import TableFile
from tests.unit.documents.workbooks import (
    Cell,
    Page,
    day,
    euros,
    hours,
    percent,
    total,
    workbook,
)

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Question(NamedTuple):
    """A file, a query as it follows from the declared tables, and the right value."""

    file: Callable[[], bytes | str]
    sql: str
    value: float


def page(*rows: list[object], **facts: object) -> Callable[[], bytes]:
    """A workbook of one sheet."""
    return lambda: workbook({"Sheet1": Page(rows, **facts)})  # type: ignore[arg-type]


def pages(**sheets: Page) -> Callable[[], bytes]:
    """A workbook of several sheets."""
    return lambda: workbook(sheets)


def text(content: str) -> Callable[[], str]:
    """A CSV file."""
    return lambda: content


SHEETS: Mapping[str, Question] = {
    "plain": Question(
        page(["Item", "Price"], ["Lamp", 40], ["Chair", 75]),
        'SELECT sum("Price") FROM table1', 115,
    ),
    "title-above": Question(
        page(["Ausgaben 2025"], [], ["Posten", "Betrag"], ["Miete", 900], ["Strom", 80]),
        'SELECT sum("Betrag") FROM table1', 980,
    ),
    "merged-title": Question(
        page(["Budget of the choir", None, None], ["What", "Planned", "Spent"],
             ["Music", 200, 150], ["Hall", 300, 320], merges=["A1:C1"]),
        'SELECT sum("Spent") FROM table1', 470,
    ),
    "merged-groups": Question(
        page(["Region", "Monat", "Umsatz"], ["Nord", "Jan", 120], [None, "Feb", 130],
             ["Süd", "Jan", 90], [None, "Feb", 95], merges=["A2:A3", "A4:A5"]),
        "SELECT sum(\"Umsatz\") FROM table1 WHERE \"Region\" = 'Nord'", 250,
    ),
    "merged-year": Question(
        page(["Year", "Quarter", "Sales"], [2024, "Q1", 10], [None, "Q2", 20],
             [2025, "Q1", 30], [None, "Q2", 40], merges=["A2:A3", "A4:A5"]),
        'SELECT sum("Sales") FROM table1 WHERE "Year" = 2025', 70,
    ),
    "merged-amount": Question(
        page(["Abteilung", "Budget", "Person"], ["Einkauf", 1000, "Ada"], [None, None, "Bo"],
             ["Lager", 500, "Cy"], [None, None, "Di"],
             merges=["A2:A3", "B2:B3", "A4:A5", "B4:B5"]),
        'SELECT sum("Budget") FROM table1', 1500,
    ),
    "merged-number-filter": Question(
        page(["Kunde", "Auftrag", "Menge"], ["Ada", 4711, 2], [None, None, 3],
             ["Bo", 4712, 4], [None, None, 5], merges=["A2:A3", "B2:B3", "A4:A5", "B4:B5"]),
        'SELECT sum("Menge") FROM table1 WHERE "Auftrag (of merged rows)" = 4711', 5,
    ),
    "two-line-head": Question(
        page(["Produkt", 2025, None, 2026, None], [None, "Stück", "Preis", "Stück", "Preis"],
             ["Lampe", 10, 4, 20, 5], ["Stuhl", 7, 30, 9, 33],
             merges=["A1:A2", "B1:C1", "D1:E1"]),
        'SELECT sum("2026 Stück" * "2026 Preis") FROM table1', 397,
    ),
    "two-line-head-unmerged": Question(
        page(["", "Plan", "", "Actual", ""], ["Team", "Hours", "Cost", "Hours", "Cost"],
             ["Red", 10, 400, 12, 480], ["Blue", 8, 320, 7, 280]),
        'SELECT sum("Actual Cost") FROM table1', 760,
    ),
    "total-by-formula": Question(
        page(["Item", "Sum"], ["Lamp", 10], ["Chair", 20], ["Total", total("SUM(B2:B3)", 30)]),
        'SELECT sum("Sum") FROM table1', 30,
    ),
    "subtotals": Question(
        page(["Monat", "Umsatz"], ["Jan", 10], ["Feb", 20], ["Mär", 30],
             ["Q1", total("SUBTOTAL(9,B2:B4)", 60)], ["Apr", 5], ["Mai", 5], ["Jun", 10],
             ["Q2", total("SUBTOTAL(9,B6:B8)", 20)],
             ["Gesamt", total("SUBTOTAL(9,B2:B9)", 80)]),
        'SELECT sum("Umsatz") FROM table1', 80,
    ),
    "total-by-figures": Question(
        page(["Kunde", "Ort", "Betrag"], ["Ada", "Bonn", 10], ["Bo", "Kiel", 20],
             ["Cy", "Bonn", 35], ["Summe", None, 65]),
        'SELECT sum("Betrag") FROM table1', 65,
    ),
    "total-above": Question(
        page(["Item", "Sum"], ["All", total("SUM(B3:B5)", 60)], ["a", 10], ["b", 20], ["c", 30]),
        'SELECT sum("Sum") FROM table1', 60,
    ),
    "average-below": Question(
        page(["Name", "Points"], ["Ada", 10], ["Bo", 20], ["Average", total("AVERAGE(B2:B3)", 15)]),
        'SELECT sum("Points") FROM table1', 30,
    ),
    "total-in-csv": Question(
        text("Datum;Text;Betrag\n01.03.2025;Miete;900,00\n02.03.2025;Strom;80,50\n"
             "03.03.2025;Gas;60,25\nSumme;;1.040,75\n"),
        'SELECT sum("Betrag") FROM table1', 1040.75,
    ),
    "no-total-by-chance": Question(
        page(["Size", "Pieces"], ["small", 10], ["middle", 20], ["large", 30]),
        'SELECT sum("Pieces") FROM table1', 60,
    ),
    "two-tables": Question(
        page(["Obst", "Kilo"], ["Apfel", 10], ["Birne", 20], [], ["Werkzeug", "Stück"],
             ["Säge", 3], ["Axt", 4]),
        'SELECT sum("Kilo") FROM table1', 30,
    ),
    "two-tables-second": Question(
        page(["Fruit", "Kilos"], ["Apple", 10], ["Pear", 20], [], ["Tools of the shed"],
             ["Tool", "Pieces"], ["Saw", 3], ["Axe", 4]),
        'SELECT sum("Pieces") FROM table2', 7,
    ),
    "side-by-side": Question(
        page(["Ein", "Betrag", None, "Aus", "Betrag"], ["Lohn", 2000, None, "Miete", 900],
             ["Zins", 5, None, "Strom", 80], [None, None, None, "Gas", 60]),
        'SELECT sum("Betrag") FROM table2', 1040,
    ),
    "spacer-column": Question(
        page(["Name", "Team", None, "Jan", "Feb"], ["Ada", "Red", None, 5, 6],
             ["Bo", "Blue", None, 7, 8]),
        'SELECT sum("Feb") FROM table1', 14,
    ),
    "blank-rows-between": Question(
        page(["Item", "Price"], ["Lamp", 40], [], ["Chair", 75], [], ["Desk", 100]),
        'SELECT sum("Price") FROM table1', 215,
    ),
    "repeated-head": Question(
        page(["Artikel", "Menge"], ["Lampe", 4], ["Stuhl", 5], [], ["Artikel", "Menge"],
             ["Tisch", 6], ["Bank", 7]),
        'SELECT sum("Menge") FROM table1', 22,
    ),
    "hours": Question(
        page(["Day", "Hours"], ["Mon", hours(8.5)], ["Tue", hours(7.25)], ["Wed", hours(26)]),
        'SELECT sum("Hours") FROM table1', 41.75,
    ),
    "begin-and-end": Question(
        page(["Tag", "Beginn", "Ende"], ["Mo", Cell(8.5 / 24, "h:mm"), Cell(17 / 24, "h:mm")],
             ["Di", Cell(9 / 24, "h:mm"), Cell(16.5 / 24, "h:mm")]),
        'SELECT sum("Ende" - "Beginn") FROM table1', 16,
    ),
    "hours-in-csv": Question(
        text("Tag;Stunden\nMo;8:30\nDi;7:15\nMi;6:00\n"),
        'SELECT sum("Stunden") FROM table1', 21.75,
    ),
    "percent": Question(
        page(["Fund", "Amount", "Return"], ["A", 1000, percent(0.125)], ["B", 500, percent(0.04)]),
        'SELECT sum("Amount" * "Return" / 100) FROM table1', 145,
    ),
    "euros": Question(
        page(["Posten", "Betrag"], ["Miete", euros(900)], ["Strom", euros(80.5)]),
        'SELECT sum("Betrag") FROM table1', 980.5,
    ),
    "thousands": Question(
        page(["Land", "Umsatz"], ["DE", Cell(1_200_000, '#,##0,"T€"')],
             ["AT", Cell(300_000, '#,##0,"T€"')]),
        'SELECT sum("Umsatz") FROM table1', 1500,
    ),
    "kilograms": Question(
        page(["Parcel", "Weight"], ["a", Cell(2.5, '0.0 "kg"')], ["b", Cell(4, '0.0 "kg"')]),
        'SELECT sum("Weight") FROM table1', 6.5,
    ),
    "negative-in-brackets": Question(
        page(["Item", "Net"], ["a", Cell(100, "#,##0_);(#,##0)")],
             ["b", Cell(-30, "#,##0_);(#,##0)")]),
        'SELECT sum("Net") FROM table1', 70,
    ),
    "postal-codes": Question(
        page(["PLZ", "Ort", "Kunden"], [Cell(1067, "00000"), "Dresden", 4],
             [Cell(80331, "00000"), "München", 5]),
        "SELECT sum(\"Kunden\") FROM table1 WHERE \"PLZ\" = '01067'", 4,
    ),
    "numbers-as-text": Question(
        page(["Item", "Price"], ["Lamp", "40"], ["Chair", "75"], ["Desk", 100]),
        'SELECT sum("Price") FROM table1', 215,
    ),
    "months-as-dates": Question(
        page(["Team", Cell(45658, "mmm yy"), Cell(45689, "mmm yy")], ["Red", 5, 6],
             ["Blue", 7, 8]),
        'SELECT sum("2025-02") FROM table1', 14,
    ),
    "dates": Question(
        page(["Datum", "Betrag"], [day(45658), 10], [day(45689), 20], [day(45700), 30]),
        'SELECT sum("Betrag") FROM table1 WHERE month("Datum") = 2', 50,
    ),
    "hidden-row": Question(
        page(["Name", "Pay"], ["Ada", 10], ["Bo", 20], ["Cy", 30], hidden_rows=[3]),
        'SELECT sum("Pay") FROM table1', 40,
    ),
    "closed-outline": Question(
        page(["Monat", "Umsatz"], ["Jan", 10], ["Feb", 20], ["Mär", 30],
             ["Q1", total("SUM(B2:B4)", 60)], folded_rows=[2, 3, 4]),
        'SELECT sum("Umsatz") FROM table1', 60,
    ),
    "error-in-a-cell": Question(
        page(["Item", "Price"], ["Lamp", 40], ["Chair", Cell("#REF!", is_error=True)],
             ["Desk", 60], *[[f"i{n}", 1] for n in range(9)]),
        'SELECT sum("Price") FROM table1', 109,
    ),
    "name-twice": Question(
        page(["Name", "Wert", "Wert"], ["A", 1, 2], ["B", 3, 4]),
        'SELECT sum("Wert_2") FROM table1', 6,
    ),
    "account-above": Question(
        text("Konto;DE12 3456\nZeitraum;01.01.2025 - 31.01.2025\n\n"
             "Datum;Empfänger;Betrag\n02.01.2025;Miete;-900,00\n15.01.2025;Lohn;2.500,00\n"),
        'SELECT sum("Betrag") FROM table1', 1600,
    ),
    "group-headings": Question(
        page(["Artikel", "Menge", "Preis"], ["Möbel"], ["Stuhl", 4, 30], ["Tisch", 2, 90],
             ["Lampen"], ["Lampe", 5, 12], ["Fackel", 1, 8]),
        "SELECT sum(\"Menge\") FROM table1 WHERE \"_group\" = 'Möbel'", 6,
    ),
    "days-as-columns": Question(
        page(["Name", 1, 2, 3, 4], ["Ada", 8, 8, 7, 6], ["Bo", 5, 5, 5, 5]),
        'SELECT sum("3") FROM table1', 12,
    ),
    "two-sheets": Question(
        pages(Jan=Page([["Item", "Sum"], ["a", 1], ["b", 2]]),
              Feb=Page([["Item", "Sum"], ["a", 3], ["b", 4]])),
        'SELECT sum("Sum") FROM (FROM table1 UNION ALL FROM table2)', 10,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHEETS)
def test_sum_over_a_sheet_of_people_is_right(name: str) -> None:
    """Merged cells, totals, titles, units, several tables: what a person would add up."""
    file, sql, value = SHEETS[name]
    data = file()
    table_file = (
        TableFile("table.csv", "text/csv", data.encode())
        if isinstance(data, str)
        else TableFile("table.xlsx", _XLSX, data)
    )
    with loaded_tables([table_file]) as (connection, _):
        row = connection.execute(sql).fetchone()
    assert row is not None
    assert float(row[0]) == pytest.approx(value)


def test_sheets_of_people_are_forty() -> None:
    """As many as the goal names."""
    assert len(SHEETS) >= 40
