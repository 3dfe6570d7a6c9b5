"""Connection pools, the settings of their server, and the translation of PostgreSQL's errors."""

import asyncio
import select
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf
from typing import Any, LiteralString
from weakref import WeakKeyDictionary

import psycopg
from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection, AsyncCursor
from psycopg.abc import Params
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, dict_row
from psycopg.sql import Composed
from psycopg.types import TypeInfo
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout
from typing_extensions import override

from rich_agent.errors import DatabaseUnavailableError, UnfitServerError
from rich_agent.repositories.database.outages import is_full, is_outage
from rich_agent.repositories.database.servers import keeps_sessions
from rich_agent.runtime.fencing import current_fence

Connection = AsyncConnection[DictRow]
Query = LiteralString | Composed


class Pool(AsyncConnectionPool[Connection]):
    """A pool whose waiting callers can be cancelled.

    The pool uses `asyncio.wait_for`. Before Python 3.12, this loses a cancellation that arrives
    together with the awaited result, so a task that only ends by cancellation never ends.
    Source: https://github.com/python/cpython/issues/86296.

    `keeps_sessions`: what a connection sets, locks or prepares is there at its next statement.
    `full_at` is when the server last had no room or no disk, `stored_at` when it last stored
    something to show that it can; both are times of `time.monotonic`.
    """

    keeps_sessions = True
    read_only = False
    full_at = -inf
    stored_at = -inf

    def __init__(self, url: str, **options: Any) -> None:  # noqa: ANN401 - as the library
        self.url = url
        super().__init__(url, check=self._look_at, **{"open": False, **options})
        self._used_at: WeakKeyDictionary[Connection, float] = WeakKeyDictionary()

    @override
    async def getconn(self, timeout: float | None = None) -> Connection:
        """A connection. Raises: PoolTimeout, PoolClosed."""
        task = asyncio.current_task()
        before = task.cancelling() if task else 0
        connection = await self._patiently(timeout)
        if task and task.cancelling() > before:
            await self.putconn(connection)
            raise asyncio.CancelledError
        return connection

    @override
    async def putconn(self, conn: Connection) -> None:
        """Take a connection back."""
        self._used_at[conn] = time.monotonic()
        await super().putconn(conn)

    async def _look_at(self, connection: Connection) -> None:
        """Raise an error if the connection is lost.

        Where the first statement can be done again, one that was just in use, and has been told
        nothing since, needs no statement for that.
        """
        age_s = time.monotonic() - self._used_at.get(connection, 0.0)
        if _can_repeat.get() and age_s < _TRUSTED_FOR_S and not _has_unread(connection):
            return
        try:
            await self.check_connection(connection)
        except psycopg.OperationalError:
            # The cause has probably cut the others too; by itself the pool would try them one by
            # one, with seconds in between.
            await self.check()
            raise

    async def _patiently(self, timeout_s: float | None) -> Connection:
        """A connection; where all are lent to others, as in a crowd, it is waited for longer.

        So it is by a turn while the database is away: it would fail, and call its models again.
        What is only read may be had elsewhere.
        """
        before = self.get_stats()
        is_turn = current_fence() is not None and not self.read_only
        for _ in range(_PATIENT_WAITS):
            try:
                return await super().getconn(timeout_s)
            except PoolTimeout:
                now = self.get_stats()
                is_lent = now["pool_size"] == self.max_size and not now["pool_available"]
                is_away = any(now.get(name) != before.get(name) for name in _FAILURES)
                if not is_turn and (is_away or not is_lent):
                    raise
        return await super().getconn(timeout_s)


_START_TIMEOUT_S = 5
_SESSIONS = 4
_CONNECTION_OPTIONS: Mapping[str, Any] = {
    "autocommit": True,
    "row_factory": dict_row,
    "connect_timeout": _START_TIMEOUT_S,
    "application_name": "rich-agent",
    # A server that vanished silently is noticed after 30 s, not after two hours.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
}
_CHECKOUT_TIMEOUT_S = 5.0
# As long as keepalives have had no reason to begin.
_TRUSTED_FOR_S = 10.0
KILLED = (psycopg.errors.AdminShutdown, psycopg.errors.IdleSessionTimeout)
"""A session that was ended from outside: its open transaction is undone, so nothing was done."""
_PATIENT_WAITS = 11
_FAILURES = ("connections_lost", "connections_errors")
# Short: the pool doubles its pauses, but the next caller makes it try again at once.
_RECONNECT_FOR_S = 2.0
_PASSING = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.IdleInTransactionSessionTimeout,  # this process was stopped meanwhile
    psycopg.errors.ReadOnlySqlTransaction,  # a standby, seen during a failover
    PoolTimeout,
    PoolClosed,
    TimeoutError,
)


@dataclass(frozen=True, slots=True)
class Databases:
    """The pools of both databases; the same pool twice if there is only one database.

    `sessions` reaches the first one past any pooler. Listening, locks and leases have its
    connections to themselves, so that no crowd keeps them waiting.
    """

    app: Pool
    rag: Pool
    sessions: Pool


def describe_address(url: str) -> str:
    """Host and database of a URL, never its password.

    Raises: DatabaseUnavailableError if it cannot be read.
    """
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise _unreadable_address() from None  # libpq's message may quote a part of the password
    host = parts.get("host") or parts.get("hostaddr") or "localhost"
    port = str(parts.get("port") or 5432)
    if not port.replace(",", "").isdecimal():
        raise _unreadable_address()  # a password with a slash ends up here
    return f"{host}:{port}, database {parts.get('dbname') or 'postgres'}"


@contextmanager
def translate_database_errors(pool: Pool) -> Iterator[None]:
    """Turn temporary failures (lost connection, deadlock, full disk) into our own error.

    Other database errors are bugs of this program and are passed on.
    """
    with _naming(pool.name):
        try:
            yield
        except psycopg.OperationalError as error:
            if is_full(error):
                pool.full_at = time.monotonic()
            raise


_can_repeat: ContextVar[bool] = ContextVar("can_repeat", default=False)
_task_connection: ContextVar[tuple[Pool, Connection, object] | None] = ContextVar(
    "joined", default=None
)


def _connection_of_task(pool: Pool) -> Connection | None:
    of, connection, task = _task_connection.get() or (None, None, None)
    return connection if of is pool and task is asyncio.current_task() else None


@asynccontextmanager
async def checkout(pool: Pool) -> AsyncIterator[Connection]:
    """A connection of the pool, or that of `one_transaction`; its errors are translated.

    Raises: DatabaseUnavailableError.
    """
    with translate_database_errors(pool):
        if own_connection := _connection_of_task(pool):
            yield own_connection
            return
        async with pool.connection() as connection:
            yield connection


@asynccontextmanager
async def one_transaction(pool: Pool) -> AsyncIterator[Connection]:
    """A transaction that every `checkout` of this pool by the task in the block takes part in.

    Raises: DatabaseUnavailableError.
    """
    async with AsyncExitStack() as stack:
        connection = await _begin(pool, stack)
        token = _task_connection.set((pool, connection, asyncio.current_task()))
        try:
            yield connection
        finally:
            _task_connection.reset(token)


@asynccontextmanager
async def checkout_unproven(pool: Pool) -> AsyncIterator[Connection]:
    """As `checkout`, for a caller that repeats its first statement if the connection was killed.

    It is not asked whether it lives, which would be a statement.
    """
    async with AsyncExitStack() as lent:
        token = _can_repeat.set(True)
        try:
            connection = await lent.enter_async_context(checkout(pool))
        finally:
            _can_repeat.reset(token)
        yield connection


async def _begin(pool: Pool, stack: AsyncExitStack) -> Connection:
    if not _connection_of_task(pool):
        async with AsyncExitStack() as first:
            connection = await first.enter_async_context(checkout_unproven(pool))
            with suppress(psycopg.OperationalError):  # nothing was done before the beginning
                await first.enter_async_context(connection.transaction())
                stack.push_async_exit(first.pop_all())
                return connection
        await pool.check()
    connection = await stack.enter_async_context(checkout(pool))
    await stack.enter_async_context(connection.transaction())
    return connection


async def execute(
    pool: Pool, query: Query, values: Params | None = None, *, binary: bool = False
) -> AsyncCursor[DictRow]:
    """The result of a single statement, which is done again if its connection was killed.

    With `binary`, values come as the server keeps them, which spares reading numbers from text.
    Raises: DatabaseUnavailableError.
    """
    if not _connection_of_task(pool):
        async with checkout_unproven(pool) as connection:
            with suppress(*KILLED):
                return await connection.execute(query, values, binary=binary)
        await pool.check()
    async with checkout(pool) as connection:
        return await connection.execute(query, values, binary=binary)


@asynccontextmanager
async def open_pool(
    url: str, max_size: int, *, read_only: bool = False, beside: Pool | None = None
) -> AsyncIterator[Pool]:
    """A pool of checked connections with autocommit, rows as dicts, and pgvector's types.

    If the database becomes unavailable later, only single calls fail; the pool reconnects by
    itself. In a `read_only` pool, PostgreSQL refuses every write. A pool `beside` another one of
    the same address knows the server from it, and opens its connections when they are needed.

    Raises: DatabaseUnavailableError within about 5 s if the database cannot be reached;
    UnfitServerError if it is too old.
    """
    address, options = describe_address(url), dict(_CONNECTION_OPTIONS)
    is_kept = beside.keeps_sessions if beside else await _look_at(url, read_only=read_only)
    if not is_kept:
        options["prepare_threshold"] = None

    pool = Pool(
        url,
        name=address,
        min_size=1 if beside is None else 0,
        max_size=max_size,
        kwargs=options,
        configure=_prepare_reader if read_only else _prepare,
        timeout=_CHECKOUT_TIMEOUT_S,
        reconnect_timeout=_RECONNECT_FOR_S,
    )
    pool.keeps_sessions, pool.read_only = is_kept, read_only
    async with pool:
        with _naming(address):
            await pool.wait(_START_TIMEOUT_S)
        yield pool


@asynccontextmanager
async def open_pools(
    app_url: str, rag_url: str, max_size: int, *, direct_url: str = "", read_only: bool = False
) -> AsyncIterator[Databases]:
    """All pools; if the addresses are the same, one pool for both databases.

    Raises: DatabaseUnavailableError; UnfitServerError, also if neither the first address nor
    `direct_url` keeps sessions.
    """
    if read_only and direct_url:
        # Behind a pooler, a session that only reads would be lent to those who write.
        app_url, rag_url = direct_url, direct_url if rag_url == app_url else rag_url
    async with AsyncExitStack() as stack:

        async def pool_of(url: str, size: int, beside: Pool | None = None) -> Pool:
            pool = open_pool(url, size, read_only=read_only, beside=beside)
            return await stack.enter_async_context(pool)

        app = await pool_of(app_url, max_size)
        rag = app if rag_url == app_url else await pool_of(rag_url, max_size)
        is_direct = direct_url in {"", app_url}
        sessions = await pool_of(direct_url or app_url, _SESSIONS, app if is_direct else None)
        if not sessions.keeps_sessions:
            raise UnfitServerError(
                "a pooler in transaction mode stands before PostgreSQL, where no process hears of "
                "new messages",
                hint="Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or let the "
                "pooler pool sessions (PgBouncer: pool_mode = session).",
            )
        yield Databases(app, rag, sessions)


def _unreadable_address() -> DatabaseUnavailableError:
    return DatabaseUnavailableError(
        "the address of the database cannot be read",
        hint="Write postgresql://USER:PASSWORD@HOST:5432/NAME; in the password, write / as %2F, "
        ": as %3A and @ as %40.",
    )


@contextmanager
def _naming(address: str) -> Iterator[None]:
    try:
        yield
    except _PASSING as error:
        reason = " ".join(str(error).split()) or f"no answer within {_START_TIMEOUT_S} s"
        raise DatabaseUnavailableError(
            f"PostgreSQL at {address}: {reason}", is_outage=is_outage(error)
        ) from error


async def _look_at(url: str, *, read_only: bool) -> bool:
    # A pool only reports a timeout; a plain connection reports the reason.
    with _naming(describe_address(url)):
        async with asyncio.timeout(_START_TIMEOUT_S):
            return await keeps_sessions(url, dict(_CONNECTION_OPTIONS), read_only=read_only)


def _has_unread(connection: Connection) -> bool:
    """Whether the server has said something, or has closed the connection."""
    if connection.closed:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


async def _prepare(connection: Connection) -> None:
    # Compiling a search takes longer than the search.
    await connection.execute("SET jit = off")
    if await TypeInfo.fetch(connection, "vector") is not None:
        await register_vector_async(connection)


async def _prepare_reader(connection: Connection) -> None:
    await _prepare(connection)
    await connection.execute("SET default_transaction_read_only = on")
