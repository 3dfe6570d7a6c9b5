"""Archives the state of conversations that have been silent; none of their messages is lost."""

from collections.abc import Sequence
from dataclasses import dataclass

from langgraph.checkpoint.base import BaseCheckpointSaver

from rich_agent.domain.message import is_guest_thread
from rich_agent.errors import LaneLostError
from rich_agent.graph.memory.window import to_remember, turns_of
from rich_agent.ports.memories import Erased, Erasure, KeptThing, KeptTurn
from rich_agent.ports.turns import Archive, IdleThread, IdleThreads
from rich_agent.runtime.concurrency import task_group
from rich_agent.runtime.fencing import work_under


@dataclass(frozen=True, slots=True)
class IdleConversations:
    """Moves the turns of a state into the archive, to be summarized, and deletes the checkpoints.

    The user's lane is held meanwhile, so a new message waits until this is done.
    """

    threads: IdleThreads
    archive: Archive
    checkpointer: BaseCheckpointSaver[str]

    async def prune(self, days: float) -> int:
        """Archive conversations silent for `days`, at most 100; return how many were archived.

        Raises: DatabaseUnavailableError.
        """
        archived_count = 0
        for thread in await self.threads.silent_for(days):
            fence = await self.threads.take(thread)
            if fence is None:
                continue
            try:
                async with task_group() as group:
                    group.create_task(self._put_away_under(fence, thread))
                archived_count += 1
            except LaneLostError:
                continue
            await self.threads.give_back(fence)
        return archived_count

    async def _put_away_under(self, fence: int, thread: IdleThread) -> None:
        """Archive the thread while holding its lane."""
        work_under(fence)
        await self.put_away(thread)

    async def put_away(self, thread: IdleThread) -> None:
        """Archive the turns in a thread's state, then delete it; the caller holds the user's lane.

        Of a question in a group nothing is archived, because no conversation knows of it.

        Raises: DatabaseUnavailableError, LaneLostError.
        """
        if is_guest_thread(thread.user_id, thread.thread_id):
            await self.checkpointer.adelete_thread(thread.thread_id)
            return
        checkpoint = await self.checkpointer.aget_tuple(
            {"configurable": {"thread_id": thread.thread_id, "checkpoint_ns": ""}}
        )
        state = checkpoint.checkpoint["channel_values"] if checkpoint else {}
        messages = turns_of(state.get("messages", ()), thread.user_id, thread.thread_id)
        turns = to_remember(messages)
        if thread.fresh_from > state.get("fresh_from", 0):
            await self.archive.begin_anew(thread.user_id, turns)
        else:
            await self.archive.keep(turns, awaits_fold=True)
        await self.threads.heed_new(thread)
        await self.checkpointer.adelete_thread(thread.thread_id)


@dataclass(frozen=True, slots=True)
class ErasureEverywhere:
    """Implements `Erasure` for users with several conversations.

    The states of the user's other conversations may hold items that are to be erased. So they are
    archived and deleted first; the erasure then covers the archive.
    """

    stored: Erasure
    idle: IdleConversations

    async def turns(self, user_id: int) -> Sequence[KeptTurn]:
        """See `Erasure.turns`."""
        return await self.stored.turns(user_id)

    async def things(self, user_id: int) -> Sequence[KeptThing]:
        """See `Erasure.things`."""
        return await self.stored.things(user_id)

    async def erase(self, erasure: Erased) -> None:
        """See `Erasure.erase`."""
        for thread in await self.idle.threads.others(erasure.user_id, erasure.thread_id):
            await self.idle.put_away(thread)
        await self.stored.erase(erasure)
