"""The tables that the migrations make: LangGraph's, the required ones, the documented ones."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.postgres import AsyncPostgresStore

from rich_agent.feature import loaded_features
from rich_agent.repositories.database.pools import Pool, open_pool
from tests.integration.catalogue import COLUMNS, catalogue, execute, read, tables_of

REFERENCE = Path(__file__).parents[2] / "docs/reference/tables.md"
LANGGRAPH_TABLES = (
    "checkpoints",
    "checkpoint_blobs",
    "checkpoint_writes",
    "checkpoint_migrations",
    "store",
    "store_migrations",
    "store_vectors",
    "vector_migrations",
)
REQUIREDCOLUMNS = {
    "users": "telegram_user_id",
    "conversations": "thread_id user_id",
    "messages": "role content meta_json",
    "turn_archive": "thread_id question answer",
    "telegram_inbox": "update_id raw",
    "telegram_outbox": "update_id message_id",
    "rag_sources": "id type root_url status updated_at",
    "rag_documents": "url title fetched_at content_hash raw_text",
    "rag_chunks": "document_id section chunk_index content token_count content_hash",
    "rag_embeddings": "chunk_id model embedding created_at",
    "vision_images": "telegram_file_id sha256 mime size created_at",
    "vision_summaries": "image_id model summary_json created_at",
    "retrieval_decisions": "thread_id request_id intent plan reason retrieved_count "
    "citations_count latency_ms queries",
}


def test_library_has_the_migrations_that_were_frozen() -> None:
    """A new version of the library that wants other tables is noticed here."""
    assert len(AsyncPostgresSaver.MIGRATIONS) == 10
    assert len(AsyncPostgresStore.MIGRATIONS) == 4
    assert len(AsyncPostgresStore.VECTOR_MIGRATIONS) == 3


async def _set_up_library(pool: Pool) -> None:
    await AsyncPostgresSaver(pool).setup()
    index: Any = {"dims": 4, "embed": lambda texts: texts}
    await AsyncPostgresStore(pool, index=index).setup()


@pytest.mark.req("MEM-2")
async def test_langgraph_tables_are_those_of_setup(
    empty_database_url: str, database_url: str
) -> None:
    """Columns, indexes, constraints and versions; vectors of any length, so without ANN index."""
    async with open_pool(empty_database_url, max_size=2) as pool:
        await _set_up_library(pool)
    theirs, ours = catalogue(empty_database_url), catalogue(database_url)
    for query, rows in theirs.items():
        assert {row for row in ours[query] if row[0] in LANGGRAPH_TABLES} == {
            row for row in rows if row[1] != "store_vectors_embedding_idx"
        }
    for table in ("checkpoint_migrations", "store_migrations", "vector_migrations"):
        versions = f"SELECT v FROM {table}"
        assert read(database_url, versions) == read(empty_database_url, versions)
    dimensions = (
        "SELECT format_type(atttypid, atttypmod) FROM pg_attribute "
        "WHERE attrelid = 'store_vectors'::regclass AND attname = 'embedding'"
    )
    assert read(empty_database_url, dimensions) == {("vector(4)",)}
    assert read(database_url, dimensions) == {("vector",)}


@pytest.mark.req("MEM-2")
async def test_library_finds_its_tables_set_up(database_url: str) -> None:
    """Its own `setup()` has nothing to do."""
    before = catalogue(database_url)
    async with open_pool(database_url, max_size=2) as pool:
        await _set_up_library(pool)
    assert catalogue(database_url) == before


@pytest.mark.req("DATA")
def test_tables_have_the_columns_that_are_required(database_url: str) -> None:
    """Every table of the requirement, with the columns that it names."""
    columns: dict[str, set[str]] = {}
    for table, column, *_ in read(database_url, COLUMNS):
        columns.setdefault(table, set()).add(column)
    missing: Mapping[str, set[str]] = {
        table: absent
        for table, names in REQUIREDCOLUMNS.items()
        if (absent := set(names.split()) - columns.get(table, set()))
    }
    assert missing == {}
    assert set(LANGGRAPH_TABLES) <= set(columns)


@pytest.mark.req("DATA")
def test_reference_names_every_table(database_url: str) -> None:
    """docs/reference/tables.md leaves none out, and invents none."""
    text = REFERENCE.read_text()
    cells = re.findall(r"^\| (`[^|]+`) \|", text, re.MULTILINE)
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    revisions = {one.name for one in loaded_features() if one.migrations}
    assert named == tables_of(database_url) - {f"alembic_version_{one}" for one in revisions}


@pytest.mark.req("VIS-2", "DUR-2")
def test_an_image_is_unique_by_its_content(database_url: str) -> None:
    """The database itself refuses a second row of the same bytes."""
    insert = (
        "INSERT INTO vision_images (telegram_file_id, sha256, mime, size) "
        "VALUES ('f', 'a', 'image/png', 1)"
    )
    with pytest.raises(psycopg.errors.UniqueViolation):
        execute(database_url, insert, insert)
