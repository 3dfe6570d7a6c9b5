"""LangGraph's checkpointer on the program's connection pool."""

import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow
from typing_extensions import override

from rich_agent.errors import LaneLostError
from rich_agent.repositories.database.fences import IS_HELD, LANE, checkout_held
from rich_agent.repositories.database.pools import Pool, checkout_unproven, execute
from rich_agent.runtime.fencing import current_fence, lane_cache, note_progress

# One statement, so that nothing can stop between the check of the fence and the writes. Each
# checkpoint replaces the one before it: a conversation goes on from its latest one only.
_STORE = f"""
WITH {LANE}, holder AS MATERIALIZED (
    SELECT {IS_HELD} AS has_lane
), stored AS (
    INSERT INTO checkpoints
        (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
    SELECT %(thread)s, %(ns)s, %(id)s, NULL, %(checkpoint)s::jsonb, %(metadata)s::jsonb
    FROM holder WHERE has_lane
    ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id)
    DO UPDATE SET checkpoint = excluded.checkpoint, metadata = excluded.metadata
), new_values AS (
    INSERT INTO checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    SELECT %(thread)s, %(ns)s, new.*
    FROM holder, unnest(%(channels)s::text[], %(versions)s::text[], %(types)s::text[],
        %(blobs)s::bytea[]) AS new (channel, version, type, blob)
    WHERE has_lane AND NOT EXISTS (
        SELECT FROM checkpoint_blobs AS known
        WHERE thread_id = %(thread)s AND checkpoint_ns = %(ns)s
            AND (known.channel, known.version) = (new.channel, new.version)
    )
), older AS (
    DELETE FROM checkpoints USING holder WHERE has_lane
        AND thread_id = %(thread)s AND checkpoint_ns = %(ns)s AND checkpoint_id <> %(id)s
), older_writes AS (
    DELETE FROM checkpoint_writes USING holder WHERE has_lane
        AND thread_id = %(thread)s AND checkpoint_ns = %(ns)s AND checkpoint_id <> %(id)s
), older_values AS (
    DELETE FROM checkpoint_blobs USING holder WHERE has_lane
        AND thread_id = %(thread)s AND checkpoint_ns = %(ns)s
        AND version IS DISTINCT FROM %(checkpoint)s::jsonb -> 'channel_versions' ->> channel
)
SELECT has_lane FROM holder
"""
_NEWEST = "ORDER BY checkpoint_id DESC LIMIT 1"
_PLAIN = (str, int, float, bool)


def _is_plain(value: object) -> bool:
    """Whether a value fits into the checkpoint's JSON in a few bytes, unchanged.

    A separate row for a value takes hundreds of bytes.
    """
    is_empty = type(value) in {list, dict} and not value
    return is_empty or value is None or isinstance(value, _PLAIN)


@dataclass(frozen=True, slots=True)
class _Value:
    """The value of a channel, serialized."""

    version: str
    kind: str
    blob: bytes


MayWait = Callable[[CheckpointMetadata, Mapping[str, Any]], bool]
"""Whether a checkpoint may be stored with the next one, by its metadata and its values."""


def store_at_once(_metadata: CheckpointMetadata, _values: Mapping[str, Any]) -> bool:
    """Rule that lets no checkpoint wait."""
    return False


@dataclass(slots=True)
class _Thread:
    """The latest checkpoint of a thread, which nobody else changes while its lane is held.

    - `columns`: those of its row, with JSON as text; {} if the thread has none.
    - `values`: its values by channel.
    - `writes`: the columns of its pending writes.
    - `unstored`: the values that are not stored yet; None if the checkpoint is stored.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, _Value] = field(default_factory=dict)
    writes: Sequence[Any] | None = None
    unstored: Mapping[str, _Value] | None = None

    def put(self, columns: Mapping[str, str], new_values: Mapping[str, _Value]) -> None:
        """Make this the latest checkpoint, whose values are the earlier ones and the new ones."""
        checkpoint = json.loads(columns["checkpoint"])
        versions, plain_values = checkpoint["channel_versions"], checkpoint["channel_values"]
        self.values = {
            channel: value
            for channel, value in {**self.values, **new_values}.items()
            if value.version == versions.get(channel) and channel not in plain_values
        }
        unstored = {**(self.unstored or {}), **new_values}
        self.unstored = {
            channel: value for channel, value in self.values.items() if channel in unstored
        }
        self.columns, self.writes = columns, None


class PostgresCheckpointer(AsyncPostgresSaver):
    """The library's tables, written by one statement for each step.

    `on_stored` is told of each step by the bytes of the values that it stored.

    The pool gives every operation a separate connection; with the library's lock, only one turn at
    a time could write. All writes are under the task's fence. What a node returned is stored with
    the checkpoint that follows it at once, and not a second time before it.

    Under a fence a thread is read once, because only this process changes it. The first checkpoints
    of a turn are stored together with the next one, as long as `may_wait` permits it.
    """

    def __init__(
        self, pool: Pool, serializer: JsonPlusSerializer, may_wait: MayWait = store_at_once
    ) -> None:
        super().__init__(pool, serde=serializer)
        self._pool = pool
        self._may_wait = may_wait
        self._owner = object()  # the same for the copy of this saver that a graph makes
        self.lock = contextlib.nullcontext()  # type: ignore[assignment]  # see above
        self.on_stored: Callable[[int], object] = lambda _size_bytes: None

    @override
    def get_next_version(self, current: str | None, channel: None) -> str:
        # Without the library's random part, which tells forks of a thread apart: there are none,
        # and dozens of them in each checkpoint are most of it.
        return super().get_next_version(current, channel).partition(".")[0]

    @override
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        if get_checkpoint_id(config):
            return await super().aget_tuple(config)
        name, threads = _name_of(config), self._threads_of_lane()
        if name not in threads:
            threads[name] = await self._read(*name)
        return await self._load(threads[name])

    async def _read(self, thread_id: str, namespace: str) -> _Thread:
        query = f"{self.SELECT_SQL} WHERE thread_id = %s AND checkpoint_ns = %s {_NEWEST}"
        cursor = await execute(self._pool, query, (thread_id, namespace), binary=True)
        row = await cursor.fetchone()
        if row is None:
            return _Thread()
        checkpoint, metadata = row["checkpoint"], row["metadata"]
        columns = {
            "thread": thread_id,
            "ns": namespace,
            "id": row["checkpoint_id"],
            "checkpoint": json.dumps(checkpoint),
            "metadata": json.dumps(metadata),
        }
        values = {
            channel.decode(): _Value(
                checkpoint["channel_versions"][channel.decode()], kind.decode(), blob
            )
            for channel, kind, blob in row["channel_values"] or ()
        }
        return _Thread(columns, values, row["pending_writes"])

    async def _load(self, thread: _Thread) -> CheckpointTuple | None:
        if not thread.columns:
            return None
        columns = thread.columns
        row: DictRow = {
            "thread_id": columns["thread"],
            "checkpoint_ns": columns["ns"],
            "checkpoint_id": columns["id"],
            "parent_checkpoint_id": None,
            "checkpoint": json.loads(columns["checkpoint"]),
            "metadata": json.loads(columns["metadata"]),
            "channel_values": [
                (channel.encode(), value.kind.encode(), value.blob)
                for channel, value in thread.values.items()
            ],
            "pending_writes": thread.writes,
        }
        return await self._load_checkpoint_tuple(row)

    @override
    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        columns = self._columns_of(config, checkpoint, metadata)
        new_values = self._values_of(checkpoint, new_versions)
        lane_thread = self._threads_of_lane().get(_name_of(config))
        thread = lane_thread or _Thread()
        is_beginning = metadata.get("source") == "input" or thread.unstored is not None
        thread.put(columns, new_values)
        if not (
            lane_thread and is_beginning and self._may_wait(metadata, checkpoint["channel_values"])
        ):
            await self._store(thread)
            # What a turn begins with is stored again by each attempt.
            if metadata.get("source") == "loop":
                await note_progress()
        place = {name: config["configurable"][name] for name in ("thread_id", "checkpoint_ns")}
        return {"configurable": {**place, "checkpoint_id": checkpoint["id"]}}

    async def _store(self, thread: _Thread) -> None:
        """Store the thread's checkpoint with its new values. Raises: LaneLostError."""
        fence, new_values = current_fence(), thread.unstored or {}
        lists = {
            "channels": list(new_values),
            "versions": [value.version for value in new_values.values()],
            "types": [value.kind for value in new_values.values()],
            "blobs": [value.blob for value in new_values.values()],
        }
        cursor = await execute(self._pool, _STORE, {"fence": fence, **thread.columns, **lists})
        row = await cursor.fetchone()
        if not row or not row["has_lane"]:
            raise LaneLostError(f"lane of fence {fence}, at a checkpoint of {thread.columns}")
        thread.unstored = None
        self.on_stored(sum(len(value.blob) for value in new_values.values()))

    @override
    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        if task_path and not any(channel in WRITES_IDX_MAP for channel, _ in writes):
            return
        name, threads = _name_of(config), self._threads_of_lane()
        if name in threads:
            if threads[name].unstored is not None:
                await self._store(threads[name])
            threads.pop(name, None)
        await super().aput_writes(config, writes, task_id, task_path)

    @override
    async def adelete_thread(self, thread_id: str) -> None:
        threads = self._threads_of_lane()
        for name in [name for name in threads if name[0] == thread_id]:
            del threads[name]
        await super().adelete_thread(thread_id)

    @override
    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        if strategy != "keep_latest":  # which each checkpoint does
            await super().aprune(thread_ids, strategy=strategy)

    def _threads_of_lane(self) -> dict[tuple[str, str], _Thread]:
        """The threads that were read under this task's lane, by name; a new dict without a lane."""
        cache = lane_cache(self._owner)
        return {} if cache is None else cache

    def _columns_of(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata
    ) -> dict[str, str]:
        """The parameters of `_STORE` for a row; plain values are stored inside the checkpoint."""
        values = checkpoint["channel_values"]
        plain_values = {channel: value for channel, value in values.items() if _is_plain(value)}
        thread_id, namespace = _name_of(config)
        return {
            "thread": thread_id,
            "ns": namespace,
            "id": checkpoint["id"],
            "checkpoint": json.dumps({**checkpoint, "channel_values": plain_values}),
            "metadata": json.dumps(get_serializable_checkpoint_metadata(config, metadata)),
        }

    def _values_of(
        self, checkpoint: Checkpoint, new_versions: ChannelVersions
    ) -> dict[str, _Value]:
        """The new values that are stored in rows of their own."""
        values = checkpoint["channel_values"]
        return {
            channel: _Value(str(version), *self.serde.dumps_typed(values[channel]))
            for channel, version in new_versions.items()
            if channel in values and not _is_plain(values[channel])
        }

    @override
    @contextlib.asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        # The library uses a pipeline for writes. Not here: inside a pipeline, the timeout for
        # idle transactions does not apply.
        lent = checkout_held(self._pool) if pipeline else checkout_unproven(self._pool)
        async with lent as connection, connection.cursor(binary=True) as cursor:
            yield cursor


def _name_of(config: RunnableConfig) -> tuple[str, str]:
    """The thread's id and its namespace."""
    place = config["configurable"]
    return place["thread_id"], place.get("checkpoint_ns", "")


def make_checkpointer(pool: Pool, may_wait: MayWait = store_at_once) -> PostgresCheckpointer:
    """Create a checkpointer that never creates tables, and never imports names from stored rows.

    Its serializer is strict, whatever the environment says: the library's default would run any
    callable that a crafted row names. The methods raise DatabaseUnavailableError.
    """
    serializer = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)
    return PostgresCheckpointer(pool, serializer, may_wait)
