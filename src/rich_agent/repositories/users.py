"""Who has written to the bot, in PostgreSQL."""

from rich_agent.domain.message import User
from rich_agent.domain.text import clean_text
from rich_agent.repositories.database.repository import PostgresRepository

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


class PostgresUsers(PostgresRepository):
    """Implements `Users`."""

    async def remember(self, user: User) -> None:
        await self._run(
            _REMEMBER,
            (
                user.telegram_user_id,
                user.username,
                clean_text(user.first_name),
                user.language_code,
            ),
        )

    async def mark_blocked(self, telegram_user_id: int) -> None:
        await self._run(
            "UPDATE users SET blocked_at = coalesce(blocked_at, now()) WHERE telegram_user_id = %s",
            (telegram_user_id,),
        )
