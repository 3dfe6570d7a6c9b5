"""The two trees of migrations: up, down, many at once, and what is refused."""

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from pgvector import SparseVector

from rich_agent.domain.inventory import Inventory
from rich_agent.domain.retrieval.fusion import impacts
from rich_agent.domain.retrieval.search_terms import ANALYSIS_VERSION, TERM_SPACE, term_counts
from rich_agent.errors import DatabaseUnavailableError, SchemaError
from rich_agent.feature import loaded_features
from rich_agent.repositories.database.migration import migrate
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.database.schema import (
    APP,
    RAG,
    SchemaTree,
    check_schema,
    feature_tree,
)
from tests.database import PostgresServer
from tests.forking import forks
from tests.integration.catalogue import catalogue, execute, tables_of

ROOT = Path(__file__).parents[2]
OF_FEATURES = [
    feature_tree(one.name, one.migrations) for one in loaded_features() if one.migrations
]
TABLES_OF_FEATURES = {one.name: one.tables() for one in loaded_features() if one.tables}
OF_CORE = [*APP.revisions(), *RAG.revisions()]
ALL_REVISIONS = [*OF_CORE, *(revision for tree in OF_FEATURES for revision in tree.revisions())]

# What a library looked like before chunks had terms.
OLD_ROWS = (
    "INSERT INTO rag_sources (id, type, root_url, name) VALUES ('src_a', 'page', 'http://a', 'a')",
    """
    INSERT INTO rag_documents (source_id, url, identity, title, fetched_at, fetched_at_bucket,
        raw_hash, content_hash, raw_text, pipeline_version)
    VALUES ('src_a', 'http://a', 'http://a', 'A', now(), now(), 'r', 'c', 'words', 1)
    """,
    """
    INSERT INTO rag_chunks (id, document_id, section, anchor, link, chunk_index, content,
        token_count, content_hash, search)
    SELECT 'chk_1', id, 'A', '', 'http://a', 0, 'words', 1, 'h', to_tsvector('english', 'words')
    FROM rag_documents
    """,
    """
    INSERT INTO rag_embeddings (chunk_id, model, content_hash, embedding)
    VALUES ('chk_1', 'm', 'h', '[3,4]'), ('chk_1', 'n', 'h', '[2]')
    """,
)


async def check(url: str, rag_url: str | None = None) -> None:
    """Check the schema as a serving process does before it serves."""
    async with open_pools(url, rag_url or url, max_size=1) as databases:
        await check_schema(databases)


def downgrade(tree: SchemaTree) -> None:
    """Take a tree back to nothing, as a developer does at the command line."""
    config = Config(ROOT / "alembic.ini", ini_section="app" if tree is APP else "rag")
    command.downgrade(config, "base")


@pytest.mark.costs("it migrates in processes of their own, or all the way")
async def test_migrations_go_up_down_and_up_in_one_database(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second way up gives the same tables; the way down leaves none."""
    url = empty_database_url
    monkeypatch.setenv("DATABASE_URL", url)
    assert migrate(url, url) == ALL_REVISIONS
    first = catalogue(url)
    downgrade(APP)
    downgrade(RAG)
    of_features = [name for one in TABLES_OF_FEATURES.values() for name in one.tables]
    versions = [f"alembic_version_{name}" for name in TABLES_OF_FEATURES]
    # What a feature has made stays, whoever takes the core down.
    execute(url, f"DROP TABLE IF EXISTS {', '.join([*of_features, *versions])}")
    assert tables_of(url) == {"alembic_version_app", "alembic_version_rag"}
    with pytest.raises(SchemaError, match="no tables"):
        await check(url)
    assert migrate(url, url) == ALL_REVISIONS
    assert catalogue(url) == first
    assert migrate(url, url) == []
    await check(url)


async def test_migrations_go_up_down_and_up_in_two_databases(
    empty_database_url: str, database_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each database holds its own tree, and going down in one leaves the other."""
    with database_server.database() as rag_url:
        monkeypatch.setenv("DATABASE_URL", empty_database_url)
        monkeypatch.setenv("RAG_DATABASE_URL", rag_url)
        assert migrate(empty_database_url, rag_url) == ALL_REVISIONS
        await check(empty_database_url, rag_url)
        app, rag = tables_of(empty_database_url), tables_of(rag_url)
        assert "rag_chunks" in rag
        assert "checkpoints" in app
        assert not app & rag
        downgrade(RAG)
        assert tables_of(rag_url) == {"alembic_version_rag"}
        assert tables_of(empty_database_url) == app
        with pytest.raises(SchemaError, match="no tables"):
            await check(empty_database_url, rag_url)
        assert migrate(empty_database_url, rag_url) == RAG.revisions()
        assert tables_of(rag_url) == rag
        await check(empty_database_url, rag_url)


@pytest.mark.req("RAG-5")
def test_documents_survive_the_migration_of_search(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chunks and vectors stay, the vectors with length 1, and the way back keeps them too."""
    url = empty_database_url
    monkeypatch.setenv("DATABASE_URL", url)
    config = Config(ROOT / "alembic.ini", ini_section="rag")
    command.upgrade(config, "rag_0002")
    for statement in OLD_ROWS:
        execute(url, statement)
    migrate(url, url)
    with psycopg.connect(url) as connection:
        chunk = connection.execute("SELECT source_id, analysis, terms FROM rag_chunks").fetchone()
        document = connection.execute("SELECT chunk_count FROM rag_documents").fetchone()
        vectors = connection.execute(
            "SELECT model, source_id, dimensions, embedding::text FROM rag_embeddings ORDER BY 1"
        ).fetchall()
        spaces = connection.execute("SELECT model, status FROM rag_vector_spaces").fetchall()
    assert chunk == ("src_a", 0, [])
    assert document == (1,)
    assert vectors == [("m", "src_a", 2, "[0.60009766,0.7998047]"), ("n", "src_a", 1, "[1]")]
    assert spaces == [("m", "active")]
    command.downgrade(config, "rag_0002")
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT count(*) FROM rag_chunks JOIN rag_embeddings ON chunk_id = id "
            "WHERE search @@ 'word'::tsquery"
        ).fetchone()
    assert found == (2,)
    migrate(url, url)


@pytest.mark.req("MEM-2")
@pytest.mark.parametrize("tree", [APP, RAG], ids=lambda tree: tree.package)
async def test_newer_tables_are_used_if_they_allow_it_and_left_alone(
    empty_database_url: str, tree: SchemaTree
) -> None:
    """Programs go on and start on the next version's tables until these break them."""
    url, table = empty_database_url, tree.version_table
    migrate(url, url)
    assert tree.oldest() in tree.revisions()
    execute(url, f"UPDATE {table} SET version_num = 'later_0099'")
    await check(url)
    with pytest.raises(SchemaError, match=r"newer.*later_0099"):
        migrate(url, url)
    execute(url, f"COMMENT ON TABLE {table} IS 'later_0099'")
    with pytest.raises(SchemaError, match=r"newer.*later_0099") as caught:
        await check(url)
    assert "rich-agent" in caught.value.hint


@pytest.mark.costs("it migrates in processes of their own, or all the way")
async def test_migrate_works_once_for_several_processes(empty_database_url: str) -> None:
    """Four at once: none fails, and each revision is applied by one of them."""
    url = empty_database_url
    ready = forks().Barrier(4, timeout=60)
    with ProcessPoolExecutor(4, forks(), initializer=ready.wait) as processes:
        applied = list(processes.map(migrate, [url] * 4, [url] * 4, timeout=120))
    assert sorted(revision for of_one in applied for revision in of_one) == sorted(ALL_REVISIONS)
    await check(url)


# What check_schema refuses


@pytest.mark.req("MEM-2")
async def test_check_schema_refuses_missing_tables(empty_database_url: str) -> None:
    """The error says what to run."""
    with pytest.raises(SchemaError, match="no tables") as caught:
        await check(empty_database_url)
    assert "rich-agent migrate" in caught.value.hint


@pytest.mark.req("MEM-2")
@pytest.mark.parametrize("tree", [APP, RAG], ids=lambda tree: tree.package)
async def test_check_schema_refuses_older_tables(database_url: str, tree: SchemaTree) -> None:
    """The error names both revisions and what to run."""
    older, newest = tree.revisions()[-2:]
    execute(database_url, f"UPDATE {tree.version_table} SET version_num = '{older}'")
    with pytest.raises(SchemaError, match=f"older.*{older}.*{newest}") as caught:
        await check(database_url)
    assert "rich-agent migrate" in caught.value.hint


# What migrate says when it cannot


def test_migrate_says_that_the_database_is_away(tmp_path: Path) -> None:
    """The address is named, and no password."""
    url = f"postgresql://ann:sesame@/none?host={tmp_path}"
    with pytest.raises(DatabaseUnavailableError, match=str(tmp_path)) as caught:
        migrate(url, url)
    assert "sesame" not in str(caught.value)


def test_migrate_says_that_an_address_cannot_be_read() -> None:
    """A slash in the password is named as the cause, and not shown."""
    url = "postgresql://ann:ses/ame@[db/none"
    with pytest.raises(DatabaseUnavailableError, match="cannot be read") as caught:
        migrate(url, url)
    assert "ame" not in str(caught.value.explain()).replace("NAME", "")


def test_migrate_says_that_a_table_is_in_use(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A locked table is not waited for forever, and nothing is left half done."""
    monkeypatch.setattr("rich_agent.repositories.database.migration._LOCK_TIMEOUT", "100ms")
    monkeypatch.setenv("DATABASE_URL", database_url)
    with psycopg.connect(database_url) as holder:
        holder.execute("LOCK TABLE alembic_version_app")
        with pytest.raises(SchemaError, match="in use"):
            migrate(database_url, database_url)
    assert migrate(database_url, database_url) == []


REMEMBERED_TASKS = """
INSERT INTO store (prefix, key, value) VALUES
    ('users.42', 'tasks', '{"items": [
        {"text": "Pay", "request_id": "r1", "updated_at": "2026-01-02T03:04:05+00:00",
         "due": "2026-02-01", "about": "wife", "holds": "planned", "mood": "?"},
        {"text": "Call Ann", "request_id": "", "updated_at": "?", "due": "soon"}
    ]}'),
    ('users.4', 'tasks', '{"items": []}'),
    ('users.7', 'tasks', '{}'),
    ('users.8', 'facts', '{"items": [{"text": "Lives in Oslo"}]}')
"""


@pytest.mark.req("MEM-4")
def test_remembered_tasks_survive_the_move_to_their_own_table(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is a task with all that was known of it, and the way back keeps it in the memory."""
    url = empty_database_url
    monkeypatch.setenv("DATABASE_URL", url)
    config = Config(ROOT / "alembic.ini", ini_section="app")
    command.upgrade(config, "app_0022")
    execute(url, REMEMBERED_TASKS)
    stored = "SELECT prefix, value FROM store WHERE key = 'tasks' ORDER BY prefix"
    with psycopg.connect(url) as connection:
        before = connection.execute(stored).fetchall()
    migrate(url, url)
    with psycopg.connect(url) as connection:
        tasks = connection.execute(
            "SELECT user_id, title, due_date::text, memory ->> 'about', memory ->> 'mood',"
            " created_at = '2026-01-02T03:04:05Z' FROM tasks ORDER BY id"
        ).fetchall()
        numbered = connection.execute(stored).fetchall()
    assert tasks == [
        (42, "Pay", "2026-02-01", "wife", "?", True),
        (42, "Call Ann", None, None, None, False),
    ]
    assert [item["task_id"] for _, value in numbered for item in value.get("items", ())] == [1, 2]
    command.downgrade(config, "app_0022")
    with psycopg.connect(url) as connection:
        assert connection.execute(stored).fetchall() == before
    migrate(url, url)


@pytest.mark.req("MEM-6")
def test_archived_turns_are_analysed_by_the_rules_of_now(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Older turns have their new terms; a change of the rules needs a migration of its own."""
    url = empty_database_url
    monkeypatch.setenv("DATABASE_URL", url)
    config = Config(ROOT / "alembic.ini", ini_section="app")
    command.upgrade(config, "app_0037")
    execute(
        url,
        "INSERT INTO turn_archive (user_id, thread_id, request_id, question, answer, asked_at)"
        " VALUES (42, 'tg:42', 'r1', 'ما هي عاصمة العراق؟', 'بغداد', now())",
    )
    command.upgrade(config, "app_0050")
    execute(
        url,
        "INSERT INTO turn_archive (user_id, thread_id, request_id, question, answer, asked_at)"
        " VALUES (42, 'tg:42', 'r2', 'Thủ đô của Việt Nam là gì?', 'Hà Nội', now())",
    )
    migrate(url, url)
    texts = ("ما هي عاصمة العراق؟ بغداد", "Thủ đô của Việt Nam là gì? Hà Nội")
    counts = list(map(term_counts, texts))
    expected = [SparseVector(impacts(one), TERM_SPACE).to_text() for one in counts]
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT terms, impacts = (%s::text[])[id]::sparsevec, vector_space"
            " FROM turn_archive ORDER BY id",
            (expected,),
        ).fetchall()
    assert rows == [(sorted(one), True, "") for one in counts]
    revisions = ScriptDirectory.from_config(config).walk_revisions()
    analysed = max(getattr(revision.module, "ANALYSIS_VERSION", 0) for revision in revisions)
    assert analysed == ANALYSIS_VERSION


@pytest.mark.costs("it migrates in processes of their own, or all the way")
@pytest.mark.parametrize("url", ["", "postgresql://127.0.0.1:9/nothing"])
def test_alembic_says_in_words_why_it_cannot_work(url: str) -> None:
    """As `rich-agent migrate` does, and without a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "alembic", "-n", "app", "current"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": url},
    )
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "Traceback" not in said
    assert ("PostgreSQL at 127.0.0.1:9" if url else "DATABASE_URL: is missing") in said


def test_pages_without_text_of_stored_files_become_their_inventory(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of before keeps its count, there and back; one that was read whole has none."""
    url = empty_database_url
    monkeypatch.setenv("DATABASE_URL", url)
    config = Config(ROOT / "alembic.ini", ini_section="rag")
    command.upgrade(config, "rag_0022")
    execute(
        url,
        "INSERT INTO user_files (user_id, thread_id, name, media_type, size_bytes, sha256, ref,"
        " tokens, unread_pages) SELECT 42, 'tg:42', 'a.pdf', 'application/pdf', 1, pages::text,"
        " 'ref', 1, pages FROM (VALUES (0), (3)) AS file (pages)",
    )
    command.upgrade(config, "rag_0023")
    with psycopg.connect(url) as connection:
        stored = connection.execute("SELECT inventory FROM user_files ORDER BY sha256").fetchall()
    assert [Inventory.from_json(inventory).unread for (inventory,) in stored] == [{}, {"page": 3}]
    command.downgrade(config, "rag_0022")
    with psycopg.connect(url) as connection:
        before = connection.execute("SELECT unread_pages FROM user_files ORDER BY sha256")
        assert before.fetchall() == [(0,), (3,)]
