"""Who has written to the bot, in PostgreSQL."""

from rich_agent.domain.message import User
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database import Pool, checkout

_REMEMBER = """
INSERT INTO users AS known
    (telegram_user_id, username, first_name, language_code, last_seen_at)
VALUES (%s, %s, %s, %s, now())
ON CONFLICT (telegram_user_id) DO UPDATE SET
    username = excluded.username,
    first_name = excluded.first_name,
    language_code = excluded.language_code,
    last_seen_at = now(),
    blocked_at = NULL
"""


class PostgresUsers:
    """Implements `Users`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def remember(self, user: User) -> None:
        """See `Users.remember`."""
        async with checkout(self._pool) as connection:
            await connection.execute(
                _REMEMBER,
                (
                    user.telegram_user_id,
                    user.username,
                    clean_text(user.first_name),
                    user.language_code,
                ),
            )

    async def mark_blocked(self, telegram_user_id: int) -> None:
        """See `Users.mark_blocked`."""
        async with checkout(self._pool) as connection:
            await connection.execute(
                "UPDATE users SET blocked_at = coalesce(blocked_at, now()) "
                "WHERE telegram_user_id = %s",
                (telegram_user_id,),
            )
