"""The audit in PostgreSQL, where a trigger refuses every later change of a record."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.text import clean_text
from rich_agent.errors import RichAgentError
from rich_agent.ports.audit import (
    ALL_SUBJECTS,
    AuditedChange,
    AuditRecord,
    AuditSubject,
    Outcome,
)
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.inbox.wakeups import NEWS_CHANNEL, OPERATORS

_BEGIN = """
INSERT INTO audit_records (by_user_id, role, action, subject, details, origin)
VALUES (%(by)s, %(role)s, %(action)s, %(subject)s, %(details)s, %(origin)s) RETURNING id
"""
_END = f"""
WITH ended AS (
    UPDATE audit_records SET outcome = %(outcome)s, details = %(details)s
    WHERE id = %(id)s RETURNING id
)
SELECT pg_notify('{NEWS_CHANNEL}', '{OPERATORS}') FROM ended
"""
_COLUMNS = "id, at, by_user_id AS by, role, action, subject, details, origin, outcome"
_PAGE = f"""
SELECT {_COLUMNS} FROM audit_records
WHERE (%(before)s::bigint IS NULL OR id < %(before)s)
    AND (%(text)s = '' OR strpos(action, %(text)s) > 0 OR strpos(subject, %(text)s) > 0
        OR by_user_id::text = %(text)s)
    AND (%(thing)s = '' OR %(thing)s = ANY(string_to_array(subject, ' '))
        AND action = ANY(%(actions)s))
ORDER BY id DESC LIMIT %(limit)s
"""
_AFTER = f"SELECT {_COLUMNS} FROM audit_records WHERE id > %s ORDER BY id LIMIT 1000"


class PostgresAudit(PostgresRepository):
    """Implements `Audit`."""

    @asynccontextmanager
    async def change(self, change: AuditedChange) -> AsyncIterator[None]:
        row = await self._one(_BEGIN, _parameters(change))
        try:
            yield
        except RichAgentError as error:
            _add(change.details, "refusal", str(error))
            await self._end(row["id"], change, "refused")
            raise
        except Exception as error:
            _add(change.details, "error", type(error).__name__)
            await self._end(row["id"], change, "failed")
            raise
        await self._end(row["id"], change, "done")

    async def page(
        self,
        before: int | None,
        limit: int,
        text: str = "",
        subject: AuditSubject = ALL_SUBJECTS,
    ) -> Sequence[AuditRecord]:
        words = {"text": text, "thing": subject.name, "actions": list(subject.actions)}
        rows = await self._rows(_PAGE, {"before": before, "limit": limit, **words})
        return [AuditRecord(**row) for row in rows]

    async def all_records(self) -> AsyncIterator[AuditRecord]:
        last_id = 0
        while rows := await self._rows(_AFTER, (last_id,)):
            for row in rows:
                yield AuditRecord(**row)
            last_id = rows[-1]["id"]

    async def _end(self, record_id: int, change: AuditedChange, outcome: Outcome) -> None:
        details = Jsonb(storable(change.details))
        await self._run(_END, {"id": record_id, "outcome": outcome, "details": details})


def _add(details: dict[str, Any], name: str, value: str) -> None:
    """Add a detail beside those that were recorded, which may have any name."""
    while name in details:
        name += "_"
    details[name] = value


def _parameters(change: AuditedChange) -> dict[str, Any]:
    return {
        "by": change.by,
        "role": change.role,
        "action": change.action,
        "subject": clean_text(change.subject),
        "details": Jsonb(storable(change.details)),
        "origin": change.origin,
    }
