"""The rows of a query as a chart or a table: the shape decides, and numbers are those computed."""

import csv
import io
import statistics
import zlib
from decimal import Decimal
from typing import Any

import pytest

from rich_agent.attachments import block_of
from rich_agent.commands.chat_answer import tables_of
from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.domain.living_blocks import BlockChart, LivingBlock
from rich_agent.feature import Attachment
from rich_agent.feature.files import TableFile
from rich_agent.features.tables.computed import attachment_of, say_number
from rich_agent.features.tables.engine import answer
from rich_agent.features.tables.rows import TableRows
from rich_agent.rendering.charts import chart_layout, table_lines
from rich_agent.rendering.widgets import MOST_COMPRESSED_BYTES, widget_html
from tests.documents import document

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SOLD = list(csv.DictReader(io.StringIO(document("sales.csv").decode())))
"""The rows of the spreadsheet, as another program wrote them down."""


def units_by(column: str) -> dict[str, list[int]]:
    """The units of the spreadsheet by the values of a column."""
    units: dict[str, list[int]] = {}
    for row in SOLD:
        units.setdefault(row[column], []).append(int(row["units"]))
    return units


def rows_of(columns: str, *rows: tuple[Any, ...], kinds: str = "tn") -> TableRows:
    """The rows of a query; the kinds by their first letters."""
    names = {"t": "text", "n": "number", "d": "date"}
    return TableRows(
        tuple(columns.split()),
        rows,
        len(rows),
        (1,),
        tuple(names[kind] for kind in kinds),  # type: ignore[misc]
    )


def drawn(rows: TableRows, locale: str = "en") -> BlockChart:
    """The chart of the rows."""
    (attachment,) = attachment_of("Amounts", rows.columns, rows)
    block = block_of(attachment, locale)
    assert block is not None
    assert block.chart is not None
    return block.chart


def of_query(sql: str) -> BlockChart:
    """The chart of a query over the spreadsheet."""
    return drawn(answer([TableFile("sales.xlsx", XLSX, document("sales.xlsx"))], sql))


def test_bars_are_the_numbers_of_the_spreadsheet() -> None:
    """As they are in the file when they are computed by another program."""
    chart = of_query(
        "SELECT region, sum(units) AS total, avg(units) AS mean FROM table1 GROUP BY 1 ORDER BY 1"
    )
    units = units_by("region")
    assert (chart.kind, chart.names, chart.corner) == ("bar", tuple(sorted(units)), "region")
    (_, totals), (_, means) = chart.series
    assert totals == tuple(sum(units[name]) for name in chart.names)
    assert means == pytest.approx([statistics.mean(units[name]) for name in chart.names])
    for words, numbers in zip(chart.words, (totals, means), strict=True):
        shown = [float(one.replace(",", "")) for one in words]
        assert shown == pytest.approx(numbers, abs=5e-5)


def test_dates_in_order_are_a_line() -> None:
    """As dates, as months that the query wrote, and as numbers."""
    chart = "SELECT {} AS month, sum(units) AS total FROM table1 GROUP BY 1 ORDER BY 1"
    day = "CAST(month || '-01' AS DATE)"
    charts = [of_query(chart.format(one)) for one in ("month", day, f"month({day})")]
    sums = tuple(sum(units) for units in units_by("month").values())
    assert len(sums) == 12
    for one in charts:
        assert one.kind == "line"
        assert one.series == (("total", sums),)
    assert [one.names[1] for one in charts] == ["2025-02", "Feb 1, 2025", "2"]


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        (rows_of("year n", (2023, 1), (2024, 2), (2025, 4), kinds="nn"), "line"),
        (rows_of("day n", ("2025-01-02", 1), ("2025-01-01", 2), ("2025-01-03", 2)), "bar"),
        (rows_of("day n", ("2025-01-01", 1), ("2025-01-02", 2)), "bar"),
        (rows_of("a n", ("x", 1), ("x", 2)), "table"),
        (rows_of("a n", ("x", 1), (None, 2)), "table"),
        (rows_of("a n", ("x", 1), ("y", None)), "table"),
        (rows_of("a n", ("x", 1), ("y", "nan")), "table"),
        (rows_of("a n", ("x", 0), ("y", 0)), "table"),
        (rows_of("a b n", ("x", "u", 1), ("y", "v", 2), kinds="ttn"), "table"),
        (rows_of("a n m", ("x", 1, 900), ("y", 2, 800), kinds="tnn"), "table"),
        (rows_of("a n m", ("x", 1, 9), ("y", 2, 8), kinds="tnn"), "bar"),
        (rows_of("n a", (1, "x"), (2, "y"), kinds="nt"), "bar"),
        (rows_of("n m", (5, 1), (3, 2), kinds="nn"), "table"),
        (rows_of("a n", ("x", True), ("y", False), kinds="tt"), "table"),
    ],
)
def test_shape_of_the_rows_decides(rows: TableRows, kind: str) -> None:
    """Names that are one column, without gaps, and numbers that can be compared."""
    assert drawn(rows).kind == kind


@pytest.mark.parametrize(
    "rows",
    [
        rows_of("a n", ("x", 1)),
        rows_of("a n", *((f"x{number}", number) for number in range(13))),
        rows_of("a", ("x",), ("y",), kinds="t"),
        rows_of("a b c d e", *((letter,) * 5 for letter in "xy"), kinds="ttttt"),
    ],
    ids=["one row", "13 rows", "one column", "five columns"],
)
def test_rows_that_are_no_small_table_are_not_shown(rows: TableRows) -> None:
    """One value is the answer itself, and many are a file."""
    assert attachment_of("Amounts", rows.columns, rows) == ()


def test_rows_beyond_those_returned_are_not_shown() -> None:
    """A part of the rows is not the result."""
    rows = TableRows(("a", "n"), (("x", 1), ("y", 2)), 300, (1,), ("text", "number"))
    assert attachment_of("Amounts", rows.columns, rows) == ()


@pytest.mark.parametrize(
    ("number", "locale", "words"),
    [
        (1234567, "en", "1,234,567"),
        (Decimal("1234567.125"), "de", "1.234.567,125"),
        (1243.0600000000002, "en", "1,243.06"),
        (100 / 3, "fr", "33,3333"),
        (0.00001234567, "en", "0.0000123457"),
        (
            Decimal("12345678901234567890123456789012345678.25"),
            "hi",
            "1,23,45,67,89,01,23,45,67,89,01,23,45,67,89,01,23,45,678.25",
        ),
        (-0.5, "en", "-0.5"),
        (0.0, "en", "0"),
        (1e21, "en", "1,000,000,000,000,000,000,000"),
    ],
)
def test_number_is_written_as_in_the_language(
    number: Decimal | float, locale: str, words: str
) -> None:
    """An exact number keeps all digits, a quotient does not end in noise."""
    exact_number = Decimal(number) if isinstance(number, int) else number
    assert say_number(exact_number, locale) == words


NAMES = {
    "ar": "المبيعات في المنطقة الشمالية",
    "ja": "北海道営業所の売上高",
    "hi": "उत्तरी क्षेत्र की बिक्री",
    "ru": "Продажи в Северном регионе",
}


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_block_fits_into_a_widget_in_each_language(locale: str) -> None:
    """Twelve rows with three series."""
    name = NAMES.get(locale, "Sales of the northern region")
    rows = rows_of(
        "region revenue cost profit",
        *((f"{name} {n}", n * 1234.56, str(n * 1000), n * 234) for n in range(1, 13)),
        kinds="tnnn",
    )
    (attachment,) = attachment_of(f"{name}, by region and year", rows.columns, rows)
    block = block_of(attachment, locale)
    assert isinstance(block, LivingBlock)
    html = widget_html(block)
    assert html is not None
    assert len(zlib.compress(html.encode(), 9)) <= MOST_COMPRESSED_BYTES
    assert html.count("<rect") == 36 + 3
    assert html.count('<th scope="row"') == 12


def test_cells_hide_and_move_nothing() -> None:
    """Controls are written out, and a long or empty cell has its place."""
    chart = drawn(
        rows_of("a\u202e n", ("x\u202egnp.exe", 1), ("y" * 500, 2), ("", 3), ("\u200b", 4))
    )
    assert chart.names[0] == r"x\u202egnp.exe"
    assert len(chart.names[1]) == 60
    assert chart.names[2:] == ("–", r"\u200b")
    assert chart.corner == r"a\u202e"


def test_minus_sign_stands_before_its_number_in_each_language() -> None:
    """Marks of direction belong to the number, and are not written out."""
    for locale in SUPPORTED_LOCALES:
        (words,) = drawn(rows_of("a n", ("x", -1.5), ("y", 2)), locale).words
        assert "\\u" not in words[0]
        assert words[0].strip("\u200e\u200f\u061c\u2066\u2069")[0] in "-−\u200e"


def test_chart_names_its_bars_and_lines() -> None:
    """A legend tells several series apart; a long name is cut to the width of the drawing."""
    names = [(f"{'店' * 30}{number}", number, number + 1) for number in range(1, 4)]
    bars = chart_layout(drawn(rows_of("a sold bought", *names, kinds="tnn")))
    assert [label.text for label in bars.labels] == ["sold", "bought", *[f"{'店' * 21}…"] * 3]
    assert len(bars.bars) == 3 * 2 + 2
    years = [(2020 + number, number) for number in range(1, 5)]
    line = chart_layout(drawn(rows_of("year sold", *years, kinds="nn")))
    assert [(one.text, one.anchor) for one in line.labels] == [("2021", "start"), ("2024", "end")]
    assert len(line.lines) == 1
    assert max(one.y for one in [*bars.labels, *line.labels]) <= bars.height


def test_table_in_a_text_is_aligned() -> None:
    """By columns of a terminal, of which a Japanese character needs two."""
    chart = drawn(rows_of("店 n", ("東京", 1200), ("Oslo", 3)))
    assert table_lines(chart) == [
        "店        n",
        "----  -----",
        "東京  1,200",
        "Oslo      3",
    ]


def test_terminal_prints_the_table_of_an_answer() -> None:
    """Below its title, in the answer's language."""
    rows = rows_of("region units", ("North", 1200), ("West", 3))
    attachments = attachment_of("Einheiten je Region", rows.columns, rows)
    printed = tables_of(Answer("Text", locale="de", attachments=attachments))
    assert printed.split() == [
        *("Einheiten", "je", "Region", "region", "units", "------", "-----"),
        *("North", "1.200", "West", "3"),
    ]
    assert tables_of(Answer("Text")) == ""


def test_kind_without_a_feature_has_no_block() -> None:
    """Such as that of an answer from before the feature was removed."""
    assert block_of(Attachment("unknown", "x"), "en") is None
    assert block_of(Attachment("computed", "x", {"columns": ["a"]}), "en") is None
