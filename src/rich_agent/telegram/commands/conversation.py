"""/new, /stop and /retry: a conversation begins again, an answer ends or is written again."""

from dataclasses import dataclass, replace

from rich_agent.domain.message import thread_of
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.telegram.commands.registry import CommandRequest, Reply
from rich_agent.telegram.deliver.stopping import Stopping
from rich_agent.turns.runner import TurnRunner


@dataclass(frozen=True, slots=True)
class Conversation:
    """Ends and begins conversations."""

    accounts: Accounts
    stopping: Stopping
    history: TurnRunner

    async def begin_afresh(self, request: CommandRequest) -> Reply:
        """Note where the new conversation begins; the next turn empties its context by that.

        An answer that is being written, and messages sent before /new, end the old conversation.
        """
        await self.accounts.begin_afresh(request.user_id, request.update_id)
        return Reply.of(say(request.locale, "new-conversation"))

    async def stop(self, request: CommandRequest) -> Reply:
        """End the answer that is being written; what was said so far stays."""
        if request.ended_question:
            return Reply.of(say(request.locale, "question-dropped"))
        return Reply.of(await self.stopping.answer_command(request.command, request.locale))

    async def retry(self, request: CommandRequest) -> Reply:
        """Answer the last question again, in place of its answer in the conversation."""
        last = await self.history.last_question(thread_of(request.user_id))
        if last is None:
            return Reply.of(say(request.locale, "nothing-to-retry"))
        if last.request_id == f"tg:{request.update_id}":
            # This very command, tried before: its turn goes on from the checkpoint.
            last = replace(last, request_id="")
        return Reply(again=last)
