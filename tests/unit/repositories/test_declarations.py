"""Declarations of tables: which tables lack one, and which are wrong."""

import pytest
from sqlalchemy import BigInteger, Column, ForeignKey, MetaData, Table, Text

from rich_agent.ports.user_data import NobodysData, UserData
from rich_agent.repositories.tables.declarations import (
    APPLICATION,
    DOCUMENTS,
    undeclared,
    user_tables,
)

NOBODYS = NobodysData("the operator's")


def table_of(column: str, info: dict[str, object] | None = None) -> MetaData:
    """A table with a column of a package's own."""
    metadata = MetaData()
    Table("links", metadata, Column("id", BigInteger, primary_key=True), Column(column, Text),
        info=info or {})  # fmt: skip
    return metadata


@pytest.mark.req("MEM-3")
def test_every_table_that_names_a_user_is_declared() -> None:
    """Each says how its rows are forgotten, or why they are nobody's."""
    assert [table.name for table in undeclared([*APPLICATION, *DOCUMENTS])] == []
    assert len(list(user_tables([*APPLICATION, *DOCUMENTS]))) > 30


@pytest.mark.parametrize(
    "column", ["user_id", "telegram_user_id", "admin_id", "chat_id", "thread_id", "prefix"]
)
def test_table_that_names_a_user_has_to_be_declared(column: str) -> None:
    """With its columns, or with the reason why it holds nothing of the user's."""
    assert [table.name for table in undeclared([table_of(column)])] == ["links"]
    for info in (UserData(user=column).info, NOBODYS.info):
        assert list(undeclared([table_of(column, info)])) == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (UserData(user="user"), "no column user"),
        (UserData(text=("url", "title")), "no column title, url"),
        (UserData(exported=("id AS link_id", "at AS time")), "no column at"),
        (UserData(exported=("id",), formats={"at": "HH24"}), "exports no time at"),
        (UserData(exported=("id",), formats={"id": "HH24"}), "exports no time id"),
        (UserData(parent="links"), "no foreign key with ON DELETE CASCADE to links"),
        (UserData(looked_up={"page": ("user_id", "pages", "name")}), "does not lead to pages.name"),
    ],
)
def test_declaration_of_what_is_not_there_is_refused(data: UserData, problem: str) -> None:
    """Before anything is recorded, since a statement with it would fail at each /forget."""
    with pytest.raises(ValueError, match=problem):
        list(user_tables([table_of("user_id", data.info)]))


def test_child_is_declared_by_its_parent() -> None:
    """Its rows go with those that they belong to."""
    metadata = table_of("user_id", UserData(user="user_id").info)
    Table("visits", metadata,
        Column("link_id", BigInteger, ForeignKey("links.id", ondelete="CASCADE"), primary_key=True),
        info=UserData(parent="links").info)  # fmt: skip
    assert [one.name for one in user_tables([metadata])] == ["links", "visits"]
