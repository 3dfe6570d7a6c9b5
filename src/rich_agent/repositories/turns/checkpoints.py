"""LangGraph's checkpointer on the program's connection pool."""

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb
from typing_extensions import override

from rich_agent.errors import DatabaseUnavailableError, LaneLostError
from rich_agent.repositories.database.fences import IS_HELD, LANE, checkout_held
from rich_agent.repositories.database.pools import (
    KILLED,
    Pool,
    checkout_unproven,
    execute,
)
from rich_agent.runtime.fencing import current_fence, note_progress

# One statement, so that nothing can stop between the check of the fence and the writes. Each
# checkpoint replaces the one before it: a conversation goes on from its latest one only.
_STORE = f"""
WITH {LANE}, holder AS MATERIALIZED (
    SELECT {IS_HELD} AS has_lane
), stored AS (
    INSERT INTO checkpoints
        (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
    SELECT %(thread)s, %(ns)s, %(id)s, NULL, %(checkpoint)s, %(metadata)s
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
_PLAIN = (str, int, float, bool)


def _is_plain(value: object) -> bool:
    """Whether a value fits into the checkpoint's JSON in a few bytes, unchanged.

    A separate row for a value takes hundreds of bytes.
    """
    is_empty = type(value) in {list, dict} and not value
    return is_empty or value is None or isinstance(value, _PLAIN)


class PostgresCheckpointer(AsyncPostgresSaver):
    """The library's tables, written by one statement for each step.

    `on_stored` is told of each step by the bytes of the values that it stored.

    The pool gives every operation a separate connection; with the library's lock, only one turn at
    a time could write. All writes are under the task's fence. What a node returned is stored with
    the checkpoint that follows it at once, and not a second time before it.
    """

    def __init__(self, pool: Pool, serializer: JsonPlusSerializer) -> None:
        super().__init__(pool, serde=serializer)
        self._pool = pool
        self.lock = contextlib.nullcontext()  # type: ignore[assignment]  # see above
        self.on_stored: Callable[[int], object] = lambda _size_bytes: None

    @override
    def get_next_version(self, current: str | None, channel: None) -> str:
        # Without the library's random part, which tells forks of a thread apart: there are none,
        # and dozens of them in each checkpoint are most of it.
        return super().get_next_version(current, channel).partition(".")[0]

    @override
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        try:
            return await super().aget_tuple(config)
        except DatabaseUnavailableError as error:
            if not isinstance(error.__cause__, KILLED):
                raise
        return await super().aget_tuple(config)

    @override
    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        fence = current_fence()
        values = self._values_of(config, checkpoint, metadata, new_versions)
        cursor = await execute(self._pool, _STORE, {"fence": fence, **values})
        row = await cursor.fetchone()
        if not row or not row["has_lane"]:
            raise LaneLostError(f"lane of fence {fence}, at a checkpoint of {values['thread']}")
        self.on_stored(sum(map(len, values["blobs"])))
        # What a turn begins with is stored again by each attempt.
        if metadata.get("source") == "loop":
            await note_progress()
        place = {name: config["configurable"][name] for name in ("thread_id", "checkpoint_ns")}
        return {"configurable": {**place, "checkpoint_id": checkpoint["id"]}}

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
        await super().aput_writes(config, writes, task_id, task_path)

    @override
    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        if strategy != "keep_latest":  # which each checkpoint does
            await super().aprune(thread_ids, strategy=strategy)

    def _values_of(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> dict[str, Any]:
        """The parameters of `_STORE`; plain values are stored inside the checkpoint."""
        thread_config = config["configurable"]
        values = checkpoint["channel_values"]
        plain_values = {channel: value for channel, value in values.items() if _is_plain(value)}
        version_by_channel = {
            channel: version
            for channel, version in new_versions.items()
            if channel in values and channel not in plain_values
        }
        rows = [
            (channel, version, *self.serde.dumps_typed(values[channel]))
            for channel, version in version_by_channel.items()
        ]
        return {
            "thread": thread_config["thread_id"],
            "ns": thread_config["checkpoint_ns"],
            "id": checkpoint["id"],
            "checkpoint": Jsonb({**checkpoint, "channel_values": plain_values}),
            "metadata": Jsonb(get_serializable_checkpoint_metadata(config, metadata)),
            "channels": [channel for channel, *_ in rows],
            "versions": [str(version) for _, version, *_ in rows],
            "types": [kind for *_, kind, _ in rows],
            "blobs": [blob for *_, blob in rows],
        }

    @override
    @contextlib.asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        # The library uses a pipeline for writes. Not here: inside a pipeline, the timeout for
        # idle transactions does not apply.
        lent = checkout_held(self._pool) if pipeline else checkout_unproven(self._pool)
        async with lent as connection, connection.cursor(binary=True) as cursor:
            yield cursor


def make_checkpointer(pool: Pool) -> PostgresCheckpointer:
    """Create a checkpointer that never creates tables, and never imports names from stored rows.

    Its serializer is strict, whatever the environment says: the library's default would run any
    callable that a crafted row names. The methods raise DatabaseUnavailableError.
    """
    serializer = JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)
    return PostgresCheckpointer(pool, serializer)
