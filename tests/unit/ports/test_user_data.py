"""Declarations of tables, as one line of a package and as the JSON that a database keeps."""

import json

import pytest

from rich_agent.ports.user_data import UserData

BOOKMARKS = UserData(
    user="user_id",
    thread="thread_id",
    text=("url",),
    age="at",
    ended={"status": ("done", "failed"), "is_kept": (False,)},
    kept="conversation",
    exported=("id AS bookmark_id", "url"),
)


@pytest.mark.parametrize("data", [BOOKMARKS, UserData(), UserData(parent="users", kept=7)])
def test_user_data_stays_the_same_through_json(data: UserData) -> None:
    """The record of a migration is what the package declared."""
    assert UserData.from_json(json.loads(json.dumps(data.to_json()))) == data


def test_user_data_of_a_later_version_is_read_without_what_is_new() -> None:
    """A program goes on while a newer one has migrated."""
    assert UserData.from_json({**BOOKMARKS.to_json(), "colour": "blue"}) == BOOKMARKS


def test_user_data_names_its_columns() -> None:
    """The columns by which rows are found, and the exported ones, by their own names."""
    columns = {"user_id", "thread_id", "url", "at", "status", "is_kept", "id"}
    assert BOOKMARKS.columns == columns
    assert BOOKMARKS.sections == {"bookmark_id": "id", "url": "url"}
