"""Attempts at work in PostgreSQL: a row each, written before the work begins.

What ends in order, with or without an error, takes its row away. A row whose process is dead, as
`Presence` judges, is an attempt that ended its process. Work waits as long as that is in doubt.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.inbox import internal_update
from rich_agent.ports.operations import (
    MOST_LONE_ENDS,
    MOST_SHARED_ENDS,
    Progressed,
    SetAsideError,
    Work,
)
from rich_agent.repositories.database.pools import Pool, one_transaction
from rich_agent.repositories.database.repository import PostgresRepository, fetch_all
from rich_agent.repositories.inbox.storing import store_updates
from rich_agent.repositories.inbox.wakeups import (
    DUE_WORK_CHANNEL,
    LACKS_LOCK,
    Wakeups,
)
from rich_agent.runtime.concurrency import survived

LONGEST_ALONE_S = 30.0
_DOUBT_S = 0.2
_UNTIL_DONE_S = 86_400.0
_KINDS_WITH_READERS = frozenset({"stream", "history"})
"""Kinds of work for which somebody waits at a connection of this process."""
_MOST_READ_ENDS, _READ_AGAIN_S = 5, 600.0
MOST_NOTICES = 3
"""Most attempts to tell the user about work that was set aside, if these end their process."""

# For the statements that hand out work: `work` is the row of the attempt at hand.
BEGUN = """
INSERT INTO attempts (kind, key, holder, user_id, launch)
SELECT %(kind)s, %(key)s, %(holder)s::integer, %(user_id)s, %(launch)s::bigint
WHERE %(holder)s::integer IS NOT NULL
ON CONFLICT DO NOTHING
"""
ENDS = """
SELECT count(*) FILTER (WHERE has_ended) AS hard_ends,
    count(*) FILTER (WHERE ended_alone) AS lone_ends,
    count(*) FILTER (WHERE has_ended AND begun_at > last_alone) AS notices,
    extract(epoch FROM clock_timestamp() - max(begun_at) FILTER (WHERE has_ended))::float8 AS age_s
FROM (
    SELECT *, max(begun_at) FILTER (WHERE ended_alone) OVER () AS last_alone
    FROM attempts WHERE kind = %(kind)s AND key = %(key)s
) AS earlier
"""
"""Counts attempts at a piece of work that ended their process: all of them, those that ended a
lone process, and those after that; and the seconds since the last one began."""
NEEDS_LONE_PROCESS = f"""EXISTS (
    SELECT FROM attempts WHERE {{0}} GROUP BY key
    HAVING count(*) FILTER (WHERE has_ended) >= {MOST_SHARED_ENDS}
        AND count(*) FILTER (WHERE ended_alone) < {MOST_LONE_ENDS} AND count(letter) = 0
)"""
"""Whether only a lone process may begin the work that a condition names."""
FITS_PROCESS = f"""(
    {NEEDS_LONE_PROCESS} = %(is_lone)s AND NOT EXISTS (
        SELECT FROM attempts
        WHERE {{0}} AND NOT has_ended AND {LACKS_LOCK.format("attempts")}
    )
)"""
"""Whether this process may begin the work, and no attempt at it is by a process in doubt."""
IN_DOUBT = f"""
SELECT FROM attempts AS doubtful
WHERE NOT has_ended AND holder <> ALL(%(mine)s) AND {LACKS_LOCK.format("doubtful")}
"""
"""Selects the attempts of processes that may be dead; conditions can be added."""
# A process that ends leaves the row behind even if the server had not written it to disk yet.
_BEGIN = f"""
WITH earlier AS MATERIALIZED (
    SELECT *, EXISTS ({IN_DOUBT} AND kind = %(kind)s AND key = %(key)s) AS is_in_doubt
    FROM ({ENDS}) AS ends
), begun AS (
    INSERT INTO attempts (kind, key, holder, user_id, launch)
    SELECT %(kind)s, %(key)s, %(holder)s::integer, %(user_id)s, %(launch)s::bigint FROM earlier
    WHERE %(holder)s::integer IS NOT NULL AND hard_ends <= %(most)s AND NOT is_in_doubt
    ON CONFLICT DO NOTHING
)
SELECT hard_ends, lone_ends, age_s, is_in_doubt, set_config('synchronous_commit', 'off', true)
FROM earlier
"""
_END = "DELETE FROM attempts WHERE kind = %(kind)s AND key = %(key)s AND holder = ANY(%(mine)s)"
_FORGET_OTHERS = """
DELETE FROM attempts WHERE kind = %(kind)s AND key = %(key)s AND has_ended
"""
_SET_ASIDE = """
WITH letter AS MATERIALIZED (SELECT nextval('internal_update_numbers') AS id)
UPDATE attempts SET letter = letter.id, has_ended = true FROM letter
WHERE kind = %(kind)s AND key = %(key)s AND attempts.letter IS NULL RETURNING letter.id
"""
_SET_ASIDE_UNBEGUN = """
INSERT INTO attempts (kind, key, holder, user_id, has_ended, letter)
SELECT %(kind)s, %(key)s, 0, %(user_id)s, true, nextval('internal_update_numbers')
WHERE NOT EXISTS (SELECT FROM attempts WHERE kind = %(kind)s AND key = %(key)s)
RETURNING letter AS id
"""
_RETRY = """
WITH letters AS (DELETE FROM attempts WHERE letter = %s RETURNING kind, key), chosen AS (
    UPDATE due_work SET set_aside_at = NULL, tries = 0, due_at = least(due_at, clock_timestamp())
    FROM letters WHERE due_work.kind = letters.kind AND id = letters.key
)
SELECT EXISTS (SELECT FROM letters) AS has_work
"""
_OF_WORK = "attempts.kind = work.kind AND attempts.key = work.key"
_LONE_WORK = f"""
SELECT EXISTS (
    SELECT FROM (SELECT DISTINCT kind, key FROM attempts WHERE has_ended) AS work
    WHERE kind <> ALL(%(read)s)
        AND {NEEDS_LONE_PROCESS.format(_OF_WORK)}
        AND NOT EXISTS (
            SELECT FROM attempts AS begun
            WHERE begun.kind = work.kind AND begun.key = work.key AND NOT has_ended
        )
) AS waits
"""
# Two at hand prove nothing of either.
_END_ALONE = """
UPDATE attempts SET ended_alone = true WHERE launch = %(launch)s
    AND (SELECT count(DISTINCT (kind, key)) FROM attempts WHERE launch = %(launch)s) = 1
"""
_SPEND = "UPDATE telegram_inbox SET attempts = %s WHERE update_id = %s"


@dataclass(slots=True)
class Attempt:
    """A running attempt.

    `hard_ends` is the number of earlier attempts during which the process died, `news_count` that
    of the notifications of users before the attempt.
    """

    work: Work
    hard_ends: int = 0
    place: object | None = None
    news_count: int = -1


@dataclass(frozen=True, slots=True)
class Ends:
    """The number of attempts at a piece of work that ended their process.

    `lone` of them ended a lone process; the last one began `age_s` seconds ago.
    """

    hard: int
    lone: int
    age_s: float


@dataclass(slots=True)
class Alone:
    """The only place in this process for suspect work, which has ended a process before.

    With only one such piece of work at a time, an end of the process is blamed on that one. The
    place is free again after `longest_s`, even if the work still runs.
    """

    longest_s: float = LONGEST_ALONE_S
    _place: object | None = None
    _timer: asyncio.TimerHandle | None = None
    _freed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_taken(self) -> bool:
        """Whether the place is taken."""
        return self._place is not None

    def take(self) -> object | None:
        """Take the place and return a token for it; None while it is taken."""
        if self._place is not None:
            return None
        self._place = place = object()
        self._timer = asyncio.get_running_loop().call_later(self.longest_s, self.give_up, place)
        return place

    async def wait(self) -> object:
        """Wait until the place is free, take it, and return a token for it."""
        while (place := self.take()) is None:
            self._freed.clear()
            await self._freed.wait()
        return place

    def give_up(self, place: object | None) -> None:
        """Free the place that a token stands for; do nothing if it was freed already."""
        if place is not None and place is self._place:
            self._place = None
            if self._timer:
                self._timer.cancel()
            self._freed.set()


class PostgresAttempts(PostgresRepository):
    """Implements `Attempts`; after `most_attempts` at an update, the inbox only tells the user."""

    def __init__(
        self, pool: Pool, wakeups: Wakeups, group: asyncio.TaskGroup, most_attempts: int
    ) -> None:
        super().__init__(pool)
        self.alone = Alone()
        self._wakeups = wakeups
        self._group = group
        self._spent = most_attempts
        self.launch: int | None = None
        self.lanes: dict[int, Attempt] = {}
        """The attempts at lanes of this process, by their fences."""
        self._works_here: Counter[Work] = Counter()

    @property
    def is_lone(self) -> bool:
        return self.launch is not None

    async def holder(self) -> int | None:
        """The number by which other processes see that this one lives, None if they cannot."""
        return await self._wakeups.holder()

    def isolate(self, launch: int) -> None:
        """Make this a lone process; `launch` is the number that its parent gave it."""
        self.launch, self.alone.longest_s = launch, _UNTIL_DONE_S

    @property
    def is_under_way(self) -> bool:
        """Whether this process does any work. Rows do not tell: they may outlive their work."""
        return bool(self._works_here or self.lanes or self.alone.is_taken)

    async def has_lone_work(self) -> bool:
        """Whether there is work that only a lone process may do."""
        return bool((await self._one(_LONE_WORK, {"read": sorted(_KINDS_WITH_READERS)}))["waits"])

    async def note_lone_end(self, launch: int) -> None:
        """Record that the lone process `launch` ended by itself, while its parent lives on."""
        await self._run(_END_ALONE, {"launch": launch})

    @asynccontextmanager
    async def count_attempt(self, work: Work) -> AsyncIterator[Progressed]:
        attempt = await self._begin(work)
        self._works_here[work] += 1
        try:
            yield lambda: self.note_progress(attempt)
        finally:
            self._works_here[work] -= 1
            if not self._works_here[work]:
                del self._works_here[work]
                await asyncio.shield(self.leave(attempt, is_over=True))
            self.alone.give_up(attempt.place)

    async def note_progress(self, attempt: Attempt) -> None:
        """Delete the earlier attempts, because this one has got further than they did."""
        if attempt.hard_ends:
            attempt.hard_ends = 0
            await self._run(_FORGET_OTHERS, self._names(attempt.work))
            self.alone.give_up(attempt.place)

    def leave(self, attempt: Attempt, *, is_over: bool = False) -> asyncio.Task[None]:
        """Delete the attempt; if the work `is_over`, also the earlier ones.

        This is a separate task, so that cancelled work leaves no attempt behind.
        """
        return self._group.create_task(self._leave(attempt, is_over=is_over))

    async def retry(self, letter: int) -> bool:
        has_work = (await self._one(_RETRY, (letter,)))["has_work"]
        await self._run(f"NOTIFY {DUE_WORK_CHANNEL}")
        return bool(has_work)

    async def user_of(self, letter: int) -> int | None:
        row = await self._row("SELECT user_id FROM attempts WHERE letter = %s LIMIT 1", (letter,))
        return row["user_id"] if row else None

    async def _leave(self, attempt: Attempt, *, is_over: bool) -> None:
        with survived("attempt_kept", DatabaseUnavailableError, level="warning"):
            await self._run(_END, self._names(attempt.work))
            if is_over:
                await self.note_progress(attempt)

    async def _begin(self, work: Work) -> Attempt:
        if await self._wakeups.holder() is None or work in self._works_here:
            return Attempt(work)
        while True:
            ends = await self._look_back(work, 0)
            if not ends.hard:
                return Attempt(work)
            if not self._may_begin(work, ends):
                break
            place = await self.alone.wait()
            try:
                ends_now = await self._look_back(work, ends.hard)
            except BaseException:
                self.alone.give_up(place)
                raise
            if ends_now.hard <= ends.hard:
                return Attempt(work, ends_now.hard, place)
            self.alone.give_up(place)
        is_read = work.kind in _KINDS_WITH_READERS
        is_final = ends.hard >= _MOST_READ_ENDS if is_read else ends.lone >= MOST_LONE_ENDS
        if is_final:
            await self.set_aside(work)
        raise SetAsideError(work, is_final=is_final)

    def _may_begin(self, work: Work, ends: Ends) -> bool:
        """Whether this process may begin work that ended other processes."""
        if work.kind in _KINDS_WITH_READERS:
            is_rested = ends.hard < _MOST_READ_ENDS and ends.age_s > _READ_AGAIN_S
            return ends.hard < MOST_SHARED_ENDS or is_rested
        return ends.lone < MOST_LONE_ENDS if self.is_lone else ends.hard < MOST_SHARED_ENDS

    async def _look_back(self, work: Work, most: int) -> Ends:
        """Count the attempts that ended their process; record a new one if they are at most `most`.

        Waits while a process with an attempt at this work may be dead, unless this process has no
        number.
        """
        values = {**self._names(work), "user_id": work.user_id, "most": most, "launch": self.launch}
        while True:
            holder = await self._wakeups.holder()
            ends_row = await self._one(_BEGIN, {**values, "holder": holder})
            if holder is None or not ends_row["is_in_doubt"]:
                return Ends(ends_row["hard_ends"], ends_row["lone_ends"], ends_row["age_s"] or 0.0)
            await asyncio.sleep(_DOUBT_S)

    async def set_aside(self, work: Work) -> None:
        """Put the work into the inbox as a dead letter, once, so that its user is told."""
        if not work.user_id:
            return
        values = {**self._names(work), "user_id": work.user_id}
        async with one_transaction(self._pool) as connection:
            rows = await fetch_all(connection, _SET_ASIDE, values)
            rows = rows or await fetch_all(connection, _SET_ASIDE_UNBEGUN, values)
            if rows:
                letter = rows[0]["id"]
                letter_update = internal_update(letter, work.user_id, work.kind, urgent=False)
                await store_updates(self._pool, [letter_update], 0)
                await connection.execute(_SPEND, (self._spent, letter))

    def _names(self, work: Work) -> dict[str, object]:
        return {"kind": work.kind, "key": work.key, "mine": self._wakeups.numbers}
