"""Sessions of browsers for the benches, stored as the feature of the web chat stores them."""

from rich_agent.domain.secrets import make_secret
from rich_agent.domain.tokens import hash_token
from rich_agent.repositories.database.pools import Pool

_INSERT = """
INSERT INTO web_sessions (secret_hash, user_id, expires_at)
VALUES (%s, %s, clock_timestamp() + interval '1 day')
"""


async def begin_session(pool: Pool, user_id: int) -> str:
    """The secret of a new session of a user, for the cookie of the pages."""
    secret = make_secret("ras_")
    async with pool.connection() as connection:
        await connection.execute(_INSERT, (hash_token(secret), user_id))
    return secret
