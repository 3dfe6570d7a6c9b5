"""Sums over sheets of people's kinds, in several languages, as a model asks for them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pytest

from rich_agent.documents.extract.extraction import extract
from rich_agent.documents.fetch.outcomes import RawDocument
from rich_agent.documents.media import MediaType
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

_XLSX: MediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Question(NamedTuple):
    """A file, a query as it follows from the declared tables, and the right value."""

    file: Callable[[], bytes | str]
    sql: str
    value: float
    lines: Sequence[str] = ()
    """Lines of its text."""


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
    "head-again-below-a-blank-row": Question(
        page(["Item", "Shelf", "Pieces"], ["Lamp", "A", 3], ["Chair", "B", 4], [None, None, None],
             ["Desk", "C", 5], ["Item", "Shelf", "Pieces"], ["Rug", "D", 6]),
        "SELECT count(*) FROM table1", 4,
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
    "budget-months": Question(
        page(["Haushalt 2025"], [], ["Posten", "Januar", None, "Februar", None, "Gesamt"],
             [None, "Soll", "Ist", "Soll", "Ist", None], ["Miete", 900, 900, 900, 910, 1810],
             ["Strom", 80, 75, 80, 90, 165], ["Summe", 980, 975, 980, 1000, 1975],
             merges=["A1:F1", "A3:A4", "B3:C3", "D3:E3", "F3:F4"]),
        'SELECT sum("Februar Ist") FROM table1',
        1000, ["| Miete | 900 | 900 | 900 | 910 | 1810 |"],
    ),
    "three-line-head": Question(
        page(["Region", 2024, None, None, None], [None, "H1", None, "H2", None],
             [None, "Plan", "Actual", "Plan", "Actual"], ["North", 1, 2, 3, 4],
             ["South", 5, 6, 7, 8], merges=["A1:A3", "B1:E1", "B2:C2", "D2:E2"]),
        'SELECT sum("2024 H2 Plan") FROM table1', 10,
    ),
    "units-in-names": Question(
        page(["Land", "Umsatz (in T€)", "Anteil [%]"], ["DE", 1200, 60], ["AT", 800, 40]),
        'SELECT sum("Umsatz (in T€)") FROM table1', 2000,
    ),
    "note-after-blank": Question(
        page(["Artikel", "Menge", "Preis"], ["Lampe", 2, 10], ["Stuhl", 3, 20], ["Tisch", 1, 90],
             [], ["Alle Preise ohne Umsatzsteuer, Stand Januar"]),
        "SELECT count(*) FROM table1", 3, ["Alle Preise ohne Umsatzsteuer, Stand Januar"],
    ),
    "signature": Question(
        page(["Artikel", "Menge", "Preis"], ["Lampe", 2, 10], ["Stuhl", 3, 20], [],
             ["Erstellt von:", "Müller"], ["Geprüft von:", "Schulz"]),
        "SELECT count(*) FROM table1", 2,
    ),
    "cross-totals": Question(
        page(["Produkt", "Nord", "Süd", "Summe"], ["Lampe", 5, 6, 11], ["Stuhl", 7, 8, 15],
             ["Summe", 12, 14, 26]),
        'SELECT sum("Nord") FROM table1', 12,
    ),
    "pivot-compact": Question(
        page(["Row Labels", "Sum of Amount"], ["North", 250], ["Jan", 120], ["Feb", 130],
             ["South", 185], ["Jan", 90], ["Feb", 95], ["Grand Total", 435]),
        'SELECT sum("Sum of Amount") FROM table1', 435,
    ),
    "pivot-tabular": Question(
        page(["Region", "Monat", "Summe von Betrag"], ["Nord", "Jan", 120], [None, "Feb", 130],
             ["Nord Ergebnis", None, 250], ["Süd", "Jan", 90], [None, "Feb", 95],
             ["Süd Ergebnis", None, 185], ["Gesamtergebnis", None, 435]),
        'SELECT sum("Summe von Betrag") FROM (SELECT *, last_value("Region" IGNORE '
        "NULLS) OVER (ORDER BY _row) AS r FROM table1) WHERE r = 'Nord'",
        250,
    ),
    "pivot-cross": Question(
        page(["Summe von Betrag", "Spaltenbeschriftungen"],
             ["Zeilenbeschriftungen", "Jan", "Feb", "Gesamtergebnis"], ["Nord", 120, 130, 250],
             ["Süd", 90, 95, 185], ["Gesamtergebnis", 210, 225, 435]),
        'SELECT sum("Spaltenbeschriftungen Feb") FROM table1', 225, ["| Nord | 120 | 130 | 250 |"],
    ),
    "filtered": Question(
        page(["Name", "Team", "Pay"], ["Ada", "A", 10], ["Bo", "B", 20], ["Cy", "A", 30],
             ["Di", "B", 40], hidden_rows=[3, 5]),
        'SELECT sum("Pay") FROM table1', 40,
    ),
    "average-percent": Question(
        page(["Fund", "Return"], ["A", percent(0.125)], ["B", percent(0.04)],
             ["C", percent(-0.03)]),
        'SELECT avg("Return") FROM table1', 4.5, ["| C | -3.0% |"],
    ),
    "brackets-csv": Question(
        text('Item,Net\nSales,"1,200.00"\nReturns,"(150.50)"\nFees,"(49.50)"\n'),
        'SELECT sum("Net") FROM table1', 1000,
    ),
    "trailing-minus": Question(
        text("Konto;Saldo\n4711;1.200,00\n4712;200,00-\n4713;50,50\n"),
        'SELECT sum("Saldo") FROM table1', 1050.5,
    ),
    "euro-text-xlsx": Question(
        page(["Posten", "Betrag"], ["Miete", "1.234,56 €"], ["Strom", "80,50 €"],
             ["Gas", "60,00 €"]),
        'SELECT sum("Betrag") FROM table1', 1375.06,
    ),
    "eur-before": Question(
        text("Posten;Betrag\nMiete;EUR 900,00\nStrom;EUR 80,50\nGas;EUR 1.060,25\n"),
        'SELECT sum("Betrag") FROM table1', 2040.75,
    ),
    "eur-after": Question(
        text("Posten;Betrag\nMiete;900,00 EUR\nStrom;80,50 EUR\nGas;1.060,25 EUR\n"),
        'SELECT sum("Betrag") FROM table1', 2040.75,
    ),
    "swiss": Question(
        text("Posten;Betrag\nMiete;CHF 1'900.00\nStrom;CHF 80.50\n"),
        'SELECT sum("Betrag") FROM table1', 1980.5,
    ),
    "yen": Question(
        page(["品目", "金額"], ["家賃", "120,000円"], ["電気", "8,000円"], ["合計", "128,000円"]),
        'SELECT sum("金額") FROM table1', 128000,
    ),
    "yen-wide": Question(
        text("品目,金額\n家賃,１２００００\n電気,８０００\nガス,４５００\n合計,１３２５００\n"),
        'SELECT sum("金額") FROM table1', 132500,
    ),
    "japanese-dates": Question(
        text("日付,金額\n2025年1月5日,100\n2025年2月10日,200\n2025年2月20日,300\n"),
        'SELECT sum("金額") FROM table1 WHERE month("日付") = 2', 500,
    ),
    "lakh": Question(
        text('Item,Amount\nRent,"1,20,000.00"\nFood,"15,500.50"\n'),
        'SELECT sum("Amount") FROM table1', 135500.5,
    ),
    "spaces-thousands": Question(
        text("Poste;Montant\nLoyer;1 234,50\nGaz;12 000,25\nEau;80,00\n"),
        'SELECT sum("Montant") FROM table1', 13314.75,
    ),
    "ticks": Question(
        page(["Name", "Paid", "Amount"], ["Ada", "x", 10], ["Bo", None, 10], ["Cy", "x", 15]),
        "SELECT sum(\"Amount\") FROM table1 WHERE \"Paid\" = 'x'", 25,
    ),
    "phones": Question(
        page(["Name", "Telefon"], ["Ada", "+49 30 123456"], ["Bo", "+49 171 2345678"],
             ["Cy", "+43 1 98765"]),
        "SELECT count(*) FROM table1 WHERE \"Telefon\" LIKE '+49%'", 2,
    ),
    "phones-plain": Question(
        page(["Name", "Phone"], ["Ada", "+4930123456"], ["Bo", "+491712345678"],
             ["Cy", "+43198765"]),
        "SELECT count(*) FROM table1 WHERE \"Phone\" LIKE '+49%'", 2,
    ),
    "cards": Question(
        text("Holder,Card,Amount\nAda,4111 1111 1111 1111,10\nBo,5500 0000 0000 0004,20\n"),
        "SELECT sum(\"Amount\") FROM table1 WHERE \"Card\" = '4111 1111 1111 1111'", 10,
    ),
    "iban": Question(
        text("Name;IBAN;Betrag\nAda;DE89 3704 0044 0532 0130 00;10,00\n"
             "Bo;AT61 1904 3002 3457 3201;20,00\n"),
        "SELECT sum(\"Betrag\") FROM table1 WHERE \"IBAN\" LIKE 'DE%'", 10,
    ),
    "footnotes": Question(
        page(["Land", "Umsatz"], ["DE", "120*"], ["AT", 80], ["CH", "95¹"], ["FR", 60]),
        'SELECT sum("Umsatz") FROM table1', 355,
    ),
    "dashes": Question(
        text("Monat;Betrag\nJan;100,00\nFeb;-\nMär;–\nApr;50,00\nMai;20,00\n"),
        'SELECT sum("Betrag") FROM table1', 170,
    ),
    "many-errors": Question(
        page(["Item", "Ratio"], ["a", 2.5], ["b", Cell("#DIV/0!", is_error=True)], ["c", 1.5],
             ["d", Cell("#DIV/0!", is_error=True)], ["e", Cell("#N/A", is_error=True)], ["f", 4]),
        'SELECT sum("Ratio") FROM table1', 8, ["| b | #DIV/0! |"],
    ),
    "errors-csv": Question(
        text("Artikel;Quote\na;2,5\nb;#DIV/0!\nc;1,5\nd;#NV\ne;#DIV/0!\nf;1,0\n"),
        'SELECT sum("Quote") FROM table1', 5,
    ),
    "transposed": Question(
        page([None, "Jan", "Feb", "Mär"], ["Umsatz", 10, 20, 30], ["Kosten", 5, 6, 7]),
        "SELECT \"Jan\" + \"Feb\" + \"Mär\" FROM table1 WHERE column1 = 'Umsatz'", 60,
    ),
    "transposed-years": Question(
        page(["Year", 2023, 2024, 2025], ["Revenue", 10, 20, 30], ["Costs", 5, 6, 7]),
        "SELECT \"2024\" FROM table1 WHERE \"Year\" = 'Costs'", 6,
    ),
    "text-numbers-xlsx": Question(
        page(["Posten", "Betrag"], ["Miete", "1.234,50"], ["Strom", "80,25"], ["Gas", "60,00"]),
        'SELECT sum("Betrag") FROM table1', 1374.75,
    ),
    "thousand-points": Question(
        text("Land;Umsatz\nDE;1.234\nAT;5.678\nCH;12.000\n"),
        'SELECT sum("Umsatz") FROM table1', 18912,
    ),
    "starts-at-c5": Question(
        page([], [], [], [], [None, None, "Artikel", "Menge"], [None, None, "Lampe", 3],
             [None, None, "Stuhl", 4]),
        'SELECT sum("Menge") FROM table1', 7,
    ),
    "total-after-blank": Question(
        page(["Artikel", "Lager", "Menge"], ["Lampe", "A", 3], ["Stuhl", "B", 4],
             ["Tisch", "A", 5], [], ["Gesamt", None, 12]),
        'SELECT sum("Menge") FROM table1', 12,
    ),
    "total-without-label": Question(
        page(["Artikel", "Menge"], ["Lampe", 3], ["Stuhl", 4], ["Tisch", 5], [None, 12]),
        'SELECT sum("Menge") FROM table1', 12,
    ),
    "running-balance": Question(
        page(["Datum", "Text", "Betrag", "Saldo"], [day(45658), "a", 100, 100],
             [day(45659), "b", -20, 80], [day(45660), "c", 50, 130], [day(45661), "d", 130, 260]),
        'SELECT sum("Betrag") FROM table1', 260,
    ),
    "zero-columns": Question(
        page(["Kunde", "Betrag", "Skonto", "Storno", "Diff"], ["Ada", 10, 0, 0, 0],
             ["Bo", 20, 0, 0, 0], ["Cy", 35, 0, 0, 0], ["Summe", 65, 0, 0, 0]),
        'SELECT sum("Betrag") FROM table1', 65,
    ),
    "invoice-blank": Question(
        page(["Invoice"], [], ["Item", "Qty", "Price", "Amount"], ["Lamp", 2, 10, 20],
             ["Chair", 3, 20, 60], ["Desk", 1, 90, 90], [], [None, None, "Subtotal", 170],
             [None, None, "Tax", 34], [None, None, "Total", 204]),
        'SELECT sum("Amount") FROM table1', 170,
    ),
    "invoice-csv": Question(
        text("Artikel;Menge;Preis;Summe\nLampe;2;10,00;20,00\nStuhl;3;20,00;60,00\n"
             "Tisch;1;90,00;90,00\n;;Netto;170,00\n;;MwSt;32,30\n;;Brutto;202,30\n"),
        'SELECT sum("Summe") FROM table1', 170,
    ),
    "weeks": Question(
        page(["Tag", "Stunden"], ["Mo", hours(8)], ["Di", hours(9.5)], ["KW 1", hours(17.5)],
             ["Mo", hours(10)], ["Di", hours(10.25)], ["KW 2", hours(20.25)],
             ["Monat", hours(37.75)]),
        'SELECT sum("Stunden") FROM table1', 37.75,
    ),
    "counting-column": Question(
        page(["Nr", "Name", "Betrag"], [1, "Ada", 5], [2, "Bo", 6], [3, "Cy", 7]),
        'SELECT count(*) + sum("Betrag") FROM table1', 21,
    ),
    "nbsp": Question(
        text("Region;Umsatz\nNord\u00a0;10,00\nNord;20,00\nSüd;5,00\n"),
        "SELECT sum(\"Umsatz\") FROM table1 WHERE \"Region\" = 'Nord'", 30,
    ),
    "line-break-head": Question(
        page(["Region", "Umsatz\n2025"], ["Nord", 10], ["Süd", 20]),
        'SELECT sum("Umsatz 2025") FROM table1', 30,
    ),
    "true-false": Question(
        page(["Task", "Done", "Hours"], ["a", True, 2], ["b", False, 3], ["c", True, 4]),
        "SELECT sum(\"Hours\") FROM table1 WHERE \"Done\" = 'TRUE'", 6,
    ),
    "degrees": Question(
        text("Tag;Temperatur\nMo;-3,5 °C\nDi;1,5 °C\nMi;5,0 °C\n"),
        'SELECT max("Temperatur") FROM table1', 5,
    ),
    "group-max": Question(
        page(["Team", "Person", "Punkte"], ["Rot", "Ada", 5], [None, "Bo", 9], ["Blau", "Cy", 7],
             [None, "Di", 6], merges=["A2:A3", "A4:A5"]),
        "SELECT max(\"Punkte\") FROM table1 WHERE \"Team\" = 'Blau'", 7, ["| Blau | Di | 6 |"],
    ),
    "share": Question(
        page(["Partei", "Stimmen"], ["A", 300], ["B", 500], ["C", 200]),
        "SELECT 100 * sum(\"Stimmen\") FILTER (\"Partei\" = 'B') / sum(\"Stimmen\") FROM table1",
        50,
    ),
    "iso-times": Question(
        text("Beginn;Ende\n2025-03-01 08:15;2025-03-01 16:45\n"
             "2025-03-02 09:00;2025-03-02 17:00\n"),
        "SELECT sum(date_diff('minute', \"Beginn\", \"Ende\")) / 60 FROM table1", 16.5,
    ),
    "german-datetimes": Question(
        text("Beginn;Ende\n01.03.2025 08:15;01.03.2025 16:45\n"
             "02.03.2025 09:00;02.03.2025 17:00\n"),
        "SELECT sum(date_diff('minute', \"Beginn\", \"Ende\")) / 60 FROM table1", 16.5,
    ),
    "am-pm": Question(
        text("Day,Begin,End\nMon,8:30 AM,5:00 PM\nTue,9:00 AM,12:15 PM\n"),
        'SELECT sum("End" - "Begin") FROM table1', 11.75,
    ),
    "hours-unit": Question(
        text("Tag;Stunden\nMo;8,5 h\nDi;7,25 h\n"),
        'SELECT sum("Stunden") FROM table1', 15.75,
    ),
    "carry-blank-label": Question(
        page(["Kunde", "Rechnung", "Betrag"], ["Ada", "R1", 10], [None, "R2", 20],
             ["Bo", "R3", 5], [None, "R4", 7]),
        'SELECT sum("Betrag") FROM (SELECT *, last_value("Kunde" IGNORE NULLS) OVER '
        "(ORDER BY _row) AS k FROM table1) WHERE k = 'Ada'",
        30,
    ),
    "title-no-blank": Question(
        page(["Umsatzliste Nord"], ["Stand: 01.01.2025"], ["Kunde", "Monat", "Umsatz"],
             ["Ada", "Jan", 10], ["Bo", "Jan", 20]),
        'SELECT sum("Umsatz") FROM table1', 30,
    ),
    "million-euros": Question(
        page(["Bereich", "Budget"], ["Bau", Cell(12_500_000, '0.0,,"Mio. €"')],
             ["IT", Cell(3_000_000, '0.0,,"Mio. €"')]),
        'SELECT sum("Budget") FROM table1', 15.5,
    ),
    "text-percent": Question(
        text("Fonds;Rendite\nA;12,5 %\nB;4,0 %\n"),
        'SELECT max("Rendite") FROM table1', 12.5,
    ),
    "quarter-total-columns": Question(
        page(["Team", "Jan", "Feb", "Mär", "Q1"], ["Rot", 1, 2, 3, 6], ["Blau", 4, 5, 6, 15],
             ["Alle", 5, 7, 9, 21]),
        'SELECT sum("Q1") FROM table1', 21,
    ),
    "matrix-no-corner": Question(
        page([None, "Ada", "Bo", "Cy"], ["Mo", "x", None, "x"], ["Di", None, "x", "x"],
             ["Mi", "x", None, None]),
        'SELECT count("Cy") FROM table1', 2,
    ),
    "answers": Question(
        page(["Name", "Frage 1", "Frage 2"], ["Ada", "ja", "nein"], ["Bo", "ja", "ja"],
             ["Cy", "nein", "ja"]),
        "SELECT count(*) FROM table1 WHERE \"Frage 2\" = 'ja'", 2,
    ),
    "total-rounded": Question(
        page(["Posten", "Anteil", "Betrag"], ["a", percent(0.333), 33.33],
             ["b", percent(0.333), 33.33], ["c", percent(0.334), 33.34],
             ["Summe", percent(1), 100.0]),
        'SELECT sum("Betrag") FROM table1', 100,
    ),
    "balance-sheet": Question(
        page(["Aktiva", "2024", "2025", None, "Passiva", "2024", "2025"],
             ["Bank", 10, 20, None, "Kapital", 30, 40],
             ["Lager", 50, 60, None, "Schulden", 30, 40],
             ["Summe", 60, 80, None, "Summe", 60, 80]),
        'SELECT sum("2025") FROM table2', 80,
    ),
    "names-only": Question(
        page(["Teilnehmer", "Telefon", "Bezahlt"], ["Ada", None, None], ["Bo", None, None],
             ["Cy", "0171 5", 10]),
        "SELECT count(*) FROM table1", 3,
    ),
    "names-only-last": Question(
        page(["Teilnehmer", "Telefon", "Bezahlt"], ["Cy", "0171 5", 10], ["Ada", None, None],
             ["Bo", None, None]),
        "SELECT count(*) FROM table1", 3,
    ),
    "units-below-names-2": Question(
        page(["Teil", "Länge", "Gewicht"], [None, "mm", "kg"], ["Welle", 120, 3.5],
             ["Rad", 80, 2.25], ["Bolzen", 30, 0.2]),
        'SELECT sum("Gewicht kg") FROM table1', 5.95,
    ),
    "note-directly-below": Question(
        page(["Artikel", "Menge", "Preis"], ["Lampe", 2, 10], ["Stuhl", 3, 20], ["Tisch", 1, 90],
             ["* Alle Preise ohne Umsatzsteuer, Stand Januar"]),
        "SELECT count(*) FROM table1", 3,
    ),
    "two-notes": Question(
        page(["Artikel", "Menge", "Preis"], ["Lampe", 2, 10], ["Stuhl", 3, 20], ["Tisch", 1, 90],
             ["* Alle Preise ohne Umsatzsteuer, Stand Januar"],
             ["** Lieferung nur innerhalb von Deutschland"]),
        "SELECT count(*) FROM table1", 3, ["** Lieferung nur innerhalb von Deutschland"],
    ),
    "stacked": Question(
        page(["Einnahmen", "Betrag"], ["Lohn", 2000], ["Zins", 5], ["Summe", 2005],
             ["Ausgaben", "Betrag"], ["Miete", 900], ["Strom", 80], ["Gas", 60], ["Summe", 1040]),
        'SELECT sum("Betrag") FROM table2', 1040, ["| Ausgaben | Betrag |"],
    ),
    "stacked-formulas": Question(
        page(["Income", "Amount"], ["Wage", 2000], ["Interest", 5],
             ["Total", total("SUM(B2:B3)", 2005)], ["Costs", "Amount"], ["Rent", 900],
             ["Power", 80], ["Total", total("SUM(B6:B7)", 980)]),
        'SELECT sum("Amount") FROM table1', 2005,
    ),
    "page-heads": Question(
        page(["Nr", "Artikel", "Menge"], *[[n, f"A{n}", 2] for n in range(1, 6)],
             ["Nr", "Artikel", "Menge"], *[[n, f"A{n}", 2] for n in range(6, 11)]),
        'SELECT count(*) + sum("Menge") FROM table1', 30,
    ),
    "page-heads-csv": Question(
        text("Nr;Artikel;Menge\n1;a;2,5\n2;b;2,5\nNr;Artikel;Menge\n3;c;2,5\n4;d;2,5\n"),
        'SELECT count(*) + sum("Menge") FROM table1', 14,
    ),
    "invoice": Question(
        page(["Rechnung"], ["Nummer", "2025-17"], ["Datum", day(45658)], [],
             ["Pos", "Artikel", "Menge", "Preis", "Summe"], [1, "Lampe", 2, 10, 20],
             [2, "Stuhl", 3, 20, 60], [3, "Tisch", 1, 90, 90],
             [None, None, None, "Netto", total("SUM(E6:E8)", 170)],
             [None, None, None, "MwSt 19%", total("E9*0.19", 32.3)],
             [None, None, None, "Brutto", total("E9+E10", 202.3)]),
        'SELECT sum("Summe") FROM table1', 170,
    ),
    "kpis": Question(
        page(["Kennzahl", "Wert"], ["Umsatz", 1000], ["Marge", percent(0.125)], ["Kunden", 17]),
        "SELECT \"Wert\" FROM table1 WHERE \"Kennzahl\" = 'Kunden'", 17,
    ),
    "title-and-filter": Question(
        page(["Umsatzliste"], ["Filter:", "Region = Nord"], ["Stand:", day(45658)], [],
             ["Kunde", "Monat", "Umsatz"], ["Ada", "Jan", 10], ["Bo", "Jan", 20]),
        'SELECT sum("Umsatz") FROM table1', 30,
    ),
    "serial-dates": Question(
        page(["Datum", "Betrag"], [day(45658), 10], ["15.02.2025", 20], [day(45700), 30],
             ["20.02.2025", 40]),
        'SELECT sum("Betrag") FROM table1 WHERE month("Datum") = 2', 90,
    ),
    "note-in-text-table": Question(
        page(["Raum", "Farbe", "Zuständig"], ["101", "rot", "Ada"], ["102", "blau", "Bo"],
             ["103", "rot", "Cy"], [],
             ["Stand: Januar, Änderungen bitte an die Verwaltung melden"]),
        "SELECT count(*) FROM table1",
        3, ["Stand: Januar, Änderungen bitte an die Verwaltung melden"],
    ),
    "pivot-nested": Question(
        page(["Row Labels", "Sum of Pay"], ["Berlin", 60], ["Red", 30], ["Ada", 10], ["Bo", 20],
             ["Blue", 30], ["Cy", 30], ["Kiel", 45], ["Red", 45], ["Di", 25], ["Ed", 20],
             ["Grand Total", 105]),
        'SELECT sum("Sum of Pay") FROM table1', 105,
    ),
    "pivot-single-child": Question(
        page(["Zeilenbeschriftungen", "Summe"], ["Nord", 250], ["Jan", 120], ["Feb", 130],
             ["Süd", 90], ["Jan", 90], ["Gesamtergebnis", 340]),
        'SELECT sum("Summe") FROM table1', 340,
    ),
    "year-blocks": Question(
        page(["Monat", "Umsatz"], ["2024"], ["Jan", 10], ["Feb", 20], ["2025"], ["Jan", 30],
             ["Feb", 40]),
        'SELECT sum("Umsatz") FROM table1', 100,
    ),
    "work-log": Question(
        page(["Stundenzettel Januar"], [],
             ["Datum", "Von", "Bis", "Pause", "Stunden", "Projekt"],
             [day(45658), Cell(8/24, "hh:mm"), Cell(17/24, "hh:mm"), hours(0.5), hours(8.5), "A"],
             [day(45659), Cell(9/24, "hh:mm"), Cell(18/24, "hh:mm"), hours(1), hours(8), "B"],
             [None, None, None, "Summe", total("SUM(E4:E5)", 16.5/24, "[h]:mm"), None]),
        "SELECT sum(\"Stunden\") FROM table1 WHERE \"Projekt\" = 'B'",
        8, ["| 2025-01-01 | 8:00 | 17:00 | 0:30 | 8:30 | A |"],
    ),
    "shop-export": Question(
        text('Order ID,Date,Customer,Total\n#1001,2025-01-03,"Lovelace, Ada","$1,250.00"\n'
             '#1002,2025-01-04,Bo,$80.50\n#1003,2025-02-01,Cy,$19.50\n'),
        'SELECT sum("Total") FROM table1 WHERE month("Date") = 1', 1330.5,
    ),
    "bank-export": Question(
        text('"Buchungstag";"Verwendungszweck";"Betrag";"Währung"\n'
             '"01.02.2025";"Miete";"-900,00";"EUR"\n"15.02.2025";"Gehalt";"2.500,00";"EUR"\n'
             '"20.02.2025";"Strom";"-80,50";"EUR"\n'),
        'SELECT sum("Betrag") FROM table1 WHERE "Betrag" < 0', -980.5,
    ),
    "debit-credit": Question(
        text("Datum;Text;Soll;Haben\n01.02.2025;Miete;900,00;\n15.02.2025;Gehalt;;2.500,00\n"
             "20.02.2025;Strom;80,50;\n"),
        'SELECT sum("Haben") - sum("Soll") FROM table1', 1519.5,
    ),
    "grades": Question(
        page(["Klasse 7b"], [], ["Name", "Mathe", "Deutsch", "Schnitt"], ["Ada", 1, 2, 1.5],
             ["Bo", 3, 2, 2.5], ["Cy", 2, 4, 3],
             ["Durchschnitt", total("AVERAGE(B4:B6)", 2), total("AVERAGE(C4:C6)", 8/3)]),
        'SELECT avg("Deutsch") FROM table1', 8/3,
    ),
    "attendance": Question(
        page(["Name", "1.", "2.", "3.", "4."], ["Ada", "x", "x", None, "x"],
             ["Bo", None, "x", "x", None]),
        'SELECT count("2.") FROM table1', 2,
    ),
    "price-per-unit": Question(
        page(["Artikel", "Preis (€/Stk.)", "Bestand"], ["Schraube M4", Cell(0.05, "0.00"), 1000],
             ["Mutter M4", Cell(0.03, "0.00"), 500]),
        'SELECT sum("Preis (€/Stk.)" * "Bestand") FROM table1', 65,
    ),
    "negative-red": Question(
        page(["Konto", "Saldo"], ["a", Cell(-120.5, "#,##0.00;[Red]-#,##0.00")],
             ["b", Cell(20, "#,##0.00;[Red]-#,##0.00")]),
        'SELECT sum("Saldo") FROM table1', -100.5, ["| a | -120.50 |"],
    ),
    "accounting-format": Question(
        page(["Item", "Net"],
             ["a", Cell(1000, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)')],
             ["b", Cell(0, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)')],
             ["c", Cell(-250, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)')]),
        'SELECT sum("Net") FROM table1', 750,
    ),
    "year-totals-right-and-below": Question(
        page(["Konto", 2023, 2024, 2025, "Summe"], ["Miete", 10, 11, 12, 33],
             ["Strom", 2, 3, 4, 9], ["Summe", 12, 14, 16, 42]),
        'SELECT sum("2024") FROM table1', 14,
    ),
    "two-lines-of-title": Question(
        page(["Muster GmbH"], ["Umsätze nach Kunden 2025"], ["alle Beträge in EUR"], [],
             ["Kunde", "Ort", "Umsatz"], ["Ada", "Kiel", 10], ["Bo", "Bonn", 20]),
        'SELECT sum("Umsatz") FROM table1', 30,
    ),
    "repeated-labels-below": Question(
        page(["Abteilung", "Kosten"], ["IT"], ["Gehälter", 100], ["Lizenzen", 50],
             ["Summe IT", 150], ["Vertrieb"], ["Gehälter", 80], ["Reisen", 20],
             ["Summe Vertrieb", 100], ["Gesamt", 250]),
        'SELECT sum("Kosten") FROM table1', 250,
    ),
    "inventory": Question(
        page(["Lager", "Artikel", "Bestand"], ["A", "Lampe", 3], ["A", "Stuhl", 5],
             ["B", "Lampe", 7]),
        "SELECT sum(\"Bestand\") FROM table1 WHERE \"Artikel\" = 'Lampe'", 10,
    ),
    "japanese-budget": Question(
        page(["2025年度予算"], [], ["部署", "上期", None, "下期", None],
             [None, "計画", "実績", "計画", "実績"], ["営業", 100, 90, 120, 110],
             ["開発", 200, 210, 220, 230], ["合計", 300, 300, 340, 340],
             merges=["A1:E1", "A3:A4", "B3:C3", "D3:E3"]),
        'SELECT sum("下期 実績") FROM table1', 340, ["| 営業 | 100 | 90 | 120 | 110 |"],
    ),
    "japanese-hours": Question(
        page(["日付", "開始", "終了", "時間"],
             [day(45658), Cell(9/24, "h:mm"), Cell(18/24, "h:mm"), hours(8)],
             [day(45659), Cell(9/24, "h:mm"), Cell(19/24, "h:mm"), hours(9)],
             ["合計", None, None, hours(17)]),
        'SELECT sum("時間") FROM table1', 17,
    ),
    "months-down-years-across": Question(
        page(["Monat", "2024", "2025"], ["Januar", 10, 12], ["Februar", 11, 13], ["März", 9, 14]),
        'SELECT sum("2025" - "2024") FROM table1', 9,
    ),
    "ids-long": Question(
        text("IMEI;Menge\n356938035643809;1\n490154203237518;2\n"),
        'SELECT sum("Menge") FROM table1 WHERE "IMEI" = 490154203237518', 2,
    ),
    "article-codes": Question(
        page(["Nr.", "Name", "Preis"], ["0012", "Lampe", 10], ["0150", "Stuhl", 20]),
        "SELECT sum(\"Preis\") FROM table1 WHERE \"Nr.\" = '0012'", 10, ["| 0012 | Lampe | 10 |"],
    ),
    "dates-american": Question(
        text("Date,Amount\n1/15/2025,10\n2/3/2025,20\n2/28/2025,30\n"),
        'SELECT sum("Amount") FROM table1 WHERE month("Date") = 2', 50,
    ),
    "dates-two-digit-years": Question(
        text("Datum;Betrag\n15.01.25;10\n03.02.25;20\n28.02.25;30\n"),
        'SELECT sum("Betrag") FROM table1 WHERE month("Datum") = 2', 50,
    ),
    "total-column-percent": Question(
        page(["Sparte", "Umsatz", "Anteil"], ["A", 300, percent(0.3)], ["B", 500, percent(0.5)],
             ["C", 200, percent(0.2)], ["Gesamt", 1000, percent(1)]),
        'SELECT sum("Anteil") FROM table1', 100,
    ),
    "difference-row": Question(
        page(["Posten", "Plan", "Ist"], ["Einnahmen", 1000, 1100], ["Ausgaben", 800, 900],
             ["Überschuss", 200, 200]),
        "SELECT \"Ist\" FROM table1 WHERE \"Posten\" = 'Überschuss'", 200,
    ),
    "hidden-sum-column": Question(
        page(["Name", "Netto", "Brutto"], ["Ada", 100, 119], ["Bo", 200, 238], hidden_columns=[2]),
        'SELECT sum("Brutto") FROM table1', 357,
    ),
    "checkbox-true": Question(
        page(["Aufgabe", "Erledigt"], ["a", True], ["b", False], ["c", True], ["d", True]),
        "SELECT count(*) FROM table1 WHERE \"Erledigt\" = 'TRUE'", 3,
    ),
    "ratio-as-text": Question(
        page(["Test", "Ergebnis"], ["a", "3/5"], ["b", "4/5"], ["c", "5/5"]),
        "SELECT count(*) FROM table1 WHERE \"Ergebnis\" = '4/5'", 1,
    ),
    "semicolon-quotes-lines": Question(
        text('Name;Notiz;Betrag\n"Ada";"erste Zeile\nzweite Zeile";10,5\n'
             '"Bo";"sagte ""ja""";20,5\n'),
        'SELECT sum("Betrag") FROM table1', 31,
    ),
    "tabs": Question(
        text("Name\tBetrag\nAda\t10,5\nBo\t1.020,5\n"),
        'SELECT sum("Betrag") FROM table1', 1031,
    ),
    "blank-columns-inside": Question(
        page(["Name", None, "Jan", None, "Feb"], ["Ada", None, 5, None, 6],
             ["Bo", None, 7, None, 8]),
        'SELECT sum("Feb") FROM table1', 14,
    ),
    "head-on-right-only": Question(
        page([None, "Umsatz", "Kosten"], ["Nord", 10, 5], ["Süd", 20, 8]),
        'SELECT sum("Kosten") FROM table1', 13,
    ),
    "no-head": Question(
        page(["Lampe", 3, 10.5], ["Stuhl", 4, 20.5], ["Tisch", 5, 30]),
        "SELECT sum(column3) FROM table1", 61,
    ),
    "only-numbers": Question(
        page([1, 2, 3], [4, 5, 6]),
        "SELECT sum(column1) FROM table1", 5,
    ),
    "many-columns": Question(
        page(["Id", *[f"F{n}" for n in range(20)]], [1, *range(20)], [2, *range(20)]),
        'SELECT sum("F19") FROM table1', 38,
    ),
    "total-first-column-blank": Question(
        page(["Kunde", "Land", "Jan", "Feb"], ["Ada", "DE", 10, 20], ["Bo", "AT", 30, 40],
             ["Cy", "DE", 5, 6], [None, "Summe", 45, 66]),
        'SELECT sum("Feb") FROM table1', 66,
    ),
    "min-max-rows": Question(
        page(["Messung", "Wert"], ["a", 10.5], ["b", 20.25], ["c", 15],
             ["Minimum", total("MIN(B2:B4)", 10.5)], ["Maximum", total("MAX(B2:B4)", 20.25)],
             ["Mittelwert", total("AVERAGE(B2:B4)", 15.25)]),
        'SELECT sum("Wert") FROM table1', 45.75,
    ),
    "percent-sum-row": Question(
        page(["Aufgabe", "Fortschritt"], ["a", percent(0.5)], ["b", percent(1)],
             ["c", percent(0)]),
        'SELECT avg("Fortschritt") FROM table1', 50,
    ),
    "exponent": Question(
        text("Probe;Wert\na;1,5E+03\nb;2,5E+03\n"),
        'SELECT sum("Wert") FROM table1', 4000,
    ),
    "approx": Question(
        text("Stadt;Einwohner\nA;ca. 1000\nB;2000\nC;3000\nD;4000\nE;5000\nF;1\nG;2\nH;3\n"
             "I;4\nJ;5\nK;6\n"),
        'SELECT sum("Einwohner") FROM table1', 14021,
    ),
    "multi-line-total": Question(
        page(["Pos", "Text", "EP", "GP"], ["1", "Erdarbeiten"], ["1.1", "Aushub", 10, 1000],
             ["1.2", "Verfüllung", 5, 500], ["2", "Mauerwerk"], ["2.1", "Wand", 80, 8000]),
        'SELECT sum("GP") FROM table1', 9500,
    ),
    "units-mixed": Question(
        page(["Zutat", "Menge"], ["Mehl", "500 g"], ["Milch", "0,5 l"], ["Eier", "3 Stk"]),
        "SELECT count(*) FROM table1 WHERE \"Menge\" = '500 g'", 1,
    ),
    "arrival-list-midnight": Question(
        page(["Schicht", "Beginn", "Ende"], ["Nacht", Cell(22/24, "h:mm"), Cell(6/24, "h:mm")],
             ["Tag", Cell(6/24, "h:mm"), Cell(14/24, "h:mm")]),
        'SELECT sum(("Ende" - "Beginn" + 24) % 24) FROM table1', 16,
    ),
    "loan-plan": Question(
        page(["Monat", "Rate", "Zins", "Tilgung", "Restschuld"], [1, 100, 10, 90, 910],
             [2, 100, 9, 91, 819], [3, 100, 8, 92, 727], [4, 100, 7, 93, 634]),
        'SELECT sum("Zins") FROM table1', 34,
    ),
    "hundred-thousand-rows": Question(
        text("Id;Betrag\n" + "".join(f"{number};{number % 100},50\n" for number in range(100_000))),
        'SELECT sum("Betrag") FROM table1', 5_000_000,
    ),
}  # fmt: skip


def file_of(question: Question) -> RawDocument:
    """The file of a question."""
    data = question.file()
    if isinstance(data, str):
        return RawDocument("table.csv", data.encode(), "text/csv")
    return RawDocument("table.xlsx", data, _XLSX)


@pytest.mark.parametrize("name", SHEETS)
def test_sum_over_a_sheet_of_people_is_right(name: str) -> None:
    """Merged cells, totals, titles, units, several tables: what a person would add up."""
    question = SHEETS[name]
    file = file_of(question)
    with loaded_tables([TableFile(file.url, file.media_type, file.data)]) as (connection, _):
        row = connection.execute(question.sql).fetchone()
    assert row is not None
    assert float(row[0]) == pytest.approx(question.value)


@pytest.mark.parametrize("name", [name for name, question in SHEETS.items() if question.lines])
def test_text_of_a_sheet_of_people_is_right(name: str) -> None:
    """The text agrees with what is computed: the same names, rows and remarks."""
    text_lines = extract(file_of(SHEETS[name])).text.splitlines()
    assert [line for line in SHEETS[name].lines if line not in text_lines] == []


def test_sheets_of_people_are_forty() -> None:
    """As many as the goal names."""
    assert len(SHEETS) >= 40
