"""Exports and deletes rows of users by the declarations of tables that migrations recorded.

Because the declarations are in the database, the rows of a feature that was removed are still
exported, deleted and aged, and a serving process does not have to load SQLAlchemy.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from rich_agent.domain.json_values import readable
from rich_agent.errors import SchemaError
from rich_agent.ports.memories import Erased, KeptThing
from rich_agent.ports.turns import QUESTION_OPEN_S
from rich_agent.ports.user_data import UserData, UserTable
from rich_agent.repositories.database.pools import Connection, Databases, Pool, checkout, execute
from rich_agent.repositories.database.repository import fetch_all
from rich_agent.runtime.concurrency import survived

APP_RECORD: LiteralString = "user_tables"
RAG_RECORD: LiteralString = "rag_user_tables"
"""The tables that hold the declarations of each database."""

_READ = """
SELECT name, key, declaration FROM {}
WHERE to_regclass(quote_ident(name)) IS NOT NULL ORDER BY place, name
"""
_THREADS = "({0} = %(thread_id)s OR starts_with({0}, %(thread_id)s || ':'))"
"""The condition `THREADS_OF_USER` for a column of any name."""
_OPEN_APPROVAL: LiteralString = """(
    block ->> 'kind' = 'approval' AND EXISTS (
        SELECT FROM clarifications AS asked, jsonb_array_elements(block -> 'actions') AS action
        WHERE asked.request_id = 'tg:' || split_part(action ->> 'data', ':', 2)
            AND asked.request_id <> ALL(%(requests)s::text[])
            AND answered_by IS NULL AND cancelled_at IS NULL
            AND asked_at > clock_timestamp() - make_interval(secs => {open_s})
    )
)"""
"""The condition for an approval whose question is open, and belongs to no turn that goes."""
_STAYING = {"telegram_widgets": sql.SQL(_OPEN_APPROVAL).format(open_s=sql.Literal(QUESTION_OPEN_S))}
"""Conditions for rows of caches that stay when something else is forgotten, by table."""
_PLACES = sql.Composed([sql.SQL("ctid = ANY(%(places)s::tid[])")])
_ROWS_AT_ONCE = 5_000
_DAY_S = 86_400


async def read_declarations(connection: Connection, record: LiteralString) -> list[UserTable]:
    """The declared tables that exist in a database, in the order in which to delete rows.

    Raises: SchemaError if there is none, because nothing would be exported, deleted or aged then.
    """
    rows = await fetch_all(connection, sql.SQL(_READ).format(sql.Identifier(record)))
    if not rows:
        raise SchemaError(f"{record} does not say whose rows the tables hold")
    return [
        UserTable(row["name"], tuple(row["key"]), UserData.from_json(row["declaration"]))
        for row in rows
    ]


async def export_rows(
    connection: Connection, tables: Sequence[UserTable], values: Mapping[str, Any]
) -> dict[str, list[dict[str, Any]]]:
    """The exported columns of a user's rows, by section."""
    parts: dict[str, list[dict[str, Any]]] = {}
    for table in tables:
        is_users = _of_user(table)
        if is_users is None or not table.data.exported or not table.derives("export"):
            continue
        query = sql.SQL("SELECT {} FROM {} WHERE {} ORDER BY {}").format(
            sql.SQL(", ").join(_exported_values(table)),
            sql.Identifier(table.name),
            is_users,
            _columns([table.data.order] if table.data.order else table.key),
        )
        rows = [readable(row) for row in await fetch_all(connection, query, values)]
        parts.setdefault(table.section, []).extend(rows)
    return parts


def _exported_values(table: UserTable) -> Iterator[sql.Composed]:
    for name, column in table.data.sections.items():
        if name not in table.data.looked_up:
            exported_column = _exported_column(column, table.data.formats.get(name))
            yield sql.SQL("{} AS {}").format(exported_column, sql.Identifier(name))
            continue
        key_column, other_table, value_column = table.data.looked_up[name]
        yield sql.SQL("(SELECT {} FROM {} AS other WHERE other.id = {}) AS {}").format(
            sql.Identifier("other", value_column),
            sql.Identifier(other_table),
            sql.Identifier(table.name, key_column),
            sql.Identifier(name),
        )


def _exported_column(column: str, time_format: str | None) -> sql.Composable:
    if time_format is None:
        return sql.Identifier(column)
    return sql.SQL("to_char({}, {})").format(sql.Identifier(column), sql.Literal(time_format))


async def delete_rows_of_user(
    connection: Connection, tables: Sequence[UserTable], values: Mapping[str, Any]
) -> None:
    """Delete all rows of a user, with the rows that refer to them by foreign keys."""
    for table in tables:
        is_users = _of_user(table)
        if is_users is not None and table.derives("everything"):
            await _delete(connection, table, is_users, values)


async def delete_rows_of_conversation(
    connection: Connection, tables: Sequence[UserTable], values: Mapping[str, Any]
) -> None:
    """Delete the rows of a user's conversation and of its `requests`, and the user's caches."""
    for table in tables:
        data = table.data
        if not table.derives("conversation"):
            continue
        is_users = _of_user(table)
        if data.is_cache and is_users is not None:
            await _delete(connection, table, _but_staying(table, is_users), values)
        elif data.thread:
            condition = sql.SQL("{} = %(conversation)s").format(sql.Identifier(data.thread))
            await _delete(connection, table, condition, values)
        elif data.request and data.user and not data.parent:
            condition = sql.SQL("{} AND {}").format(_is_user(data), _in_requests(data))
            await _delete(connection, table, condition, values)


async def things_in(
    connection: Connection, tables: Sequence[UserTable], values: Mapping[str, Any]
) -> list[KeptThing]:
    """The user's independent things in these tables, such as notes. Their keys are `table:key`."""
    things: list[KeptThing] = []
    for table in filter(_holds_things, tables):
        texts = [sql.Identifier(name) for name in table.data.text]
        query = sql.SQL(
            "SELECT {key} AS key, {title}::text AS title, {text} AS text FROM {table} "
            "WHERE {owned} AND {text} <> ''"
        ).format(
            key=_key_of(table),
            title=texts[0],
            text=sql.SQL("concat_ws(E'\\n', {})").format(sql.SQL(", ").join(texts)),
            table=sql.Identifier(table.name),
            owned=_of_user(table),
        )
        rows = await fetch_all(connection, query, values)
        things += [KeptThing(f"{table.name}:{row.pop('key')}", **row) for row in rows]
    return things


async def delete_things(
    connection: Connection, tables: Sequence[UserTable], erasure: Erased, values: Mapping[str, Any]
) -> None:
    """Delete the chosen things, or all; with all, also the rows that would restore them."""
    for table in tables if erasure.everything else ():
        is_users = _of_user(table)
        if table.data.goes_with_all and is_users is not None:
            await _delete(connection, table, is_users, values)
    keys_of_things = [one.partition(":") for one in erasure.things]
    for table in filter(_holds_things, tables):
        keys = [key for name, _, key in keys_of_things if name == table.name]
        condition = sql.SQL("{} AND (%(everything)s OR {} = ANY(%(keys)s))").format(
            _of_user(table), _key_of(table)
        )
        await _delete(connection, table, condition, {**values, "keys": keys})


async def delete_records_of_turns(
    connection: Connection,
    tables: Sequence[UserTable],
    values: Mapping[str, Any],
    tells: Callable[[Mapping[str, Any]], bool],
) -> None:
    """Delete the rows of the turns `requests`, the rows of caches, and rows that `tells`.

    `tells` gets a row's turns (`requests`) and its texts (`texts`); it returns true if the row
    repeats erased words and belongs to no turn that stays.
    """
    for table in tables:
        data = table.data
        is_users = _of_user(table)
        if is_users is None or not table.derives("thing"):
            continue
        if data.is_cache:
            await _delete(connection, table, _but_staying(table, is_users), values)
            await _delete_staying(connection, table, values, tells)
        if not data.request:
            continue
        goes = sql.SQL("{} AND (%(everything)s OR {})").format(is_users, _in_requests(data))
        await _delete(connection, table, goes, values)
        if data.text:
            rows = await _records(connection, table, is_users, values)
            places = [row["place"] for row in rows if tells(row)]
            await _delete(connection, table, _PLACES, {"places": places})


async def _delete_staying(
    connection: Connection,
    table: UserTable,
    values: Mapping[str, Any],
    tells: Callable[[Mapping[str, Any]], bool],
) -> None:
    """Delete those of the user's staying rows that repeat erased words."""
    if table.name not in _STAYING:
        return
    query = sql.SQL("SELECT ctid::text AS place, to_jsonb(kept) AS texts FROM {} AS kept WHERE {}")
    query_of_user = query.format(sql.Identifier(table.name), _of_user(table))
    rows = await fetch_all(connection, query_of_user, values)
    places = [row["place"] for row in rows if tells({"requests": (), "texts": row["texts"]})]
    await _delete(connection, table, _PLACES, {"places": places})


def _but_staying(table: UserTable, is_users: sql.Composed) -> sql.Composed:
    """The condition for rows of a cache that go when something else is forgotten."""
    if table.name not in _STAYING:
        return is_users
    return sql.SQL("{} AND NOT {}").format(is_users, _STAYING[table.name])


@dataclass(frozen=True, slots=True)
class AgedRows:
    """Deletes expired rows of both databases.

    `conversation_days` is how long conversations are kept, None for forever.
    """

    databases: Databases
    conversation_days: float | None

    async def prune(self, days: float) -> int:
        """Delete expired rows and return their number; `days` is how long operations are kept.

        Raises: DatabaseUnavailableError.
        """
        terms = {"operations": days, "conversation": self.conversation_days, "for good": None}
        count = 0
        for pool, record in ((self.databases.app, APP_RECORD), (self.databases.rag, RAG_RECORD)):
            async with checkout(pool) as connection:
                tables = await read_declarations(connection, record)
            for table in tables:
                period = table.data.kept
                term = terms.get(period) if isinstance(period, str) else period
                if table.data.ages and table.derives("age") and term is not None:
                    with survived("rows.not_aged", psycopg.Error):
                        count += await _prune(pool, table, term)
        return count


async def _prune(pool: Pool, table: UserTable, days: float) -> int:
    """Delete old rows and return their number; work in steps, so that locks stay short."""
    values: dict[str, Any] = {"term_s": days * _DAY_S}
    conditions = [
        sql.SQL("least({}) < clock_timestamp() - make_interval(secs => %(term_s)s)").format(
            _columns(table.data.ages)
        )
    ]
    for position, (column, end_values) in enumerate(table.data.ended.items()):
        values[f"ended{position}"] = list(end_values)
        conditions.append(
            sql.SQL("{} = ANY({})").format(
                sql.Identifier(column), sql.Placeholder(f"ended{position}")
            )
        )
    statement = sql.SQL(
        "DELETE FROM {table} WHERE ctid = ANY(ARRAY("
        "SELECT ctid FROM {table} WHERE {conditions} LIMIT {most}))"
    ).format(
        table=sql.Identifier(table.name),
        conditions=sql.SQL(" AND ").join(conditions),
        most=sql.Literal(_ROWS_AT_ONCE),
    )
    count = 0
    while True:
        step = (await execute(pool, statement, values)).rowcount
        count += step
        if step < _ROWS_AT_ONCE:
            return count


async def _delete(
    connection: Connection, table: UserTable, condition: sql.Composed, values: Mapping[str, Any]
) -> None:
    statement = sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table.name), condition)
    await connection.execute(statement, values)


async def _records(
    connection: Connection, table: UserTable, is_users: sql.Composed, values: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The turns and texts of a user's rows, which are locked so that `place` stays valid."""
    query = sql.SQL(
        "SELECT ctid::text AS place, to_jsonb({}) AS requests, jsonb_build_array({}) AS texts "
        "FROM {} WHERE {} FOR UPDATE"
    ).format(
        sql.Identifier(table.data.request),
        _columns(table.data.text),
        sql.Identifier(table.name),
        is_users,
    )
    rows = await fetch_all(connection, query, values)
    return [{**row, "requests": set(_as_texts(row["requests"]))} for row in rows]


def _as_texts(value: object) -> Iterator[str]:
    yield from value if isinstance(value, list) else [str(value)]


def _holds_things(table: UserTable) -> bool:
    data = table.data
    is_listed = bool(data.text) and not data.request
    return is_listed and table.derives("thing") and _of_user(table) is not None


def _of_user(table: UserTable) -> sql.Composed | None:
    """The condition for a user's rows; None if they are only known by rows of another table."""
    data = table.data
    if data.user:
        return _is_user(data)
    if data.thread:
        return sql.SQL(_THREADS).format(sql.Identifier(data.thread))
    if data.prefix:
        return sql.SQL("{} = %(prefix)s").format(sql.Identifier(data.prefix))
    return None


def _is_user(data: UserData) -> sql.Composed:
    return sql.SQL("{} = %(user_id)s").format(sql.Identifier(data.user))


def _in_requests(data: UserData) -> sql.Composed:
    """The condition that a column, of one turn or a list, names one of the turns `requests`."""
    return sql.SQL("to_jsonb({}) ?| %(requests)s::text[]").format(sql.Identifier(data.request))


def _key_of(table: UserTable) -> sql.Composed:
    return sql.SQL("concat_ws('/', {})").format(_columns(table.key))


def _columns(names: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))
