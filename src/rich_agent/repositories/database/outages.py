"""Outages of a database, told from failures of a statement by the codes of its errors."""

import psycopg

_OUTAGES = ("08", "53", "57P", "58", "25006")
_FULL = ("53100", "58")
_LIMIT_OF_ONE = "53400"
"""Of a single statement: it has used too much of something that was allotted to it."""


def is_outage(error: Exception) -> bool:
    """Whether a passing error fails everybody: a lost server, a full or a read-only disk.

    Judged by the SQLSTATE; an error that has none comes from the connection. Deadlocks and
    statements that took too long are none.
    Source: PostgreSQL, appendix A, "PostgreSQL Error Codes".
    """
    state = error.sqlstate if isinstance(error, psycopg.Error) else None
    return state is None or (state.startswith(_OUTAGES) and state != _LIMIT_OF_ONE)


def is_full(error: psycopg.Error) -> bool:
    """Whether the server has no room on its disk, or cannot use it."""
    return (error.sqlstate or "").startswith(_FULL)
