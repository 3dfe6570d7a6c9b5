"""One suite for the private files of users in PostgreSQL and for their twin."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from rich_agent.domain.inventory import Inventory, PartCount
from rich_agent.domain.user_files import FileUnit, NewUserFile
from rich_agent.ports.user_files import MOST_FILES, UserFiles
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.knowledge.user_files import PostgresUserFiles
from tests.twins.user_files import InMemoryUserFiles

USERS = range(42, 62)
UNITS = (FileUnit("page", 1, "", "First page.", 3), FileUnit("page", 3, "Fees", "Third page.", 3))


@pytest.fixture(params=["postgres", "in_memory"])
async def files(request: pytest.FixtureRequest) -> AsyncIterator[UserFiles]:
    """Nobody has sent a file yet."""
    if request.param == "in_memory":
        yield InMemoryUserFiles()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=2) as pool:
        yield PostgresUserFiles(pool)


def sent(user_id: int = 42, **changes: Any) -> NewUserFile:
    """A file of a user, in their conversation."""
    made = NewUserFile(
        *(user_id, f"tg:{user_id}", "report.pdf", "application/pdf"),
        *(1_000, "a" * 64, "telegram-file", UNITS),
    )
    return replace(made, **changes)


async def test_user_files_come_back_with_their_text(files: UserFiles) -> None:
    """Name, size and where the bytes are; the pages in order, with their numbers."""
    inventory = Inventory((PartCount("chart", 3, 1), PartCount("page", 1)))
    stored = await files.store(sent(inventory=inventory, is_private=True))
    (found,) = await files.readable(42, "tg:42")
    assert found == stored
    assert (found.name, found.ref, found.tokens, found.units) == (
        "report.pdf",
        "telegram-file",
        6,
        2,
    )
    assert (found.inventory, found.is_kept, found.is_indexed) == (inventory, False, False)
    assert found.is_private
    again = await files.store(sent())
    assert (again.is_private, again.inventory) == (False, Inventory())
    assert await files.units(42, stored.id) == list(UNITS)


async def test_user_files_are_those_of_their_owner_alone(files: UserFiles) -> None:
    """Of twenty who sent the same file, each finds, reads, keeps and forgets their own."""
    stored = {user: await files.store(sent(user)) for user in USERS}
    ids = [file.id for file in stored.values()]
    for user in USERS:
        own, others = stored[user], [one for one in ids if one != stored[user].id]
        assert await files.find(user, ids) == [own]
        assert await files.all_of(user) == [own]
        assert await files.find_same(user, f"tg:{user}", own.sha256) == own
        assert await files.readable(user, "tg:42") == ([own] if user == 42 else [])
        assert [await files.units(user, one) for one in others] == [[]] * (len(USERS) - 1)
        assert await files.keep(user, others, kept=True) == 0
        assert await files.forget(user, others) == 0


async def test_user_files_that_are_not_kept_go_with_their_conversation(files: UserFiles) -> None:
    """A kept one can be read in every conversation of its user, and stays; all others end."""
    kept, other = await files.store(sent()), await files.store(sent(sha256="b" * 64))
    elsewhere = await files.store(sent(thread_id="tg:42:7", sha256="c" * 64))
    assert await files.keep(42, [kept.id], kept=True) == 1
    assert [file.id for file in await files.readable(42, "tg:42:7")] == [elsewhere.id, kept.id]
    await files.leave(42)
    assert [file.id for file in await files.all_of(42)] == [kept.id]
    assert await files.units(42, other.id) == await files.units(42, elsewhere.id) == []


async def test_user_files_of_the_same_content_are_one(files: UserFiles) -> None:
    """A file that is sent again gets the new name and reading, and stays kept."""
    first = await files.store(sent())
    await files.keep(42, [first.id], kept=True)
    again = await files.store(sent(name="copy.pdf", units=UNITS[:1]))
    assert (again.id, again.name, again.units, again.is_kept) == (first.id, "copy.pdf", 1, True)
    assert await files.units(42, first.id) == list(UNITS[:1])


async def test_user_files_stay_bounded(files: UserFiles) -> None:
    """The oldest make room, those that are kept last."""
    kept = await files.store(sent(sha256="kept"))
    await files.keep(42, [kept.id], kept=True)
    for number in range(MOST_FILES):
        await files.store(sent(sha256=f"{number}"))
    held = {file.sha256 for file in await files.all_of(42)}
    assert held == {"kept", *(f"{number}" for number in range(1, MOST_FILES))}


async def test_user_files_take_characters_that_postgres_refuses(files: UserFiles) -> None:
    """NUL and lone surrogates in names and texts."""
    units = (FileUnit("section", 1, "a\0b", "c\0d", 1),)
    stored = await files.store(sent(name="a\0.txt", units=units))
    assert "\0" not in stored.name
    assert "\0" not in (await files.units(42, stored.id))[0].text
