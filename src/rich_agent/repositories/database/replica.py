"""A streaming replica for searches in documents, used as long as it keeps up with its primary.

Without a replica, or while it lags, everything is read from the primary.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from decimal import Decimal
from math import inf
from typing import LiteralString, TypeVar

import structlog
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow

from rich_agent.errors import DatabaseUnavailableError, UnfitServerError
from rich_agent.repositories.database.pools import Pool, describe_address, execute, open_pool
from rich_agent.runtime.concurrency import end_on

T = TypeVar("T")
_LOOK_EVERY_S = 1.0
_LOOK_WITHIN_S = 3.0
_CHECKOUT_TIMEOUT_S = 1.0
# What it was sent and does not confirm for so long ends a connection to it.
_UNCONFIRMED_MS = 5_000
_MOST_LOOKS = 600
_UNKNOWN = "it is not known yet how far it is behind the primary"
# Positions in the log, which are compared by the primary's server only: no clock of another one,
# and no transaction that the primary did not have, counts as lag.
_HEAD = """
SELECT pg_current_wal_lsn() - '0/0' AS position, system_identifier AS server
FROM pg_control_system()
"""
_TAIL = """
SELECT pg_last_wal_replay_lsn() - '0/0' AS position, system_identifier AS server,
    pg_is_in_recovery() AS is_standby
FROM pg_control_system()
"""
_log = structlog.get_logger()


class Replica:
    """Reads from the replica at `url` while it is at most `most_lag_s` behind `primary`.

    - `refusal`: the reason why the replica is not used, "" while it is.
    - `lag_s`: its lag at the last check in seconds, infinite while that is unknown.
    - `looked_at`: set once the first check has a result.
    """

    def __init__(self, url: str, primary: Pool, *, most_lag_s: float) -> None:
        self.address = describe_address(url)
        self.refusal = _UNKNOWN
        self.lag_s = inf
        self.looked_at = asyncio.Event()
        self._url = make_conninfo(url, tcp_user_timeout=_UNCONFIRMED_MS)
        self._primary = primary
        self._most_lag_s = most_lag_s
        self._pool: Pool | None = None
        self._unusable = asyncio.Event()
        # When the primary had written up to where; what the replica has replayed is taken out.
        self._unreplayed: deque[tuple[float, Decimal]] = deque(maxlen=_MOST_LOOKS)

    @property
    def pool(self) -> Pool | None:
        """The pool of the replica; None while it is not used."""
        return self._pool

    async def read(self, work: Callable[[Pool], Awaitable[T]]) -> T:
        """Do the work on the replica, or on the primary if that fails; return its result.

        Raises: DatabaseUnavailableError of the primary.
        """
        if pool := self._pool:
            # A replica that hangs is left as soon as the next look at it fails.
            with suppress(DatabaseUnavailableError):
                async with end_on(self._unusable):
                    return await work(pool)
        return await work(self._primary)

    async def watch(self) -> None:
        """Check the replica once a second, until cancelled."""
        while True:
            try:
                async with (
                    open_pool(self._url, 1, read_only=True) as tail,
                    open_pool(
                        self._url, self._primary.max_size, read_only=True, beside=tail
                    ) as pool,
                    open_pool(self._primary.url, 1, beside=self._primary) as head,
                ):
                    pool.timeout = _CHECKOUT_TIMEOUT_S
                    await self._follow(pool, head, tail)
            except (DatabaseUnavailableError, UnfitServerError) as error:
                self._leave(str(error))
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _follow(self, pool: Pool, head: Pool, tail: Pool) -> None:
        """Use the pool while checks succeed; return when the replica cannot be checked."""
        self._forget()
        while True:
            try:
                refusal = await self._look(head, tail)
            except (DatabaseUnavailableError, TimeoutError) as error:
                self._leave(str(error) or f"no answer within {_LOOK_WITHIN_S:g} s")
                return
            if refusal:
                self._leave(refusal)
            else:
                self._use(pool)
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _look(self, head: Pool, tail: Pool) -> str:
        """Check the replica; return the reason why it cannot be used, "" if it can."""
        began = asyncio.get_running_loop().time()
        newest: DictRow | None = None
        with suppress(DatabaseUnavailableError):  # nothing is written then, so nothing lags
            newest = await _row(head, _HEAD)
        async with asyncio.timeout(_LOOK_WITHIN_S):
            state = await _row(tail, _TAIL)
        if not state["is_standby"]:
            return "it is not a standby"
        if newest is not None:
            if newest["server"] != state["server"]:
                return "it is a standby of another server"
            self._measure(began, newest["position"], state["position"])
        if self.lag_s == inf:
            return _UNKNOWN
        is_late = self.lag_s > self._most_lag_s
        return f"it is {self.lag_s:.0f} s behind the primary" if is_late else ""

    def _forget(self) -> None:
        """Reset the lag to unknown until the replica has replayed what the primary has now."""
        self._unreplayed.clear()
        self.lag_s = inf

    def _measure(
        self, moment: float, head_position: Decimal, replica_position: Decimal | None
    ) -> None:
        if self._unreplayed and head_position < self._unreplayed[-1][1]:
            self._forget()  # a primary that was promoted has lost the end of the log
        self._unreplayed.append((moment, head_position))
        is_known = self.lag_s < inf
        while (
            self._unreplayed
            and replica_position is not None
            and self._unreplayed[0][1] <= replica_position
        ):
            self._unreplayed.popleft()
            is_known = True
        if is_known:
            now = asyncio.get_running_loop().time()
            self.lag_s = now - self._unreplayed[0][0] if self._unreplayed else 0.0

    def _use(self, pool: Pool) -> None:
        if self._pool is not pool:
            _log.info("replica.used", address=self.address)
            self._pool, self.refusal, self._unusable = pool, "", asyncio.Event()
        self.looked_at.set()

    def _leave(self, refusal: str) -> None:
        if self._pool is not None or self.refusal == _UNKNOWN != refusal:
            _log.warning("replica.left", address=self.address, reason=refusal)
        self._pool, self.refusal = None, refusal
        self._unusable.set()
        if refusal != _UNKNOWN:
            self.looked_at.set()


async def _row(pool: Pool, query: LiteralString) -> DictRow:
    row = await (await execute(pool, query)).fetchone()
    assert row is not None  # noqa: S101 - both queries always have a row
    return row
