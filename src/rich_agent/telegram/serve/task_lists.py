"""Tells users of connected task lists what they have to decide, or to repair."""

from dataclasses import dataclass

from rich_agent.chat_commands.task_lists.conflicts import conflict_question
from rich_agent.chat_commands.task_lists.connecting import problem_told
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.task_lists import TaskListConnections
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Hold, Messenger, ReplyTarget


@dataclass(frozen=True, slots=True)
class TaskListNotices:
    """Sends one message for each internal update; the same work again sends nothing twice."""

    connections: TaskListConnections
    accounts: Accounts
    messenger: Messenger

    async def ask(self, update_id: int, hold: Hold) -> None:
        """Ask whose change of a task counts; nothing if the question is not open any more."""
        conflict = await self.connections.conflict(update_id)
        if conflict is None or not conflict.is_open:
            return
        target = await self._target(update_id, conflict.user_id)
        asked = conflict_question(conflict, update_id, target.locale)
        await Delivery(self.messenger, target, hold).complete([asked])

    async def tell(self, update_id: int, hold: Hold) -> None:
        """Tell that a list is out of reach until its user does something; nothing if it is over."""
        trouble = await self.connections.trouble(update_id)
        if trouble is None:
            return
        target = await self._target(update_id, trouble.user_id)
        told = say(target.locale, "connect-trouble"), problem_told(trouble.problem, target.locale)
        message = RenderedMessage(" ".join(told))
        await Delivery(self.messenger, target, hold).complete([message])

    async def _target(self, update_id: int, user_id: int) -> ReplyTarget:
        account = await self.accounts.find(user_id)
        return ReplyTarget(update_id, user_id, account.locale_for())
