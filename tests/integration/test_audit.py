"""The audit: what it records, and that nobody alters it."""

from collections.abc import AsyncIterator

import psycopg
import pytest

from rich_agent.errors import RichAgentError
from rich_agent.ports.audit import AuditedChange, AuditSubject
from rich_agent.repositories.audit import PostgresAudit
from rich_agent.repositories.database.pools import open_pool


@pytest.fixture
async def audit(database_url: str) -> AsyncIterator[PostgresAudit]:
    """An empty audit."""
    async with open_pool(database_url, max_size=2) as pool:
        yield PostgresAudit(pool)


def noted(change: AuditedChange) -> RichAgentError:
    """An error of a change, of which something is noted first."""
    change.details["old"] = 1
    return RichAgentError("Not like this.")


async def test_change_is_recorded_before_and_after(audit: PostgresAudit) -> None:
    """With what was noted meanwhile, and with why it was refused or failed."""
    async with audit.change(AuditedChange(7, "a.done", "x", {"field": "v\x00"}, "owner", "::1")):
        (begun,) = await audit.page(None, 10)
        assert (begun.outcome, begun.details) == (None, {"field": "v"})
    change = AuditedChange(7, "a.refused", "x")
    with pytest.raises(RichAgentError):
        async with audit.change(change):
            raise noted(change)
    with pytest.raises(ZeroDivisionError):
        async with audit.change(AuditedChange(None, "a.failed", "x")):
            raise ZeroDivisionError
    found = [(one.action, one.outcome, one.details) for one in await audit.page(None, 10)]
    assert found == [
        ("a.failed", "failed", {"error": "ZeroDivisionError"}),
        ("a.refused", "refused", {"old": 1, "refusal": "Not like this."}),
        ("a.done", "done", {"field": "v"}),
    ]
    assert [one.action async for one in audit.all_records()] == ["a.done", "a.refused", "a.failed"]
    assert [one.action for one in await audit.page(None, 10, "7")] == ["a.refused", "a.done"]
    (newest,) = await audit.page(None, 1)
    assert [one.action for one in await audit.page(newest.id, 1)] == ["a.refused"]


async def test_changes_of_a_subject_are_told_from_those_of_its_namesakes(
    audit: PostgresAudit,
) -> None:
    """By the whole name, and by the actions that concern such a thing."""
    for action, subject in (("a.block", "7"), ("a.block", "77"), ("b.drop", "7"), ("a.add", "7 x")):
        async with audit.change(AuditedChange(7, action, subject)):
            pass
    records = await audit.page(None, 10, subject=AuditSubject("7", ("a.block", "a.add")))
    assert [(one.action, one.subject) for one in records] == [("a.add", "7 x"), ("a.block", "7")]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_records SET outcome = 'failed'",
        "UPDATE audit_records SET by_user_id = 8",
        "UPDATE audit_records SET details = '{}'",
        "DELETE FROM audit_records",
        "TRUNCATE audit_records",
    ],
)
async def test_record_cannot_be_altered(
    audit: PostgresAudit, database_url: str, statement: str
) -> None:
    """By no statement of the bot's own account."""
    async with audit.change(AuditedChange(7, "a.done", "x", {"field": "v"})):
        pass
    with (
        psycopg.connect(database_url) as connection,
        pytest.raises(psycopg.errors.RaiseException, match="neither altered nor deleted"),
    ):
        connection.execute(statement)
    (record,) = await audit.page(None, 10)
    assert (record.by, record.outcome) == (7, "done")
