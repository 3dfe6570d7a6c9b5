"""News of conversations in PostgreSQL: from the transcript, and from runs that are not in it."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, replace

from psycopg.types.json import Jsonb

from rich_agent.domain.json_values import storable
from rich_agent.domain.message import OWN_CONVERSATION, client_thread_of
from rich_agent.domain.runs import Run
from rich_agent.ports.news import ListedTurn
from rich_agent.ports.runs import SaidBefore
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.database.repository import PostgresRepository
from rich_agent.repositories.database.threads import NOT_REPLACED
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.inbox.wakeups import FOLLOWERS_CHANNEL, NEWS_CHANNEL
from rich_agent.repositories.runs import LIVING, RUN_COLUMNS, read_run

_MOST_APART = 60
_TURN = "coalesce(nullif(asked ->> 'answers', ''), 'tg:' || update_id)"
# Whatever a client calls the main conversation, it is one.
_THEIRS = f"""
user_id = %(user_id)s AND asked ->> 'is_errand' IS DISTINCT FROM 'true'
AND coalesce(asked ->> 'press', '') = '' AND (
    thread = %(thread)s OR %(is_main)s AND NOT starts_with(thread, '{OWN_CONVERSATION}')
)
"""
_IS_STORED = """EXISTS (
    SELECT FROM conversations JOIN messages ON conversation_id = conversations.id
    WHERE thread_id = %(conversation)s AND request_id = turn
)"""
# A turn that was repeated is not shown any more.
_TURNS = f"""
WITH stored AS (
    SELECT said.request_id AS turn, said.created_at AS at, said.revision
    FROM conversations AS conversation
    JOIN messages AS said ON said.conversation_id = conversation.id AND said.role = 'assistant'
    WHERE thread_id = %(conversation)s AND {NOT_REPLACED}
    ORDER BY said.id DESC LIMIT %(limit)s
), apart AS (
    SELECT {_TURN} AS turn, min(asked_at) AS at, array_agg(update_id ORDER BY asked_at) AS runs,
        bool_and(state = 'ended' OR asked_at < clock_timestamp() - interval '1 day') AS is_over
    FROM runs
    WHERE {_THEIRS} AND asked_at > coalesce(
        (SELECT min(at) FROM stored HAVING count(*) >= %(limit)s), '-infinity'
    )
    GROUP BY 1 ORDER BY 2 DESC LIMIT {_MOST_APART}
)
SELECT turn, at, revision, '{{}}'::bigint[] AS runs, true AS is_over, true AS is_answered
FROM stored
UNION ALL
SELECT turn, at, 0, runs, is_over, EXISTS (
    SELECT FROM run_events WHERE update_id = ANY(runs) AND event ->> 'kind' = 'answer'
)
FROM apart WHERE NOT {_IS_STORED}
ORDER BY at, turn
"""
_APART = f"""
WITH apart AS (
    SELECT {_TURN} AS turn, update_id, run_id, thread, asked, asked_at FROM runs
    WHERE {_THEIRS} AND state = 'ended'
        AND (%(first)s::bigint IS NULL
            OR asked_at > (SELECT created_at FROM messages WHERE id = %(first)s))
        AND (%(before)s::bigint IS NULL
            OR asked_at <= (SELECT created_at FROM messages WHERE id = %(before)s))
)
SELECT turn, asked_at, run_id, asked ->> 'text' AS question,
    coalesce(asked ->> 'message_id', '') AS message_id,
    told.event ->> 'text' AS answer, told.event -> 'citations' AS citations,
    (told.event ->> 'message')::integer AS place,
    CASE WHEN told.event ? 'living' THEN {LIVING} END AS living
FROM apart AS runs JOIN LATERAL (
    SELECT event FROM run_events
    WHERE update_id = runs.update_id AND event ->> 'kind' = 'answer' ORDER BY seq DESC LIMIT 1
) AS told ON true
WHERE NOT {_IS_STORED}
ORDER BY asked_at DESC LIMIT {_MOST_APART}
"""
_RUNS = f"SELECT {RUN_COLUMNS} FROM runs WHERE update_id = ANY(%s) ORDER BY asked_at, update_id"
# Of what was asked elsewhere nothing is kept twice once it is in the transcript.
_BEGIN = f"""
WITH begun AS (
    INSERT INTO runs (update_id, user_id, run_id, thread, asked, state)
    SELECT %(update_id)s, %(user_id)s, %(run_id)s, %(thread)s, %(asked)s, 'running'
    WHERE %(is_shown)s
    ON CONFLICT DO NOTHING RETURNING {RUN_COLUMNS}
), kept_twice AS (
    DELETE FROM runs USING begun
    WHERE runs.user_id = begun.user_id AND runs.state = 'ended'
        AND runs.run_id = 'tg:' || runs.update_id
        AND EXISTS (
            SELECT FROM conversations JOIN messages ON conversation_id = conversations.id
            WHERE conversations.user_id = begun.user_id AND request_id = coalesce(
                nullif(runs.asked ->> 'answers', ''), runs.run_id
            )
        )
)
SELECT {RUN_COLUMNS},
    (SELECT count(pg_notify('{NEWS_CHANNEL}', user_id::text)) FROM begun) AS told
FROM begun
UNION ALL SELECT {RUN_COLUMNS}, 0 FROM runs WHERE update_id = %(update_id)s
"""
# The transcript has the words.
_FINISH = """
UPDATE runs SET asked = asked || jsonb_build_object('answers', %(answers)s::text)
    || CASE WHEN EXISTS (
        SELECT FROM conversations JOIN messages ON conversation_id = conversations.id
        WHERE conversations.user_id = %(user_id)s AND request_id = %(turn)s
    ) THEN '{"text": ""}'::jsonb ELSE '{}'::jsonb END
WHERE update_id = %(update_id)s
"""


class PostgresNews(PostgresRepository):
    """Implements `News`."""

    def __init__(self, pool: Pool, inbox: PostgresInbox) -> None:
        super().__init__(pool)
        self._inbox = inbox

    def hearing(self, user_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        return self._inbox.hearing(NEWS_CHANNEL, str(user_id))

    def reading(self, update_id: int) -> AbstractAsyncContextManager[asyncio.Event]:
        return self._inbox.hearing(FOLLOWERS_CHANNEL, str(update_id))

    async def tell(self, user_id: int) -> None:
        await self._run(f"SELECT pg_notify('{NEWS_CHANNEL}', %s)", (str(user_id),))

    async def turns(self, user_id: int, thread: str, limit: int) -> Sequence[ListedTurn]:
        rows = await self._rows(_TURNS, {**_values_of(user_id, thread), "limit": limit})
        turns = [ListedTurn(**row) for row in rows]
        closed_turns = [one for one in turns if not one.is_open]
        open_turns = [
            one
            for one in turns
            if one.is_open and (not one.is_over or not closed_turns or one.at > closed_turns[-1].at)
        ]
        return [*closed_turns, *open_turns]

    async def apart(
        self, user_id: int, thread: str, first: int | None, before: int | None
    ) -> Sequence[SaidBefore]:
        values = {**_values_of(user_id, thread), "first": first, "before": before}
        messages: list[SaidBefore] = []
        for row in reversed(await self._rows(_APART, values)):
            turn_and_run = (row["turn"], row["run_id"])
            asked_at = row["asked_at"]
            if row["question"]:
                messages.append(
                    SaidBefore(
                        0,
                        "user",
                        row["question"],
                        *turn_and_run,
                        0,
                        row["message_id"],
                        said_at=asked_at,
                    )
                )
            answer = SaidBefore(
                0, "assistant", row["answer"], *turn_and_run, row["place"], said_at=asked_at
            )
            messages.append(replace(answer, citations=row["citations"], living=row["living"]))
        return messages

    async def runs(self, updates: Sequence[int]) -> Sequence[Run]:
        return [read_run(row) for row in await self._rows(_RUNS, (list(updates),))]

    async def begin(self, run: Run, *, is_shown: bool) -> Run | None:
        values = {**asdict(run), "is_shown": is_shown, "asked": Jsonb(storable(asdict(run.asked)))}
        row = await self._row(_BEGIN, values)
        if row is None:
            return None
        del row["told"]
        return read_run(row)

    async def finish(self, run: Run, turn: str) -> None:
        answers = "" if turn == run.request_id else turn
        values = {"user_id": run.user_id, "update_id": run.update_id}
        await self._run(_FINISH, {**values, "turn": turn, "answers": answers})


def _values_of(user_id: int, thread: str) -> dict[str, object]:
    return {
        "user_id": user_id,
        "thread": thread,
        "conversation": client_thread_of(user_id, thread),
        "is_main": not thread.startswith(OWN_CONVERSATION),
    }
