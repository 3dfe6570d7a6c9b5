"""/new, /stop and /retry: start a new conversation, stop an answer, write it again."""

from dataclasses import dataclass, replace

from rich_agent.chat_commands.registry import CommandRequest, Reply
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.user_files import UserFiles
from rich_agent.telegram.deliver.stopping import Stopping
from rich_agent.turns.runner import TurnRunner


@dataclass(frozen=True, slots=True)
class Conversation:
    """Answers the commands that steer a conversation."""

    accounts: Accounts
    user_files: UserFiles
    stopping: Stopping
    history: TurnRunner

    async def begin_afresh(self, request: CommandRequest) -> Reply:
        """Note where the new conversation begins; the next turn then clears its context.

        An answer in progress and messages sent before /new belong to the old conversation. Its
        files go at once.
        """
        await self.accounts.begin_afresh(request.user_id, request.update_id)
        await self.user_files.leave(request.user_id)
        return Reply.of(say(request.locale, "new-conversation"))

    async def stop(self, request: CommandRequest) -> Reply:
        """Stop the answer that is being written; the text so far stays."""
        if request.ended_question:
            return Reply.of(say(request.locale, "question-dropped"))
        return Reply.of(await self.stopping.answer_command(request.command, request.locale))

    async def retry(self, request: CommandRequest) -> Reply:
        """Answer the last question again; the new answer replaces the old one."""
        last = await self.history.last_question(request.thread_id)
        if last is None:
            return Reply.of(say(request.locale, "nothing-to-retry"))
        if last.request_id == f"tg:{request.update_id}":
            # This command was tried before: its turn continues from the checkpoint.
            last = replace(last, request_id="")
        return Reply(again=last)
