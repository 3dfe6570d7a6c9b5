"""Answers that wait for approval, in PostgreSQL."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import LiteralString

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.text import clean_text
from rich_agent.ports.approvals import (
    APPROVAL_WORK,
    Approval,
    ApprovalRequest,
    Notice,
    NoticeKind,
    Verdict,
)
from rich_agent.ports.due_work import NewWork
from rich_agent.repositories.database.fences import checkout_held
from rich_agent.repositories.database.pools import one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all
from rich_agent.repositories.due_work import add_due, hasten_due
from rich_agent.repositories.inbox.wakeups import NEWS_CHANNEL, OPERATORS

_DRAFT = (
    "user_id, thread_id, request_id, revision, locale, intent, question, answer, citations, "
    "message_id"
)
_COLUMNS = f"id, {_DRAFT}, requested_at, state, decided_by, words"

_WITHDRAW = """
UPDATE approvals SET state = 'withdrawn', decided_at = clock_timestamp()
WHERE thread_id = %(thread_id)s AND request_id = %(request_id)s AND revision < %(revision)s
    AND state = 'pending'
RETURNING id
"""

_REQUEST = f"""
INSERT INTO approvals ({_DRAFT})
VALUES (%(user_id)s, %(thread_id)s, %(request_id)s, %(revision)s, %(locale)s, %(intent)s,
    %(question)s, %(answer)s, %(citations)s, %(message_id)s)
ON CONFLICT (thread_id, request_id, revision) DO NOTHING
RETURNING id
"""

_DECIDE = """
UPDATE approvals SET state = %s, decided_by = %s, words = %s, decided_at = clock_timestamp()
WHERE id = %s AND state = 'pending'
"""

_EXPIRE = """
UPDATE approvals SET state = 'expired', decided_at = clock_timestamp()
WHERE id = %s AND state = 'pending'
    AND requested_at < clock_timestamp() - make_interval(secs => %s)
"""

# Once there is a verdict, no further admin is asked.
_ASK_ADMINS = """
INSERT INTO approval_notices (approval_id, user_id, kind)
SELECT id, admin, 'review' FROM approvals, unnest(%(admins)s::bigint[]) AS admin
WHERE id = %(id)s AND state = 'pending'
ON CONFLICT (approval_id, user_id, kind) DO NOTHING
"""
_SETTLE = """
WITH settled AS (
    UPDATE approvals SET settled_at = clock_timestamp()
    WHERE id = %(id)s AND state <> 'pending' AND settled_at IS NULL
    RETURNING id, user_id, state
)
INSERT INTO approval_notices (approval_id, user_id, kind)
SELECT id, user_id, 'verdict' FROM settled WHERE state <> 'withdrawn'
UNION ALL
SELECT asked.approval_id, asked.user_id, 'closed'
FROM settled JOIN approval_notices AS asked ON asked.approval_id = settled.id
WHERE asked.kind = 'review'
ON CONFLICT (approval_id, user_id, kind) DO NOTHING
"""
_TELL_OPERATORS = f"SELECT pg_notify('{NEWS_CHANNEL}', '{OPERATORS}')"
_DUE = """
SELECT update_id, approval_id, user_id, kind FROM approval_notices
WHERE approval_id = %(id)s AND handed_out_at IS NULL ORDER BY update_id
"""


class PostgresApprovals(PostgresRepository):
    """Implements `Approvals`; writes of a lost lane are refused."""

    async def request(self, draft: ApprovalRequest) -> None:
        values = {
            **asdict(draft),
            "question": clean_text(draft.question),
            "answer": clean_text(draft.answer),
            "citations": Jsonb(storable(list(draft.citations))),
        }
        async with checkout_held(self._pool) as connection:
            for withdrawn_row in await fetch_all(connection, _WITHDRAW, values):
                await hasten_due(connection, APPROVAL_WORK, str(withdrawn_row["id"]))
            for new_row in await fetch_all(connection, _REQUEST, values):
                work = NewWork(APPROVAL_WORK, str(new_row["id"]), user_id=draft.user_id)
                await add_due(connection, work)
            await connection.execute(_TELL_OPERATORS)

    async def decide(
        self, approval_id: int, verdict: Verdict, by: int, words: str = ""
    ) -> Approval | None:
        async with checkout_held(self._pool) as connection:
            values = (verdict, by, clean_text(words), approval_id)
            if (await connection.execute(_DECIDE, values)).rowcount:
                await hasten_due(connection, APPROVAL_WORK, str(approval_id))
                await connection.execute(_TELL_OPERATORS)
        return await self.find(approval_id)

    async def find(self, approval_id: int) -> Approval | None:
        query = f"SELECT {_COLUMNS} FROM approvals WHERE id = %s"
        row = await self._row(query, (approval_id,))
        return _read(row) if row else None

    async def of_turn(self, thread_id: str, request_id: str) -> Approval | None:
        query = (
            f"SELECT {_COLUMNS} FROM approvals WHERE thread_id = %s AND request_id = %s "
            "ORDER BY revision DESC LIMIT 1"
        )
        row = await self._row(query, (thread_id, request_id))
        return _read(row) if row else None

    async def pending(self, limit: int) -> tuple[Sequence[Approval], int]:
        query = (
            f"SELECT {_COLUMNS}, count(*) OVER () AS total FROM approvals "
            "WHERE state = 'pending' ORDER BY id LIMIT %s"
        )
        rows = await self._rows(query, (limit,))
        total = max((int(row.pop("total")) for row in rows), default=0)
        return [_read(row) for row in rows], total

    async def expire(self, approval_id: int, after_s: float) -> bool:
        return await self._run(_EXPIRE, (approval_id, after_s)) > 0

    async def ask_for_words(self, approval_id: int, admin_id: int, kind: NoticeKind) -> None:
        query = (
            "INSERT INTO approval_notices (approval_id, user_id, kind) "
            "SELECT id, %s, %s FROM approvals WHERE id = %s "
            "ON CONFLICT (approval_id, user_id, kind) DO NOTHING"
        )
        async with checkout_held(self._pool) as connection:
            await connection.execute(query, (admin_id, kind, approval_id))
            await hasten_due(connection, APPROVAL_WORK, str(approval_id))

    async def due_notices(self, approval_id: int, admins: Sequence[int]) -> Sequence[Notice]:
        values = {"id": approval_id, "admins": list(admins)}
        async with one_transaction(self._pool) as connection:
            await connection.execute(_ASK_ADMINS, values)
            await connection.execute(_SETTLE, values)
            rows = await fetch_all(connection, _DUE, values)
        return [Notice(**row) for row in rows]

    async def note_handing_out(self, notices: Sequence[Notice]) -> None:
        await self._run(
            "UPDATE approval_notices SET handed_out_at = clock_timestamp() "
            "WHERE update_id = ANY(%s)",
            ([notice.update_id for notice in notices],),
        )

    async def notice(self, update_id: int) -> Notice | None:
        return await self._notice("update_id = %s", update_id)

    async def review_of(self, approval_id: int, admin_id: int) -> Notice | None:
        condition = "approval_id = %s AND user_id = %s AND kind = 'review'"
        return await self._notice(condition, approval_id, admin_id)

    async def _notice(self, condition: LiteralString, *values: int) -> Notice | None:
        query = "SELECT update_id, approval_id, user_id, kind FROM approval_notices WHERE "
        row = await self._row(query + condition, values)
        return Notice(**row) if row else None


def _read(row: DictRow) -> Approval:
    draft = ApprovalRequest(**{name: row.pop(name) for name in ApprovalRequest.__slots__})
    return Approval(draft=draft, **row)
