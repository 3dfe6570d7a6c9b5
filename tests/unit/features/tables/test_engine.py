"""Tables as people have them, how they are read, and what a query may and may not do."""

import asyncio
import json
import sys
from decimal import Decimal
from typing import Any

import pytest

from rich_agent.documents.tables.engine import schemas_of
from rich_agent.domain.tables import TableFile
from rich_agent.features.tables import isolation
from rich_agent.features.tables.engine import answer
from rich_agent.features.tables.isolation import query_apart
from rich_agent.features.tables.rows import QueryRefusedError
from tests.documents import document

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_ODS = "application/vnd.oasis.opendocument.spreadsheet"


def table(text: str, encoding: str = "utf-8") -> TableFile:
    """A CSV file."""
    return TableFile("table.csv", "text/csv", text.encode(encoding))


def computed(file: TableFile, sql: str) -> Any:
    """The first value of the first row."""
    return answer([file], sql).rows[0][0]


def columns_of(file: TableFile) -> dict[str, str]:
    """The types of the columns by name, without that of the row's number."""
    (schema,) = schemas_of(file)
    return {column.name: column.type for column in schema.columns if column.name != "_row"}


GERMAN = """Umsatzbericht 2025;;
;;
Datum;Kunde;Betrag
01.03.2025;Müller;1.234,56 €
15.03.2025;"Groß; Söhne";12,00 €

20.03.2025;Xaver;-3,50 €
"""
JAPANESE = "日付,店舗,売上\n" + "".join(
    f'2025年{month}月{day}日,{shop}支店,"￥{12_000 + day:,}"\n'
    for month in range(1, 13)
    for day, shop in ((3, "東京"), (14, "大阪"), (25, "名古屋"))
)
AMERICAN = """Zip,Day,Price,Share
01234,3/14/2025,"$1,200.50",5%
90210,4/1/2025,($30.00),12%
90211,4/2/2025,n/a,
"""


def test_table_of_a_german_spreadsheet_is_read() -> None:
    """A title above, semicolons, a legacy charset, a decimal comma, the day first, empty lines."""
    file = table(GERMAN, "cp1252")
    assert columns_of(file) == {"Datum": "date", "Kunde": "text", "Betrag": "decimal"}
    assert computed(file, 'SELECT sum("Betrag") FROM table1') == "1243.06"
    assert computed(file, "SELECT Kunde FROM table1 WHERE Datum = DATE '2025-03-15'") == (
        "Groß; Söhne"
    )
    (schema,) = schemas_of(file)
    assert "Umsatzbericht 2025" in schema.note


def test_table_of_a_japanese_spreadsheet_is_read() -> None:
    """Shift JIS, yen, dates with characters."""
    file = table(JAPANESE, "cp932")
    assert columns_of(file) == {"日付": "date", "店舗": "text", "売上": "integer"}
    total = 12 * sum(12_000 + day for day in (3, 14, 25))
    assert int(computed(file, 'SELECT sum("売上") FROM table1')) == total
    asked = "SELECT count(*) FROM table1 WHERE month(\"日付\") = 3 AND 店舗 = '大阪支店'"
    assert computed(file, asked) == 1


def test_table_keeps_codes_and_reads_dollars_and_percents() -> None:
    """A zip code is no number; what stands for "no value" is left out, and said."""
    file = table(AMERICAN)
    types = {"Zip": "text", "Day": "date", "Price": "decimal", "Share": "integer"}
    assert columns_of(file) == {**types, "Price (as written)": "text"}
    assert computed(file, "SELECT sum(Price) FROM table1") == "1170.50"
    assert computed(file, "SELECT min(Day) FROM table1") == "2025-03-14"
    (schema,) = schemas_of(file)
    price = next(column for column in schema.columns if column.name == "Price")
    assert "1 rows" in price.note


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("a;b\nx;1.234\ny;2.500\n", "3734"),
        ("a,b\nx,1.234\ny,2.500\n", "3.734"),
        ('a,b,c\nx,1.234,"5,5"\ny,2.500,"6,5"\n', "3734"),
        ("a\tb\nx\t1 234,5\ny\t2 000,5\n", "3235.0"),
        ("a,b\nx,1'234.50\ny,2'000.50\n", "3235.00"),
        ("a,b\nx,100-\ny,(20)\n", "-120"),
        ("a,b\nx,12 kg\ny,30 kg\n", "42"),
        ('a,b\nx,"12,34,567"\ny,"1,00,000"\n', "1334567"),
        ("a,b\nx,１２\ny,▲３\n", "9"),
        ("a,b\nx,1e3\ny,2\n", "1002.0"),
    ],
    ids=["german", "english", "by-others", "french", "swiss", "minus", "unit", "indian",
         "wide", "exponent"],
)  # fmt: skip
def test_table_numbers_are_read_as_they_are_meant(text: str, total: str) -> None:
    """Points and commas by the file around them; spaces, units and signs as people write them."""
    found = computed(table(text), "SELECT sum(b) FROM table1")
    assert Decimal(str(found)) == Decimal(total)


@pytest.mark.parametrize(
    ("name", "media_type"), [("sales.csv", "text/csv"), ("sales.xlsx", _XLSX), ("sales.ods", _ODS)]
)
def test_table_of_each_format_gives_the_same(name: str, media_type: str) -> None:
    """As LibreOffice saved it."""
    file = TableFile(name, media_type, document(name))
    (schema,) = schemas_of(file)
    assert schema.rows == 36
    assert schema.first_rows[0] == ("2", "North", "2025-01", "11", "9.5")
    found = answer([file], "SELECT sum(units), sum(units * price) FROM table1")
    other = answer(
        [TableFile("sales.csv", "text/csv", document("sales.csv"))],
        "SELECT sum(units), sum(units * price) FROM table1",
    )
    assert [Decimal(str(value)) for value in found.rows[0]] == [
        Decimal(str(value)) for value in other.rows[0]
    ]


def test_tables_of_several_files_are_joined() -> None:
    """They are numbered over all files; the result names those that the query reads."""
    files = [table("id,who\n1,Ana\n2,Ben\n"), table("id,sum\n1,10\n1,5\n2,1\n"), table("x\n1\n")]
    asked = "SELECT who, sum(sum) FROM table1 JOIN table2 USING (id) GROUP BY who ORDER BY who"
    found = answer(files, asked)
    assert found.rows == (("Ana", 15), ("Ben", 1))
    assert found.read == (1, 2)


def test_table_result_is_cut_and_counted() -> None:
    """Of 5,000 rows 200 come back, with how many there are."""
    found = answer([table("a\n" + "x1\n" * 5_000)], "SELECT * FROM table1")
    assert (len(found.rows), found.total_rows) == (200, 5_000)
    json.dumps(found.rows)


HOSTILE = [
    "SELECT 1; SELECT 2",
    "DROP TABLE table1",
    "COPY table1 TO '/tmp/out.csv'",
    "ATTACH '/tmp/other.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET threads = 8",
    "SET enable_external_access = true",
    "PRAGMA database_list",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM read_csv('https://example.com/a.csv')",
    "SELECT * FROM connection",
    "SELECT * FROM rows",
    "SELECT getenv('HOME')",
    "SELECT 1) UNION (SELECT 2",
    "SELECT nothing FROM table1",
    "",
    "\0",
]


@pytest.mark.parametrize("sql", HOSTILE)
def test_query_reaches_nothing_but_the_tables(sql: str) -> None:
    """No files, network, settings, variables of the program, or second statements."""
    with pytest.raises(QueryRefusedError):
        answer([table("a\n1\n")], sql)


def test_query_error_says_what_is_wrong() -> None:
    """The model can correct the name of a column."""
    with pytest.raises(QueryRefusedError, match="Amount"):
        answer([table("Region,Amount\nx,1\n")], "SELECT sum(amounts) FROM table1")


@pytest.mark.costs("it starts a confined process")
async def test_query_runs_in_a_process_of_its_own() -> None:
    """It takes no memory beyond its own, and the engine is not loaded here."""
    files = [table("a\n1\n2\n")]
    found = await query_apart(1, files, "SELECT sum(a) FROM table1")
    assert found.rows == ((3,),)
    with pytest.raises(QueryRefusedError):
        await query_apart(1, files, "SELECT list(range) FROM range(1000000000)")
    code = "from rich_agent.documents.user_files import reading; import sys;"
    code += "from rich_agent.features.tables import tool;"
    code += "sys.exit('duckdb' in sys.modules)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await process.wait() == 0


async def test_query_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """After its time it is refused, and the next one runs."""
    monkeypatch.setattr(isolation, "QUERY_S", 1.0)
    files = [table("a\n1\n2\n")]
    with pytest.raises(QueryRefusedError, match="longer than"):
        await query_apart(
            1, files, "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"
        )
    monkeypatch.setattr(isolation, "QUERY_S", 20.0)
    assert (await query_apart(1, files, "SELECT count(*) FROM table1")).total_rows == 1
