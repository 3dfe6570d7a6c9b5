"""Tables as people have them, and what is told of them."""

import pytest

from rich_agent.documents.tables.engine import schemas_of
from rich_agent.documents.user_files.reading import IsolatedFileReader
from rich_agent.domain.tables import TableFile, declare_table


def table(text: str, encoding: str = "utf-8") -> TableFile:
    """A CSV file."""
    return TableFile("table.csv", "text/csv", text.encode(encoding))


def columns_of(file: TableFile) -> dict[str, str]:
    """The types of the columns by name, without that of the row's number."""
    (schema,) = schemas_of(file)
    return {column.name: column.type for column in schema.columns if column.name != "_row"}


def test_table_of_several_units_stays_text() -> None:
    """Euros and dollars have no sum."""
    assert columns_of(table("a,b\nx,12 €\ny,13 $\n"))["b"] == "text"


@pytest.mark.parametrize(
    "text",
    ["\n\n", "a,b\n", 'a,"b\n1,2\n', "a,b\n1,2,3,4\n" * 3, "\0\0a,b\n1\0,2\n", "x" * 100_000],
)
def test_table_that_is_odd_ends_in_a_result(text: str) -> None:
    """Nothing but lines, a head alone, open quotes, lines of other lengths, NULs, one long line."""
    for schema in schemas_of(table(text)):
        assert declare_table(1, "table.csv", schema)


async def test_file_reader_tells_of_tables() -> None:
    """All rows are counted, though a prompt is given the first ones."""
    lines = "".join(f"{number},{number % 7}\n" for number in range(3_000))
    read = await IsolatedFileReader().read(1, "n.csv", "text/csv", f"n,rest\n{lines}".encode())
    (schema,) = read.tables
    assert schema.rows == 3_000
    assert schema.last_rows[-1] == ("3001", "2999", "3")
