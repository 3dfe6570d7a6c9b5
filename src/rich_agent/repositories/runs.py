"""Runs in PostgreSQL; a run is work in its user's lane, and its events are rows."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict
from typing import Any, LiteralString

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from rich_agent.domain.answer.attachments import attachments_in
from rich_agent.domain.json_values import storable
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.domain.message import client_thread_in, client_thread_of, thread_of
from rich_agent.domain.runs import Run, RunAsked, RunEvent, verbatim
from rich_agent.ports.inbox import internal_update
from rich_agent.ports.operations import Progressed, SetAsideError, Work
from rich_agent.ports.runs import (
    MOST_OPEN_RUNS,
    RUN_WORK,
    KnownThread,
    SaidBefore,
    ThreadBusyError,
    TooManyRunsError,
    TurnPictures,
)
from rich_agent.ports.tools import UNDO_MINUTES
from rich_agent.repositories.database.pools import Pool, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_one
from rich_agent.repositories.database.threads import NOT_REPLACED, TITLE
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.storing import store_updates
from rich_agent.repositories.inbox.wakeups import FOLLOWERS_CHANNEL, NEWS_CHANNEL, RUNS_CHANNEL
from rich_agent.runtime.concurrency import happens_within, in_turns

_EVENTS = """
SELECT seq, event, stored_at FROM run_events WHERE update_id = %s AND seq > %s ORDER BY seq
"""
_FOLLOW = f"SELECT pg_notify('{FOLLOWERS_CHANNEL}', %s)"
_GIVEN_UP = """
SELECT last_error FROM telegram_inbox WHERE update_id = %s AND dead_at IS NOT NULL
"""


LIVING = """(
    SELECT event -> 'living' FROM runs AS later JOIN run_events USING (update_id)
    WHERE later.user_id = %(user_id)s
        AND (later.run_id = runs.run_id OR later.asked ->> 'of_run' = runs.run_id)
        AND event ->> 'kind' = 'answer' AND event ? 'living'
    ORDER BY later.asked_at DESC, later.update_id DESC LIMIT 1
)"""
"""The living block of a row of `runs` as it was left by the last press.

Clients may call the conversation by another name in a press than in the run of its block.
"""
_LIVING = f"SELECT {LIVING} AS living FROM runs WHERE user_id = %(user_id)s AND run_id = %(run_id)s"


class FollowedRuns(PostgresRepository):
    """Implements the methods of `Runs` that follow runs, with the notifications of `inbox`."""

    def __init__(self, pool: Pool, inbox: PostgresInbox) -> None:
        super().__init__(pool)
        self._inbox = inbox

    async def events(self, run: Run, after: int = 0) -> Sequence[RunEvent]:
        return [_event(row) for row in await self._rows(_EVENTS, (run.update_id, after))]

    async def living_block(self, user_id: int, run_id: str) -> LivingBlock | None:
        row = await self._row(_LIVING, {"user_id": user_id, "run_id": run_id})
        return LivingBlock.from_json(row["living"]) if row and row["living"] else None

    @asynccontextmanager
    async def following(
        self, run: Run, after: int = 0, beat_s: float = 15.0
    ) -> AsyncIterator[AsyncIterator[Sequence[RunEvent]]]:
        work, note_progress = Work("stream", run.update_id, run.user_id), None
        async with AsyncExitStack() as stack:
            hearing = self._inbox.hearing(RUNS_CHANNEL, str(run.update_id))
            news_event = await stack.enter_async_context(hearing)
            if run.is_from_elsewhere and run.state != "ended":
                await self._run(_FOLLOW, (str(run.update_id),))
            with suppress(SetAsideError):
                note_progress = await stack.enter_async_context(
                    self._inbox.attempts.count_attempt(work)
                )
            if note_progress:
                yield _noting(self._follow(run, after, news_event, beat_s), note_progress)
            else:
                yield _verbatim(run, self._follow(run, 0, news_event, beat_s))

    async def _follow(
        self, run: Run, after: int, news_event: asyncio.Event, beat_s: float
    ) -> AsyncIterator[Sequence[RunEvent]]:
        while True:
            news_event.clear()
            if events := await self.events(run, after):
                async for portion in in_turns(events):
                    yield portion
                after = events[-1].seq
                if events[-1].kind == "ended":
                    return
            if await happens_within(news_event, beat_s):
                continue
            given_up_row = await self._row(_GIVEN_UP, (run.update_id,))
            if given_up_row and not await self.events(run, after):
                yield [RunEvent(after + 1, "ended", {"outcome": "error", "code": "given_up"})]
                return
            yield []


async def _noting(
    batches: AsyncIterator[Sequence[RunEvent]], note_progress: Progressed
) -> AsyncIterator[Sequence[RunEvent]]:
    async for batch in batches:
        yield batch
        # A client that asks for more has shown what was stored.
        await note_progress()


async def _verbatim(
    run: Run, batches: AsyncIterator[Sequence[RunEvent]]
) -> AsyncIterator[Sequence[RunEvent]]:
    events: list[RunEvent] = []
    async for batch in batches:
        events += batch
        yield verbatim(run, events) if batch and batch[-1].kind == "ended" else []


def _event(row: DictRow) -> RunEvent:
    data: dict[str, Any] = row["event"]
    return RunEvent(row["seq"], data.pop("kind"), data, row["stored_at"])


_ASKED = TypeAdapter(RunAsked)
RUN_COLUMNS = "update_id, user_id, run_id, thread, asked, state"
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('runs', %s))"
# What is written at the terminal holds the lane without an update.
_LOAD = """
SELECT (SELECT count(*) FROM runs WHERE user_id = %(user_id)s AND state <> 'ended') AS open,
    EXISTS (
        SELECT FROM telegram_inbox
        WHERE user_id = %(user_id)s AND NOT urgent AND done_at IS NULL AND dead_at IS NULL
    ) OR EXISTS (
        SELECT FROM telegram_lanes WHERE user_id = %(user_id)s AND NOT urgent
            AND holder IS NOT NULL AND ready_at > clock_timestamp()
    ) AS is_busy
"""
_BEGIN = f"""
INSERT INTO runs (user_id, run_id, thread, asked) VALUES (%s, %s, %s, %s) RETURNING {RUN_COLUMNS}
"""
_APPEND = f"""
WITH stored AS (
    INSERT INTO run_events (update_id, seq, event)
    SELECT %(update_id)s, seq, event
    FROM unnest(%(seq)s::integer[], %(event)s::jsonb[]) AS new (seq, event)
), noted AS (
    UPDATE runs SET state = %(state)s,
        ended_at = CASE WHEN %(state)s = 'ended' THEN clock_timestamp() END
    WHERE update_id = %(update_id)s AND state <> %(state)s
)
SELECT pg_notify('{RUNS_CHANNEL}', %(update_id)s::text),
    CASE WHEN %(state)s = 'ended' THEN pg_notify('{NEWS_CHANNEL}', %(user_id)s::text) END
"""
_TELL = f"SELECT pg_notify('{NEWS_CHANNEL}', %s)"
_WAITING = f"""
SELECT {", ".join(f"run.{name}" for name in RUN_COLUMNS.split(", "))} FROM runs AS run
JOIN clarifications AS asked ON asked.thread_id = %(conversation)s
    AND asked.answered_by IS NULL AND asked.cancelled_at IS NULL
JOIN run_events AS told ON told.update_id = run.update_id
    AND told.event ->> 'kind' = 'question' AND told.event ->> 'request_id' = asked.request_id
    AND (told.event ->> 'expires_at')::timestamptz > clock_timestamp()
WHERE run.user_id = %(user_id)s AND run.thread = %(thread)s AND run.state = 'ended'
ORDER BY run.asked_at DESC LIMIT 1
"""
_ATTACHED: LiteralString = (
    "jsonb_build_object('attachments', meta_json -> 'attachments',"
    " 'timeline', meta_json -> 'timeline')"
)
"""See `attachments_in`."""
# A turn whose question was answered in a later run ended in that one.
_SAID: LiteralString = (
    """
SELECT said.id AS number, said.role, said.content, said.request_id, said.created_at AS said_at,
    coalesce(answered.run_id, asked.run_id, '') AS run_id, coalesce(answered.place, 0) AS place,
    CASE WHEN role = 'user' THEN coalesce(asked.asked ->> 'message_id', '') ELSE '' END
        AS message_id,
    CASE WHEN role = 'user'
        THEN jsonb_array_length(coalesce(said.meta_json #> '{request,photos}', '[]')) ELSE 0 END
        AS photos,
    CASE WHEN role = 'user'
        THEN jsonb_path_query_array(said.meta_json, '$.request.files[*].name') ELSE '[]' END
        AS files,
    role = 'user' AND coalesce(
        said.meta_json #>> '{request,media_text}', said.meta_json #>> '{request,heard}', ''
    ) <> '' AND said.meta_json #>> '{request,forwarded}' IS NULL AS is_spoken,
    CASE WHEN role = 'assistant' THEN coalesce(said.meta_json -> 'sources', '[]') ELSE '[]' END
        AS citations,
    CASE WHEN role = 'assistant' THEN """
    + _ATTACHED
    + """ ELSE '{}' END AS attached,
    role = 'assistant' AND coalesce((said.meta_json ->> 'worth_rating')::boolean, true)
        AS worth_rating,
    CASE WHEN role = 'assistant' THEN coalesce(said.meta_json -> 'files', '[]') ELSE '[]' END
        AS file_ids,
    done.undo_until
FROM conversations AS conversation
JOIN messages AS said ON said.conversation_id = conversation.id
LEFT JOIN runs AS asked ON asked.user_id = %(user_id)s
    AND asked.update_id = substring(said.request_id FROM '^tg:(-[0-9]{1,18})$')::bigint
    AND asked.run_id <> said.request_id
LEFT JOIN LATERAL (
    SELECT run.run_id, (told.event ->> 'message')::integer AS place
    FROM runs AS run JOIN run_events AS told USING (update_id)
    WHERE role = 'assistant' AND run.user_id = %(user_id)s AND asked.run_id IS NOT NULL
        AND (run.update_id = asked.update_id OR run.asked ->> 'answers' = said.request_id)
        AND told.event ->> 'kind' = 'answer'
    ORDER BY run.asked_at DESC, told.seq DESC LIMIT 1
) AS answered ON true
LEFT JOIN LATERAL (
    SELECT max(started_at) + make_interval(mins => %(undo_minutes)s) AS undo_until
    FROM tool_executions AS one
    WHERE said.role = 'assistant' AND one.user_id = %(user_id)s
        AND one.request_id = said.request_id AND one.undo IS NOT NULL AND one.undone_at IS NULL
        AND one.status = 'success'
        AND one.started_at > clock_timestamp() - make_interval(mins => %(undo_minutes)s)
) AS done ON true
WHERE conversation.thread_id = %(conversation)s
    AND (%(before)s::bigint IS NULL OR said.id < %(before)s)
    AND """
    + NOT_REPLACED
    + """
ORDER BY said.id DESC LIMIT %(limit)s
"""
)
_THREADS = f"""
SELECT conversation.thread_id, {TITLE} AS title, newest.number, newest.said_at
FROM conversations AS conversation
JOIN LATERAL (
    SELECT id AS number, created_at AS said_at FROM messages
    WHERE conversation_id = conversation.id ORDER BY id DESC LIMIT 1
) AS newest ON true
WHERE conversation.user_id = %(user_id)s
    AND (thread_id = %(main)s OR starts_with(thread_id, %(main)s || ':web:'))
    AND (%(before)s::bigint IS NULL OR newest.number < %(before)s)
ORDER BY newest.number DESC LIMIT %(limit)s
"""
_PICTURES = f"""
SELECT jsonb_path_query_array(meta_json, '$.request.photos[*].file_id') AS photos,
    {_ATTACHED} AS attached
FROM messages WHERE user_id = %(user_id)s AND request_id = %(request_id)s AND role = 'user'
UNION ALL
SELECT '[]', event
FROM runs JOIN run_events USING (update_id)
WHERE user_id = %(user_id)s AND asked ->> 'press' <> '' AND event ->> 'kind' = 'answer'
    AND update_id = substring(%(request_id)s FROM '^tg:(-[0-9]{{1,18}})$')::bigint
"""
"""The pictures of a turn, or of a press, which has no messages."""


class PostgresTurnRuns(FollowedRuns):
    """Implements `Runs`."""

    async def begin(
        self,
        user_id: int,
        run_id: str,
        thread: str,
        request: RunAsked,
        *,
        only_if_idle: bool = False,
    ) -> tuple[Run, bool]:
        async with one_transaction(self._pool) as connection:
            await connection.execute(_LOCK, (user_id,))
            if earlier := await self.find(user_id, run_id):
                return earlier, False
            load = await fetch_one(connection, _LOAD, {"user_id": user_id})
            if only_if_idle and load["is_busy"]:
                raise ThreadBusyError("another answer to this user is being written")
            if load["open"] >= MOST_OPEN_RUNS:
                raise TooManyRunsError(f"{MOST_OPEN_RUNS} runs of this user wait already")
            values = (user_id, run_id, thread, Jsonb(storable(asdict(request))))
            run = read_run(await fetch_one(connection, _BEGIN, values))
            work = internal_update(run.update_id, user_id, RUN_WORK, urgent=False)
            await store_updates(self._pool, [work], 0)
            await connection.execute(_TELL, (str(user_id),))
        return run, True

    async def find(self, user_id: int, run_id: str) -> Run | None:
        query = f"SELECT {RUN_COLUMNS} FROM runs WHERE user_id = %s AND run_id = %s"
        return _read_if(await self._row(query, (user_id, run_id)))

    async def newest_in(self, user_id: int, thread: str) -> Run | None:
        query = f"""
        SELECT {RUN_COLUMNS} FROM runs WHERE user_id = %s AND thread = %s
        ORDER BY update_id DESC LIMIT 1
        """
        return _read_if(await self._row(query, (user_id, thread)))

    async def open_in(self, user_id: int, thread: str) -> Run | None:
        query = f"""
        SELECT {RUN_COLUMNS} FROM runs WHERE user_id = %s AND thread = %s AND state <> 'ended'
        ORDER BY update_id LIMIT 1
        """
        return _read_if(await self._row(query, (user_id, thread)))

    async def waiting_in(self, user_id: int, thread: str) -> Run | None:
        conversation = client_thread_of(user_id, thread)
        values = {"user_id": user_id, "thread": thread, "conversation": conversation}
        return _read_if(await self._row(_WAITING, values))

    async def messages(
        self, user_id: int, thread: str, limit: int, before: int | None
    ) -> Sequence[SaidBefore]:
        values = {"user_id": user_id, "limit": limit, "before": before}
        values["undo_minutes"] = UNDO_MINUTES
        conversation = client_thread_of(user_id, thread)
        rows = await self._rows(_SAID, {**values, "conversation": conversation})
        return [SaidBefore(**_with_attachments(row)) for row in reversed(rows)]

    async def threads(self, user_id: int, limit: int, before: int | None) -> Sequence[KnownThread]:
        values = {"user_id": user_id, "limit": limit, "before": before}
        rows = await self._rows(_THREADS, {**values, "main": thread_of(user_id)})
        return [KnownThread(client_thread_in(user_id, row.pop("thread_id")), **row) for row in rows]

    async def pictures(self, user_id: int, request_id: str) -> TurnPictures:
        row = await self._row(_PICTURES, {"user_id": user_id, "request_id": request_id})
        return TurnPictures(**_with_attachments(row)) if row else TurnPictures()

    async def of_update(self, update_id: int) -> Run | None:
        query = f"SELECT {RUN_COLUMNS} FROM runs WHERE update_id = %s"
        return _read_if(await self._row(query, (update_id,)))

    async def append(self, run: Run, events: Sequence[RunEvent]) -> None:
        if not events:
            return
        values = {
            "update_id": run.update_id,
            "user_id": run.user_id,
            "seq": [event.seq for event in events],
            "event": [Jsonb(storable({"kind": e.kind, **e.data})) for e in events],
            "state": "ended" if events[-1].kind == "ended" else "running",
        }
        await self._run_in_lane(_APPEND, values)


def _with_attachments(row: DictRow) -> DictRow:
    attachments = attachments_in(row.pop("attached"))
    return {**row, "attachments": attachments}


def read_run(row: DictRow) -> Run:
    """The run in a row of `RUN_COLUMNS`."""
    return Run(**{**row, "asked": _ASKED.validate_python(row["asked"])})


def _read_if(row: DictRow | None) -> Run | None:
    return read_run(row) if row else None
