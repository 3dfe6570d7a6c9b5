"""All tables of both databases, with the declarations of the rows that belong to users.

Importing it loads SQLAlchemy, so processes that serve do not: they read from the database what a
migration recorded, see `repositories/database/user_tables.py`.
"""

from collections.abc import Iterable, Iterator

from sqlalchemy import DateTime, MetaData, Table

from rich_agent.ports.user_data import KEY, NobodysData, UserData, UserTable
from rich_agent.repositories.tables import (
    actions,
    changed_settings,
    connected_sources,
    conversations,
    decisions,
    documents,
    due_work,
    guided_sessions,
    images,
    langgraph,
    memory,
    people,
    programs,
    records,
    rights,
    telegram,
    usage,
    user_files,
)

# Users come last, since conversations hang on them. Lessons come before the memory, so that a task
# that is learning from one finds it gone.
APPLICATION = (
    *(telegram.metadata, due_work.metadata, actions.metadata, programs.metadata),
    *(langgraph.metadata, memory.metadata, guided_sessions.metadata),
    *(usage.metadata, conversations.metadata),
    *(people.metadata, changed_settings.metadata, records.application),
)
"""The tables of the application, in the order in which a user's rows are deleted."""
DOCUMENTS = (
    *(images.metadata, decisions.metadata, rights.metadata, connected_sources.metadata),
    *(documents.metadata, user_files.metadata, records.documents),
)
"""The tables of documents, in the order in which a user's rows are deleted."""
_USER_COLUMNS = {"admin_id", "chat_id", "thread", "thread_id", "prefix", "owner_id"}


def user_tables(metadata: Iterable[MetaData]) -> Iterator[UserTable]:
    """The tables that declare which user their rows belong to, or how the rows age.

    Raises: ValueError if a declaration names a column or a table that does not exist.
    """
    for table in tables_of(metadata):
        data = table.info.get(KEY)
        if isinstance(data, UserData):
            _check(table, data)
            yield UserTable(table.name, tuple(table.primary_key.columns.keys()), data)


def tables_of(metadata: Iterable[MetaData]) -> Iterator[Table]:
    """The tables, in the order of their declaration."""
    for one in metadata:
        yield from one.tables.values()


def _check(table: Table, data: UserData) -> None:
    unknown = data.columns - set(table.columns.keys())
    if unknown:
        raise ValueError(f"{table.name} has no column {', '.join(sorted(unknown))}")
    parents = {
        key.column.table.name
        for key in table.foreign_keys
        if (key.ondelete or "").upper() == "CASCADE"
    }
    if data.parent and data.parent not in parents:
        raise ValueError(f"{table.name} has no foreign key with ON DELETE CASCADE to {data.parent}")
    time_columns = {
        name for name, column in table.columns.items() if isinstance(column.type, DateTime)
    }
    exported_time_names = {name for name, column in data.sections.items() if column in time_columns}
    if unknown_formats := data.formats.keys() - exported_time_names:
        raise ValueError(f"{table.name} exports no time {', '.join(sorted(unknown_formats))}")
    for column, other_table, value_column in data.looked_up.values():
        keys = (key for key in table.foreign_keys if key.parent.name == column)
        target = next((key.column for key in keys if key.column.table.name == other_table), None)
        if target is None or target.name != "id" or value_column not in target.table.columns:
            raise ValueError(
                f"{table.name}.{column} does not lead to {other_table}.{value_column} by an id"
            )


def undeclared(metadata: Iterable[MetaData]) -> Iterator[Table]:
    """The tables with a column that names a user, but without a declaration for it."""
    for table in tables_of(metadata):
        is_declared = isinstance(table.info.get(KEY), UserData | NobodysData)
        if not is_declared and any(map(_names_user, table.columns.keys())):
            yield table


def _names_user(column: str) -> bool:
    return column in _USER_COLUMNS or column.endswith("user_id")
