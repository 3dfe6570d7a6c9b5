"""Work that the bot puts into its own inbox as an update, such as a replay of a dead letter."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rich_agent.errors import FeatureMissingError, TurnHeldError
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.operations import Attempts
from rich_agent.telegram.deliver.messenger import Hold, ReplyTarget
from rich_agent.telegram.receive.envelope import kind_of
from rich_agent.telegram.serve.notices import Notices


async def tell_nobody(_update_id: int) -> ReplyTarget | None:
    """Callback for work that nobody waits for."""
    return None


@dataclass(frozen=True, slots=True)
class InternalWork:
    """The functions for one kind of work. Each takes the id of the work's update.

    - `do` does the work. It may run twice.
    - `tell` returns the chat to tell if the work fails or has to wait; None if nobody is told.
    - `fail` and `wait` tell people who follow the work elsewhere than in Telegram.
    """

    do: Callable[[int, Hold], Awaitable[None]]
    tell: Callable[[int], Awaitable[ReplyTarget | None]] = tell_nobody
    fail: Callable[[int, Exception], Awaitable[None]] | None = None
    wait: Callable[[int, TurnHeldError], Awaitable[None]] | None = None


@dataclass(frozen=True, slots=True)
class InternalKinds:
    """Internal work, by the kind that `internal_update` gave it.

    `other` makes the work of a kind that is not in `kinds`. `notices` sends notices of features.
    """

    kinds: Mapping[str, InternalWork] = field(default_factory=dict)
    other: Callable[[str], InternalWork] | None = None
    notices: Notices | None = None

    async def do(self, updates: Sequence[StoredUpdate], hold: Hold) -> bool:
        """Do the work of internal updates; return False if the updates are not internal.

        Raises: RichAgentError if the work failed.
        """
        if self.notices and await self.notices.send(updates[0], hold):
            return True
        work = self._of(updates[0])
        if work:
            await work.do(updates[0].update_id, hold)
        return work is not None

    async def target_of(self, updates: Sequence[StoredUpdate]) -> ReplyTarget | None:
        """The user who waits for the work; None without one, or if the updates are not internal."""
        if self.notices and (target := await self.notices.target_of(updates[0])):
            return target
        work = self._of(updates[0])
        return await work.tell(updates[0].update_id) if work else None

    async def fail(self, updates: Sequence[StoredUpdate], failure: Exception) -> bool:
        """Tell people who follow the work that it failed; return False if nobody follows it."""
        work = self._of(updates[0])
        if work is None or work.fail is None:
            return False
        await work.fail(updates[0].update_id, failure)
        return True

    async def wait(self, updates: Sequence[StoredUpdate], delay: TurnHeldError) -> bool:
        """Tell the followers of the work that it has to wait; return False if nobody follows it."""
        work = self._of(updates[0])
        if work is None or work.wait is None:
            return False
        await work.wait(updates[0].update_id, delay)
        return True

    def _of(self, update: StoredUpdate) -> InternalWork | None:
        # Ids from Telegram are positive, so an update from there can never pass for internal work.
        if update.update_id >= 0:
            return None
        kind = kind_of(update.raw)
        return self.kinds.get(kind) or (self.other(kind) if self.other else None)


@dataclass(frozen=True, slots=True)
class SetAsideWork:
    """Replays dead letters of work without an update in the inbox, such as due work."""

    attempts: Attempts
    accounts: Accounts

    def kinds(self, due_kinds: Collection[str]) -> Mapping[str, InternalWork]:
        """The internal work that replays a dead letter; due work has the kinds `due_kinds`."""
        return {
            **{kind: InternalWork(self._retry, self._target_of) for kind in due_kinds},
            # Readers on the web are told on their page.
            "stream": InternalWork(self._retry, fail=_tell_nobody),
            "history": InternalWork(self._retry, fail=_tell_nobody),
        }

    def of_absent_feature(self, kind: str) -> InternalWork:
        """The internal work for a kind that this process lacks.

        A dead letter of due work is replayed, for a process that has the kind. Anything else, such
        as a notice, fails, so that it is tried again elsewhere or becomes a dead letter.
        """

        async def retry(update_id: int, _hold: Hold) -> None:
            if not await self.attempts.retry(update_id):
                raise FeatureMissingError(kind)

        return InternalWork(retry, self._target_of)

    async def _retry(self, update_id: int, _hold: Hold) -> None:
        await self.attempts.retry(update_id)

    async def _target_of(self, update_id: int) -> ReplyTarget | None:
        user_id = await self.attempts.user_of(update_id)
        if user_id is None:
            return None
        account = await self.accounts.find(user_id)
        return ReplyTarget(update_id, user_id, account.locale_for(), time_zone=account.time_zone)


async def _tell_nobody(_update_id: int, _failure: Exception) -> None:
    """Tell nobody, because readers on the web have already been told."""
