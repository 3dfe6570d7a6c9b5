"""One suite for the users in PostgreSQL and for their twin."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import pytest

from rich_agent.domain.message import User
from rich_agent.ports.accounts import Users
from rich_agent.repositories.accounts import PostgresUsers
from rich_agent.repositories.database.pools import Pool, checkout, open_pool
from tests.twins.conversations import InMemoryUsers


@dataclass(frozen=True, slots=True)
class Register:
    """Users, and what is stored of them: by id, the user and whether they blocked the bot."""

    users: Users
    look: Callable[[], Awaitable[dict[int, tuple[User, bool]]]]


def _on_postgres(pool: Pool) -> Register:
    async def look() -> dict[int, tuple[User, bool]]:
        async with checkout(pool) as connection:
            found = await connection.execute("SELECT *, blocked_at IS NOT NULL AS gone FROM users")
            return {
                row["telegram_user_id"]: (
                    User(
                        row["telegram_user_id"],
                        row["first_name"],
                        row["username"],
                        row["language_code"],
                    ),
                    row["gone"],
                )
                async for row in found
            }

    return Register(PostgresUsers(pool), look)


def _in_memory() -> Register:
    users = InMemoryUsers()

    async def look() -> dict[int, tuple[User, bool]]:
        return {key: (user, key in users.blocked) for key, user in users.known.items()}

    return Register(users, look)


@pytest.fixture(params=["postgres", "in_memory"])
async def register(request: pytest.FixtureRequest) -> AsyncIterator[Register]:
    """Nobody is known yet."""
    if request.param == "in_memory":
        yield _in_memory()
        return
    async with open_pool(request.getfixturevalue("database_url"), max_size=2) as pool:
        yield _on_postgres(pool)


@pytest.mark.req("DUR-2")
async def test_users_remembers_a_user_once(register: Register) -> None:
    """The same user again is the same row, with the newest name."""
    await register.users.remember(User(42, "Ann", "ann", "en"))
    await register.users.remember(User(42, "Anna", None, "ja"))
    await register.users.remember(User(42, "Anna", None, "ja"))
    assert await register.look() == {42: (User(42, "Anna", None, "ja"), False)}


@pytest.mark.req("MEM-3")
async def test_users_keeps_similar_ids_apart(register: Register) -> None:
    """Ids are numbers, up to Telegram's 52 bits, and not beginnings of each other."""
    everyone = [User(4, "D"), User(42, "B"), User(420, "C"), User(2**52 - 1, "Last")]
    for user in everyone:
        await register.users.remember(user)
    await register.users.mark_blocked(42)
    stored = await register.look()
    assert [stored[user.telegram_user_id][0] for user in everyone] == everyone
    assert [key for key, (_, gone) in stored.items() if gone] == [42]


async def test_users_are_unblocked_when_they_write_again(register: Register) -> None:
    """Blocked is what was last known."""
    await register.users.remember(User(42, "Ann"))
    await register.users.mark_blocked(42)
    await register.users.mark_blocked(42)
    assert (await register.look())[42][1]
    await register.users.remember(User(42, "Ann"))
    assert not (await register.look())[42][1]


async def test_users_ignores_a_block_by_a_stranger(register: Register) -> None:
    """A person who never wrote is not made a user by blocking."""
    await register.users.mark_blocked(42)
    assert await register.look() == {}


async def test_users_takes_a_name_that_postgres_refuses(register: Register) -> None:
    """NUL and lone surrogates are dropped."""
    await register.users.remember(User(42, "A\x00n\ud800n"))
    assert (await register.look())[42][0].first_name == "Ann"
