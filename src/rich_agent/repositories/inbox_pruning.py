"""Forgets updates that are done: by their age, and those that got no answer after a day."""

from rich_agent.repositories.database import Pool
from rich_agent.repositories.pruning import prune_in_steps

_PRUNE = """
DELETE FROM telegram_inbox WHERE update_id IN (
    SELECT update_id FROM telegram_inbox
    WHERE done_at < clock_timestamp() - make_interval(secs => %s * 86400)
    LIMIT %s
)
"""

# As long as Telegram may repeat it. Who may use the bot is in `users`.
_PRUNE_UNANSWERED = """
DELETE FROM telegram_inbox WHERE update_id IN (
    SELECT update_id FROM telegram_inbox
    WHERE done_at < clock_timestamp() - make_interval(secs => least(%s, 1) * 86400)
        AND (over_cap OR NOT EXISTS (SELECT FROM users WHERE telegram_user_id = user_id))
    LIMIT %s
)
"""


async def prune_updates(pool: Pool, days: float) -> int:
    """Forget updates that were done more than `days` ago; how many."""
    unanswered = await prune_in_steps(pool, _PRUNE_UNANSWERED, days)
    return unanswered + await prune_in_steps(pool, _PRUNE, days)
