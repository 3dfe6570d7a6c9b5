"""Errors of PostgreSQL that fail everybody, and those of a single statement."""

import psycopg
import pytest
from psycopg_pool import PoolTimeout

from rich_agent.repositories.database.outages import is_outage


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("53100", True),  # disk_full
        ("53200", True),  # out_of_memory
        ("53300", True),  # too_many_connections
        ("53400", False),  # configuration_limit_exceeded
        ("57P01", True),  # admin_shutdown
        ("57P03", True),  # cannot_connect_now
        ("57014", False),  # query_canceled
        ("58030", True),  # io_error
        ("25006", True),  # read_only_sql_transaction
        ("08006", True),  # connection_failure
        ("40P01", False),  # deadlock_detected
        ("55P03", False),  # lock_not_available
    ],
)
def test_is_outage_goes_by_the_class_of_the_error(state: str, *, expected: bool) -> None:
    """Whatever the words are."""
    assert is_outage(psycopg.errors.lookup(state)("some words")) is expected


@pytest.mark.parametrize("error", [psycopg.OperationalError("gone"), PoolTimeout(), TimeoutError()])
def test_is_outage_holds_for_an_error_of_the_connection(error: Exception) -> None:
    """The server has not answered, so there is no code."""
    assert is_outage(error)
