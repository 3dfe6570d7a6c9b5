"""Tokens for programs of the benches, stored as the feature of tokens stores them."""

from rich_agent.domain.secrets import make_secret
from rich_agent.domain.tokens import SCOPES, hash_token
from rich_agent.repositories.database.pools import Pool

_INSERT = "INSERT INTO api_tokens (token_hash, user_id, name, scopes) VALUES (%s, %s, 'bench', %s)"


async def make_token(pool: Pool, user_id: int) -> str:
    """A new token of a user, with all scopes."""
    token = make_secret("ra_")
    async with pool.connection() as connection:
        await connection.execute(_INSERT, (hash_token(token), user_id, list(SCOPES)))
    return token
