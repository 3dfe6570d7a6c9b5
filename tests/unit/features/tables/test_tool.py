"""The tool for tables on the files that a turn opens for it."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rich_agent.documents.tables.engine import schemas_of
from rich_agent.feature import Asker, ToolRefusedError
from rich_agent.feature.files import FileRefusedError, TableFile, TurnFile, UserFile
from rich_agent.features.tables.tool import MOST_CHARS, QueryTables, query_tables

DATA = b"city,amount\nOslo,1\nLima,2\nOslo,3\n"
SUM = QueryTables(sql="SELECT sum(amount) FROM table1 WHERE city = 'Oslo'", in_words="The sum.")
_SENT = datetime(2026, 1, 5, tzinfo=UTC)
FILE = UserFile(
    *(7, 1, "tg:1", "sales.csv", "text/csv", len(DATA), "", "ref", 9, 1),
    is_kept=False,
    is_indexed=False,
    sent_at=_SENT,
)


def asking(*files: TurnFile, refusal: FileRefusedError | None = None) -> Asker:
    """Somebody whose turn opens these files, or none of them."""

    @asynccontextmanager
    async def open_files() -> AsyncIterator[Sequence[TurnFile]]:
        if refusal:
            raise refusal
        yield files

    return Asker(1, "tg:1", "r1", open_files=open_files)


@pytest.mark.costs("it starts a confined process")
async def test_query_is_computed_over_the_open_files() -> None:
    """The result is a passage of its file; the user reads what was computed, over how many rows."""
    tables = schemas_of(TableFile("sales.csv", "text/csv", DATA))
    outcome = await query_tables(SUM, asking(TurnFile(replace(FILE, tables=tables), DATA)))
    assert outcome.data["rows"] == [[4]]
    assert outcome.data["columns"] == ["The sum."]
    (passage,) = outcome.passages
    assert (passage.id, passage.title) == ("file:7:query", "sales.csv")
    assert "3 rows" in outcome.card


@pytest.mark.parametrize(
    ("asker", "reason"),
    [
        (asking(), "There is no table"),
        (asking(refusal=FileRefusedError("gone", "it is away")), "it is away"),
    ],
    ids=["none", "gone"],
)
async def test_query_without_a_table_is_refused(asker: Asker, reason: str) -> None:
    """The model learns why, and can tell the user."""
    with pytest.raises(ToolRefusedError, match=reason):
        await query_tables(SUM, asker)


@pytest.mark.costs("it starts a confined process")
async def test_rows_of_a_query_are_cut_at_a_number_of_characters() -> None:
    """The model learns how many rows there are, and how many of them it sees."""
    wide = QueryTables(sql="SELECT repeat('x', 400) FROM range(60)", in_words="Wide rows.")
    outcome = await query_tables(wide, asking(TurnFile(FILE, DATA)))
    rows = outcome.data["rows"]
    assert MOST_CHARS - 500 < len(json.dumps(rows)) <= MOST_CHARS + 500
    assert outcome.data["note"] == f"Only the first {len(rows)} of 60 rows are shown."
