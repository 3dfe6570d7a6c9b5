"""Leaves an update only one more attempt, from a process whose event loop is blocked."""

import psycopg

from rich_agent.ports.inbox import InboxRules

_CONNECT_S = 3
_MARK = """
UPDATE telegram_inbox SET attempts = greatest(attempts, %s), last_error = %s
WHERE bundle_id = %s AND done_at IS NULL AND dead_at IS NULL
"""
STOOD_STILL = "the process stood still"


def leave_last_attempt(database_url: str, update_id: int) -> None:
    """Let the bundle that begins with this update be tried only once more.

    Raises: psycopg.Error when the database cannot be reached within seconds.
    """
    with psycopg.connect(
        database_url,
        autocommit=True,
        connect_timeout=_CONNECT_S,
        options="-c statement_timeout=2s -c lock_timeout=2s",
    ) as connection:
        connection.execute(_MARK, (InboxRules().max_attempts - 1, STOOD_STILL, update_id))
