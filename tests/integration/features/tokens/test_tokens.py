"""Tokens in PostgreSQL, and what they open over HTTP."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

import httpx
import pytest
from starlette.applications import Starlette

from rich_agent.domain.access import Access
from rich_agent.domain.secrets import make_secret
from rich_agent.domain.tokens import Scope
from rich_agent.features.tokens.bearer_tokens import PATH, BearerTokens, token_check
from rich_agent.features.tokens.records import MOST_TOKENS, PREFIX, NewApiToken
from rich_agent.features.tokens.repository import PostgresApiTokens
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.pools import Pool, open_pool, open_pools
from rich_agent.repositories.database.user_tables import AgedRows
from rich_agent.web.access import Gate, RateLimit
from rich_agent.web.routes import guard
from tests.integration.catalogue import execute, read

ME, OTHER = 42, 43


@dataclass(frozen=True, slots=True)
class Programs:
    """Programs at the route that describes a token, and the stored tokens."""

    pool: Pool
    tokens: PostgresApiTokens

    async def token(self, user_id: int = ME, *scopes: Scope, days: float | None = None) -> str:
        """A new token."""
        lasts = timedelta(days=days) if days else None
        token = await self.tokens.make(NewApiToken(user_id, "n", scopes or ("chat",), lasts))
        assert token is not None
        return token

    async def get(self, authorization: str | None) -> httpx.Response:
        """The answer to a program with this header."""
        gate = Gate((BearerTokens(self.tokens),), Access().permits, RateLimit(50), RateLimit(50))
        app = Starlette(routes=list(guard([token_check()], gate)))
        headers = [(b"Authorization", authorization.encode())] if authorization else []
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://bot"
        ) as http:
            return await http.get(PATH, headers=headers)

    async def status(self, token: str) -> int:
        """The status of the answer to a program with this token."""
        return (await self.get(f"Bearer {token}")).status_code


@pytest.fixture
async def programs(database_url: str) -> AsyncIterator[Programs]:
    """Everybody may use the bot."""
    async with open_pool(database_url, max_size=3) as pool:
        yield Programs(pool, PostgresApiTokens(pool))


async def test_token_tells_whose_it_is_and_what_it_opens(programs: Programs) -> None:
    """In a header whose scheme has any case."""
    token = await programs.token(OTHER, "knowledge")
    answer = await programs.get(f"bearer  {token} ")
    assert answer.json() == {"user_id": OTHER, "scopes": ["knowledge"]}


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "missing_token"),
        ("Bearer", "invalid_token"),
        ("Bearer sk-another-kind-of-key", "invalid_token"),
        ("Basic dXNlcjpwYXNz", "invalid_token"),
        (f"Bearer ra_{'a' * 43}", "invalid_token"),
        ("Bearer ra_" + "é" * 43, "invalid_token"),
    ],
    ids=["none", "empty", "another-kind", "another-scheme", "unknown", "not-ascii"],
)
async def test_request_without_a_token_that_works_is_told_how_to_get_one(
    programs: Programs, header: str | None, code: str
) -> None:
    """401 with the command that makes a token."""
    answer = await programs.get(header)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (401, code)
    assert "rich-agent tokens add" in error["message"]


async def test_token_that_was_revoked_or_has_expired_opens_nothing(
    programs: Programs, database_url: str
) -> None:
    """At once, also if it worked before."""
    revoked, expired = await programs.token(), await programs.token(days=1)
    assert [await programs.status(token) for token in (revoked, expired)] == [200, 200]
    for one in await programs.tokens.all_of(ME):
        if one.expires_at is None:
            assert await programs.tokens.revoke(one.id)
            assert not await programs.tokens.revoke(one.id)
    execute(database_url, "UPDATE api_tokens SET expires_at = now() - interval '1 s'")
    assert [await programs.status(token) for token in (revoked, expired)] == [401, 401]


async def test_token_of_another_user_is_not_revoked(programs: Programs) -> None:
    """Whoever names its id."""
    token = await programs.token(OTHER)
    (record,) = await programs.tokens.all_of(OTHER)
    assert not await programs.tokens.revoke(record.id, ME)
    assert await programs.status(token) == 200


async def test_token_has_the_rights_of_its_user(programs: Programs) -> None:
    """The access list counts from the next request on."""
    token, accounts = await programs.token(), PostgresAccounts(programs.pool)
    for is_allowed, status in ((False, 403), (True, 200)):
        await accounts.set_access(ME, is_allowed=is_allowed, by=None)
        assert await programs.status(token) == status


async def test_token_notes_when_it_was_used_at_most_once_a_minute(
    programs: Programs, database_url: str
) -> None:
    """So that a busy program does not write with each request."""

    async def last_use() -> object:
        (record,) = await programs.tokens.all_of(ME)
        return record.last_used_at

    token = await programs.token()
    assert await last_use() is None
    await programs.tokens.holder(token)
    first = await last_use()
    await programs.tokens.holder(token)
    assert await last_use() == first
    execute(database_url, "UPDATE api_tokens SET last_used_at = now() - interval '2 min'")
    await programs.tokens.holder(token)
    (record,) = await programs.tokens.all_of(ME)
    assert record.last_used_at is not None
    assert record.last_used_at > record.created_at
    assert await programs.tokens.holder(make_secret(PREFIX)) is None


async def test_user_has_a_bounded_number_of_tokens_that_work(programs: Programs) -> None:
    """One that was revoked makes room."""
    for _ in range(MOST_TOKENS):
        await programs.token()
    assert await programs.tokens.make(NewApiToken(ME, "one more")) is None
    assert await programs.tokens.make(NewApiToken(OTHER, "theirs")) is not None
    newest, *_ = await programs.tokens.all_of(ME)
    await programs.tokens.revoke(newest.id, ME)
    assert await programs.tokens.make(NewApiToken(ME, "one more")) is not None


async def test_token_ages_from_its_first_end(database_url: str) -> None:
    """A revoked one goes long before it would have expired; one without an end stays."""
    execute(
        database_url,
        "INSERT INTO api_tokens (token_hash, user_id, name, scopes, revoked_at, expires_at) VALUES"
        " ('a', 42, 'revoked', '{}', now() - interval '9 days', now() + interval '1 year'),"
        " ('b', 42, 'open', '{}', NULL, NULL)",
    )
    async with open_pools(database_url, database_url, max_size=2) as databases:
        assert await AgedRows(databases, None).prune(8) == 1
    assert read(database_url, "SELECT name FROM api_tokens") == {("open",)}
