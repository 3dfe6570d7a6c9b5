"""Distinguishes outages of a database from failures of a statement, by the codes of errors."""

import psycopg

_OUTAGES = ("08", "53", "57P", "58", "25006")
_FULL = ("53100", "58")
_LIMIT_OF_ONE = "53400"
"""The code of a statement that has exceeded a limit for single statements."""


def is_outage(error: Exception) -> bool:
    """Whether a temporary error affects all statements: a lost server, a full or read-only disk.

    The SQLSTATE decides; an error without one comes from the connection. Deadlocks and statements
    that took too long are no outages.

    Source: PostgreSQL, appendix A, "PostgreSQL Error Codes".
    """
    state = error.sqlstate if isinstance(error, psycopg.Error) else None
    return state is None or (state.startswith(_OUTAGES) and state != _LIMIT_OF_ONE)


def is_full(error: psycopg.Error) -> bool:
    """Whether the server's disk is full or cannot be used."""
    return (error.sqlstate or "").startswith(_FULL)
