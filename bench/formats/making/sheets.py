"""Workbooks, written by openpyxl and XlsxWriter."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import xlsxwriter
from openpyxl import Workbook
from openpyxl.styles import Font

from bench.formats.making.facts import Draft, Make
from bench.formats.making.pictures import picture
from bench.formats.truth import Cell

_MONTHS: Final = ("2026-01", "2026-02", "2026-03")


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def prices(draft: Draft, target: Path) -> None:
    """A price list: names, whole numbers, prices with two places."""
    book = Workbook()
    sheet = book.active
    sheet.title = draft["title"]
    head = draft["head"]
    sheet.append(head)
    for name, quantity, price in draft["rows"]:
        sheet.append([draft.shown(name), int(quantity), _number(price)])
        sheet.cell(sheet.max_row, 3).number_format = "0.00"
        draft.note_row(
            head, [sheet.cell(sheet.max_row, 1).value, quantity, f"{_number(price):.2f}"]
        )
    book.save(target)


def timesheet(draft: Draft, target: Path) -> None:
    """Days with hours as durations, times of day, and a sum over 24 hours."""
    book = xlsxwriter.Workbook(target)
    sheet = book.add_worksheet()
    formats = {
        name: book.add_format({"num_format": code})
        for name, code in {"date": "yyyy-mm-dd", "hours": "[h]:mm", "time": "hh:mm"}.items()
    }
    head = ["Day", "Begin", "Hours", "Task"]
    sheet.write_row(0, 0, head)
    for at, hours in enumerate((26.0, 7.5, 8.25), start=1):
        day, task = date(2026, 3, at), draft.shown(draft["steps"][at - 1])
        sheet.write_datetime(at, 0, day, formats["date"])
        sheet.write_number(at, 1, 8.5 / 24, formats["time"])
        sheet.write_number(at, 2, hours / 24, formats["hours"])
        sheet.write(at, 3, task)
        shown = f"{int(hours)}:{int(hours % 1 * 60):02}"
        draft.truth.cells += [
            Cell(task, "Day", day.isoformat()),
            Cell(task, "Begin", "08:30"),
            Cell(task, "Hours", shown),
        ]
    book.close()


def formats(draft: Draft, target: Path) -> None:
    """Percentages, currencies, thousands, codes with leading zeros, true and false."""
    book = xlsxwriter.Workbook(target)
    sheet = book.add_worksheet(draft["groups"][0])
    sheet.write_row(0, 0, ["Name", "Share", "Amount", "Code", "Flag"])
    shapes = [
        book.add_format({"num_format": code}) for code in ("0.0%", "#,##0.00 [$€-407]", "0000")
    ]
    for at, (name, share, amount, code) in enumerate(
        [("a", 0.125, 1234.5, 7), ("b", 0.3, 99, 42), ("c", 1.0, 1000000, 815)], start=1
    ):
        label = draft.shown(f"{draft['rows'][at][0]} {name}")
        sheet.write(at, 0, label)
        for column, value in enumerate((share, amount, code), start=1):
            sheet.write_number(at, column, value, shapes[column - 1])
        sheet.write_boolean(at, 4, at == 1)
        draft.truth.cells += [
            Cell(label, "Share", f"{share:.1%}"),
            Cell(label, "Code", f"{code:04}"),
            Cell(label, "Flag", "TRUE" if at == 1 else "FALSE"),
        ]
    book.close()


def merged(draft: Draft, target: Path) -> None:
    """Names of groups in cells that reach over several rows, and a sum under each group."""
    book = Workbook()
    sheet = book.active
    head = ["Region", "Month", draft["head"][1], "Note"]
    sheet.append(head)
    for group in draft["groups"]:
        first = sheet.max_row + 1
        for at, month in enumerate(_MONTHS):
            note = draft.shown()
            sheet.append([group if at == 0 else None, month, 100 + at, note])
            draft.note_row(head, [group, month, str(100 + at), note], key=3)
        sheet.merge_cells(start_row=first, end_row=sheet.max_row, start_column=1, end_column=1)
    book.save(target)


def two_line_head(draft: Draft, target: Path) -> None:
    """A title over the table, and a head of two lines whose first one is merged."""
    book = Workbook()
    sheet = book.active
    sheet["A1"] = draft.shown(draft["title"])
    sheet.append([])
    sheet.append([draft["head"][0], "2025", None, "2026", None])
    sheet.append([None, "Units", "Amount", "Units", "Amount"])
    for span in ("A1:E1", "A3:A4", "B3:C3", "D3:E3"):
        sheet.merge_cells(span)
    for at, (name, *_) in enumerate(draft["rows"]):
        label = draft.shown(name)
        sheet.append([label, 10 + at, 20 + at, 30 + at, 40 + at])
        draft.truth.cells += [
            Cell(label, f"{year} {what}", str(value + at))
            for (year, what), value in zip(
                [("2025", "Units"), ("2025", "Amount"), ("2026", "Units"), ("2026", "Amount")],
                (10, 20, 30, 40),
                strict=True,
            )
        ]
    book.save(target)


def two_tables(draft: Draft, target: Path) -> None:
    """Two tables with heads of their own below each other, and a third one to the right."""
    book = Workbook()
    sheet = book.active
    head, rows = draft.table()
    for row in [head, *rows, [], [], ["Pallet", "Kilos"]]:
        sheet.append(row)
    for at, step in enumerate(draft["steps"]):
        label = draft.shown(step)
        sheet.append([label, 10 * at + 5])
        draft.truth.cells.append(Cell(label, "Kilos", str(10 * at + 5)))
    for at, (label, value) in enumerate([("Room", "Floor"), *draft["fields"]], start=1):
        shown = label if at == 1 else draft.shown(label)
        sheet.cell(at, 6, shown)
        sheet.cell(at, 7, value)
        if at > 1:
            draft.truth.cells.append(Cell(shown, "Floor", value))
    book.save(target)


def hidden(draft: Draft, target: Path) -> None:
    """A hidden column, row and sheet, a very hidden sheet, white words, and cells shown as ''."""
    book = Workbook()
    sheet = book.active
    sheet.append([*draft["head"], "Pay", "Note"])
    for at, row in enumerate(draft["rows"]):
        is_hidden = at == 1
        name = draft.hidden(row[0]) if is_hidden else draft.shown(row[0])
        sheet.append([name, *([None] * 2 if is_hidden else row[1:]), draft.hidden("pay"), None])
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["D"].hidden = True
    sheet["E2"], sheet["E4"] = draft.hidden(), draft.hidden()
    sheet["E2"].font = Font(color="FFFFFF")
    sheet["E4"].number_format = ";;;"
    for state in ("hidden", "veryHidden"):
        other = book.create_sheet(state)
        other.sheet_state = state
        other["A1"], other["A2"] = draft.hidden(), draft.hidden()
    book.save(target)


def without_values(draft: Draft, target: Path) -> None:
    """Formulas whose values were never saved, as programs write them."""
    book = Workbook()
    sheet = book.active
    sheet.append([*draft["head"], "Sum"])
    for at, (name, quantity, price) in enumerate(draft["rows"], start=2):
        sheet.append([draft.shown(name), int(quantity), _number(price), f"=B{at}*C{at}"])
    book.save(target)
    draft.truth.has_unreadable = True


def with_values(draft: Draft, target: Path) -> None:
    """Formulas with saved values, totals among the rows, and an error."""
    book = xlsxwriter.Workbook(target)
    sheet = book.add_worksheet()
    head = [*draft["head"], "Sum"]
    sheet.write_row(0, 0, head)
    total = 0.0
    for at, (name, quantity, price) in enumerate(draft["rows"], start=1):
        label, amount = draft.shown(name), round(int(quantity) * _number(price), 2)
        sheet.write_row(at, 0, [label, int(quantity), _number(price)])
        sheet.write_formula(at, 3, f"=B{at + 1}*C{at + 1}", None, amount)
        draft.truth.cells.append(Cell(label, "Sum", f"{amount:g}"))
        total += amount
    label = draft.shown("Total")
    sheet.write(5, 0, label)
    sheet.write_formula(5, 3, "=SUM(D2:D5)", None, round(total, 2))
    draft.truth.cells.append(Cell(label, "Sum", f"{total:g}"))
    book.close()


def charts(draft: Draft, target: Path) -> None:
    """A chart of the table on the same sheet, a remark, and a box of text."""
    book = xlsxwriter.Workbook(target)
    sheet = book.add_worksheet("Data")
    head, rows = draft.table()
    sheet.write_row(0, 0, head)
    for at, (name, quantity, price) in enumerate(rows, start=1):
        sheet.write_row(at, 0, [name, int(quantity), price])
    chart = book.add_chart({"type": "column"})
    chart.add_series({"categories": "=Data!$A$2:$A$5", "values": "=Data!$B$2:$B$5"})
    chart.set_title({"name": draft.shown(draft["subject"])})
    sheet.insert_chart("F2", chart)
    sheet.insert_textbox("F20", draft.shown(draft["note"]))
    sheet.write_comment("B2", draft.shown(draft["header"]))
    book.close()


def pictures(draft: Draft, target: Path) -> None:
    """A list with a picture beside it."""
    book = xlsxwriter.Workbook(target)
    sheet = book.add_worksheet()
    sheet.write(0, 0, draft.shown(draft["subject"]))
    for at, step in enumerate(draft["steps"], start=1):
        sheet.write(at, 0, draft.shown(step))
    sheet.insert_image("C2", "picture.png", {"image_data": picture()})
    draft.truth.has_unreadable = True
    book.close()


def several(draft: Draft, target: Path) -> None:
    """Several sheets, empty rows and columns before the table, links, several lines in a cell."""
    book = Workbook()
    book.remove(book.active)
    for group in draft["groups"]:
        sheet = book.create_sheet(group)
        head, rows = draft.table()
        for at, row in enumerate([head, *rows]):
            for column, value in enumerate(row):
                sheet.cell(3 + at, 2 + column, value)
        note = sheet.cell(3, 2 + len(head), "Link")
        note.hyperlink = "https://example.org/list"
        sheet.cell(3 + len(rows), 2 + len(head), f"{draft.shown()}\n{draft.shown(draft['note'])}")
    book.save(target)


MAKES: Final[Mapping[str, tuple[Make, Sequence[str]]]] = {
    "prices": (prices, ("en", "de", "ja", "ar")),
    "timesheet": (timesheet, ("en", "de")),
    "formats": (formats, ("en", "de")),
    "merged": (merged, ("en", "fr", "ru")),
    "two_line_head": (two_line_head, ("en", "es")),
    "two_tables": (two_tables, ("en", "de")),
    "hidden": (hidden, ("en", "de")),
    "without_values": (without_values, ("en",)),
    "with_values": (with_values, ("en", "de")),
    "charts": (charts, ("en",)),
    "pictures": (pictures, ("en",)),
    "several": (several, ("en", "hi")),
}
