"""Tells users of work that was set aside, and has it begun again when an operator wants that."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich_agent.ports.accounts import Accounts
from rich_agent.ports.operations import Attempts
from rich_agent.telegram.deliver.messenger import Hold, ReplyTarget
from rich_agent.telegram.serve.internal_work import InternalWork


@dataclass(frozen=True, slots=True)
class SetAsideWork:
    """Serves the dead letters of what is no update of the inbox by itself."""

    attempts: Attempts
    accounts: Accounts

    def kinds(self) -> Mapping[str, InternalWork]:
        """The work that a replay of each kind does, and who is told."""
        return {
            "lesson": InternalWork(self._retry, self._target_of),
            "task_list": InternalWork(self._retry, self._target_of),
            # Readers on the web are told there.
            "stream": InternalWork(self._retry, fail=_tell_nobody),
            "history": InternalWork(self._retry, fail=_tell_nobody),
        }

    async def _retry(self, update_id: int, _hold: Hold) -> None:
        await self.attempts.retry(update_id)

    async def _target_of(self, update_id: int) -> ReplyTarget | None:
        user_id = await self.attempts.user_of(update_id)
        if user_id is None:
            return None
        account = await self.accounts.find(user_id)
        return ReplyTarget(update_id, user_id, account.locale_for())


async def _tell_nobody(_update_id: int, _failure: Exception) -> None:
    """The failure was told already."""
