"""An upgrade with data: what the program of before features stored is there afterwards."""

import json
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

from tests.acceptance.test_commands import command as give_command
from tests.acceptance.test_commands import press
from tests.acceptance.test_my_data import rows_naming
from tests.acceptance.test_upgrade import need_history, program_of
from tests.acceptance.test_wheel import bot_of, run
from tests.acceptance.world import World, command, environment, running_bot, running_sandbox
from tests.database import PostgresServer

BEFORE_FEATURES = "eddb172511291caa11857c49a918e9870761f265"
USER = 71_042
WORD = "zanzibar"
COLUMNS = """
SELECT c.table_name, c.column_name, c.udt_name, c.is_nullable = 'NO' AS is_needed,
    (SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''::text') FROM pg_constraint
     WHERE conrelid = c.table_name::regclass AND contype = 'c'
        AND pg_get_constraintdef(oid) LIKE 'CHECK ((' || c.column_name || ' = ANY%%') AS choice
FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
    AND (c.column_default IS NULL OR c.column_default ~ '^nextval')
"""
"""Those that a row has to give, or may; `choice` is the first word that a check admits."""
DAY, TIME = "2036-01-02", "03:04:05"
VALUES: dict[str, object] = {
    **dict.fromkeys(("int4", "int8"), 1000),
    **dict.fromkeys(("int2", "float4", "float8"), 1),
    "_int4": [1000],
    "_int8": [1000],
    **dict.fromkeys(("text", "varchar"), WORD),
    **dict.fromkeys(("timestamp", "timestamptz"), f"{DAY} {TIME}+00"),
    "_text": [WORD],
    "bool": False,
    "bytea": b"zanzibar",
    "_bytea": [b"zanzibar"],
    "date": DAY,
    "time": TIME,
    "jsonb": "{}",
}
"""By type; what is due is due long after the test."""
OWN = {
    **dict.fromkeys(("telegram_user_id", "user_id", "admin_id"), USER),
    "thread_id": f"tg:{USER}",
    "ends_at": f"{DAY} 23:00",
    "tz": "UTC",
    "time_zone": "UTC",
    "is_allowed": True,
    "locale": "en",
    "deleted_at": None,
    "conflict": None,
}
OF_THE_CORE = re.compile(
    "alembic|checkpoint|store|vector_|telegram_|run|attempts|clarif|rag_|operator"
)
"""Tables that hold work of the bot, or no user's rows; none of them moved."""
DUE_NOW = {"pending_lessons"}
"""Tables whose rows are due work now; tests/integration/test_due_work_upgrade.py follows them."""


def tables_in(url: str) -> dict[str, list[dict[str, Any]]]:
    """The columns of each table that a row can give."""
    tables: dict[str, list[dict[str, Any]]] = {}
    with psycopg.connect(url, row_factory=dict_row) as connection:
        for column in connection.execute(COLUMNS):
            tables.setdefault(column["table_name"], []).append(column)
    return tables


def fill(url: str, tables: dict[str, list[dict[str, Any]]]) -> None:
    """Insert a row of the user into each table, after those that it refers to."""
    left = dict(tables)
    with psycopg.connect(url, autocommit=True) as connection:
        while left:
            filled = {name for name, columns in left.items() if _insert(connection, name, columns)}
            assert filled, f"no row fits {sorted(left)}"
            left = {name: columns for name, columns in left.items() if name not in filled}


def _insert(connection: psycopg.Connection[Any], table: str, columns: list[dict[str, Any]]) -> bool:
    """Insert a row with as many values as the table takes: all, or those that it needs."""
    row = {
        name: OWN.get(name, one["choice"] or VALUES[one["udt_name"]])
        for one in columns
        if (name := one["column_name"]) and one["udt_name"] in VALUES
    }
    needed = {one["column_name"] for one in columns if one["is_needed"]}
    for names in (row.keys(), row.keys() & needed):
        statement = sql.SQL("INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE VALUES ({})").format(
            sql.Identifier(table),
            sql.SQL(", ").join(map(sql.Identifier, names)),
            sql.SQL(", ").join(sql.Placeholder() * len(names)),
        )
        try:
            connection.execute(statement, [row[name] for name in names])
        except psycopg.errors.IntegrityError:
            continue
        return True
    return False


def row_in(url: str, table: str) -> dict[str, Any]:
    """The one row of a table."""
    with psycopg.connect(url, row_factory=dict_row) as connection:
        query = sql.SQL("SELECT * FROM {}").format(sql.Identifier(table))
        (row,) = connection.execute(query).fetchall()
    return row


def export_of(world: World) -> dict[str, str]:
    """The parts of what the user gets of `/export`, but for its times."""
    give_command(world, USER, "/export")
    messages = world.sandbox.chat(USER)["messages"]
    document = [one["document"] for one in messages if one.get("document")][-1]
    file = world.sandbox.http.get(f"{world.sandbox.url}{document['url']}")
    parts = dict(json.loads(file.content))
    del parts["exported_at"], parts["profile"]["last_seen_at"]
    parts["profile"].pop("speech", None)
    for day in parts["usage"]:
        assert not day.pop("cache_write_tokens", 0), "none were counted before"
    for session in parts["web_sessions"]:
        assert not session.pop("provider", ""), "nobody signed in with one before"
    return {name: str(part) for name, part in parts.items()}


@pytest.mark.costs("it starts programs of two versions")
def test_rows_of_before_features_outlive_the_upgrade(
    database_server: PostgresServer, tmp_path: Path
) -> None:
    """A row in each table of a user's things: kept, exported as before, and forgotten."""
    need_history()
    before = program_of(BEFORE_FEATURES, tmp_path)
    with running_sandbox() as sandbox, database_server.database() as url:
        world = World(sandbox, environment(sandbox.url, url), url)
        run(before / "rich-agent", "migrate", env=world.environment)
        old = {name: of for name, of in tables_in(url).items() if not OF_THE_CORE.match(name)}
        fill(url, old)
        with bot_of(before, world.environment, tmp_path / "log"):
            exported = export_of(world)
        assert WORD in exported.pop("to_be_learned")
        rows = {table: row_in(url, table) for table in old}
        speech, rows["users"]["speech"] = rows["users"]["speech"], None
        command(["rich_agent.cli", "migrate"], world.environment)
        assert old.keys() - tables_in(url).keys() == DUE_NOW
        for table in old.keys() - DUE_NOW:
            row = row_in(url, table)
            assert row == {name: rows[table].get(name, row[name]) for name in row}, table
        with running_bot(world.environment):
            parts = export_of(world)
            assert WORD in parts["due_work"]
            assert speech in parts["voice_choices"]
            assert parts.items() >= exported.items()
            question = give_command(world, USER, "/forget")
            press(world, USER, question, "Yes, delete everything")
            assert rows_naming(world, str(USER)).keys() == {"access_list"}, "an admin's decision"
