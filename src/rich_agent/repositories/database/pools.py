"""Connection pools, transactions, and the translation of PostgreSQL's errors."""

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

from rich_agent.errors import DatabaseUnavailableError, Target, UnfitServerError
from rich_agent.repositories.database.outages import is_full, is_outage
from rich_agent.repositories.database.servers import keeps_sessions
from rich_agent.runtime.fencing import current_fence
from rich_agent.runtime.reach import in_reach, out_of_reach

Connection = AsyncConnection[DictRow]
Query = LiteralString | Composed


class Pool(AsyncConnectionPool[Connection]):
    """A connection pool whose waiting callers can be cancelled.

    - `keeps_sessions`: whether settings, locks and prepared statements of a connection are there
      at its next statement.
    - `read_only`: whether PostgreSQL refuses writes by this pool.
    - `full_at`: when the server's disk was last full or unusable, by `time.monotonic`.
    - `stored_at`: when `check_writes` last succeeded, by `time.monotonic`.

    The library uses `asyncio.wait_for`. Before Python 3.12, that loses a cancellation that arrives
    together with the awaited result, so a task that only ends by cancellation would never end.
    Source: https://github.com/python/cpython/issues/86296.
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
        """Borrow a connection. Raises: PoolTimeout, PoolClosed."""
        task = asyncio.current_task()
        earlier_cancellations = task.cancelling() if task else 0
        connection = await self._patiently(timeout)
        if task and task.cancelling() > earlier_cancellations:
            await self.putconn(connection)
            raise asyncio.CancelledError
        return connection

    @override
    async def putconn(self, conn: Connection) -> None:
        """Give a connection back."""
        self._used_at[conn] = time.monotonic()
        await super().putconn(conn)

    async def _look_at(self, connection: Connection) -> None:
        """Check that the connection works. Raises: psycopg.OperationalError if it is lost.

        If the caller can repeat its first statement, no check is made for a connection that was
        used within 10 s and has received nothing since.
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
        """Borrow a connection; wait longer than the timeout while all are in use, as in a crowd.

        A turn also waits longer while the database is away, because a failed turn would call its
        models again. A read-only pool does not, because its callers can read elsewhere.
        """
        earlier_stats = self.get_stats()
        is_turn = current_fence() is not None and not self.read_only
        for _ in range(_PATIENT_WAITS):
            try:
                return await super().getconn(timeout_s)
            except PoolTimeout:
                stats = self.get_stats()
                is_lent = stats["pool_size"] == self.max_size and not stats["pool_available"]
                is_away = any(stats.get(name) != earlier_stats.get(name) for name in _FAILURES)
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
"""Errors of a session that was ended from outside, whose open transaction is rolled back."""
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
    """The pools of both databases; `app` and `rag` are the same if there is only one database.

    `sessions` reaches the application's database without a pooler. It is only for listening, locks
    and leases, so that these never wait for a connection in a crowd.
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
    """Turn temporary failures (lost connection, deadlock, full disk) into DatabaseUnavailableError.

    Other database errors are bugs of this program, and are passed on.
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
    pool_of_task, connection, task = _task_connection.get() or (None, None, None)
    return connection if pool_of_task is pool and task is asyncio.current_task() else None


def in_transaction(pool: Pool) -> bool:
    """Whether this task is inside `one_transaction` of the pool."""
    return _connection_of_task(pool) is not None


@asynccontextmanager
async def checkout(pool: Pool) -> AsyncIterator[Connection]:
    """Borrow a connection of the pool; inside `one_transaction`, that of the transaction.

    Raises: DatabaseUnavailableError, also for temporary failures in the block.
    """
    with translate_database_errors(pool):
        if own_connection := _connection_of_task(pool):
            yield own_connection
            return
        async with pool.connection() as connection:
            yield connection


@asynccontextmanager
async def one_transaction(pool: Pool) -> AsyncIterator[Connection]:
    """A transaction, whose connection each `checkout` of the pool by this task returns meanwhile.

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

    A connection that was just in use is not checked first, which would cost a statement.
    """
    async with AsyncExitStack() as stack:
        token = _can_repeat.set(True)
        try:
            connection = await stack.enter_async_context(checkout(pool))
        finally:
            _can_repeat.reset(token)
        yield connection


async def _begin(pool: Pool, stack: AsyncExitStack) -> Connection:
    if not _connection_of_task(pool):
        async with AsyncExitStack() as transaction_stack:
            connection = await transaction_stack.enter_async_context(checkout_unproven(pool))
            with suppress(psycopg.OperationalError):  # nothing was done before the beginning
                await transaction_stack.enter_async_context(connection.transaction())
                stack.push_async_exit(transaction_stack.pop_all())
                return connection
        await pool.check()
    connection = await stack.enter_async_context(checkout(pool))
    await stack.enter_async_context(connection.transaction())
    return connection


async def execute(
    pool: Pool, query: Query, values: Params | None = None, *, binary: bool = False
) -> AsyncCursor[DictRow]:
    """Run a single statement, again if its connection was killed; return its cursor.

    With `binary`, values arrive in the server's binary format, so no numbers are parsed from text.

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
    """Open a pool of connections with autocommit, rows as dicts, and pgvector's types.

    If the database becomes unavailable later, calls fail until the pool has reconnected by itself.
    In a `read_only` pool, PostgreSQL refuses all writes. `beside` is another pool of the same
    address: then the server is not checked again, and connections are opened when they are needed.

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
    """Open all pools; if both addresses are the same, both databases share one pool.

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
    target = Target("database", address)
    try:
        yield
    except _PASSING as error:
        reason = " ".join(str(error).split()) or f"no answer within {_START_TIMEOUT_S} s"
        failure = DatabaseUnavailableError(
            f"PostgreSQL at {address}: {reason}", is_outage=is_outage(error)
        )
        raise (out_of_reach(target, failure) if failure.is_outage else failure) from error
    in_reach(target)


async def _look_at(url: str, *, read_only: bool) -> bool:
    # A pool only reports a timeout; a plain connection reports the reason.
    with _naming(describe_address(url)):
        async with asyncio.timeout(_START_TIMEOUT_S):
            return await keeps_sessions(url, dict(_CONNECTION_OPTIONS), read_only=read_only)


def _has_unread(connection: Connection) -> bool:
    """Whether the server has sent something, or has closed the connection."""
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
