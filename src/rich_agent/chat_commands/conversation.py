"""/new, /stop and /retry: start a new conversation, stop an answer, write it again."""

from dataclasses import dataclass, replace

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.text import whole_number
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import Button
from rich_agent.ports.user_files import UserFiles
from rich_agent.turns.runner import TurnRunner
from rich_agent.turns.stopping import Stopping

STOP_VERB = "stop"


def stop_button(update_id: int, locale: str) -> Button:
    """The button under the growing answer to an update."""
    return Button(say(locale, "button-stop"), f"{STOP_VERB}:{update_id}")


@dataclass(frozen=True, slots=True)
class Conversation:
    """Answers the commands that steer a conversation."""

    accounts: Accounts
    user_files: UserFiles
    stopping: Stopping
    history: TurnRunner

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(
            {"new": self.begin_afresh, "stop": self.stop, "retry": self.retry},
            {STOP_VERB: self.press_stop},
        )

    async def begin_afresh(self, request: CommandRequest) -> Reply:
        """Note where the new conversation begins; the next turn then clears its context.

        An answer in progress and messages sent before /new belong to the old conversation. Its
        files go at once. Outside of Telegram there is no number that it could count from.
        """
        number = request.update_id if request.update_id > 0 else request.account.fresh_from + 1
        await self.accounts.begin_afresh(request.user_id, number)
        await self.user_files.leave(request.user_id)
        return Reply.of(say(request.locale, "new-conversation"))

    async def stop(self, request: CommandRequest) -> Reply:
        """Stop the answer that is being written; the text so far stays."""
        if request.ended_question:
            return Reply.of(say(request.locale, "question-dropped"))
        is_stopping = await self.stopping.ask(request.user_id)
        return Reply.of(
            say(request.locale, "stopped-by-command" if is_stopping else "nothing-to-stop")
        )

    async def press_stop(self, press: PressRequest) -> PressReply:
        """Stop the answer that the button belongs to."""
        update_id = whole_number(press.argument)
        is_stopping = update_id is not None and await self.stopping.ask(press.user_id, update_id)
        return PressReply(say(press.locale, "stopping" if is_stopping else "stop-too-late"))

    async def retry(self, request: CommandRequest) -> Reply:
        """Answer the last question again; the new answer replaces the old one."""
        last_question = await self.history.last_question(request.thread_id)
        if last_question is None:
            return Reply.of(say(request.locale, "nothing-to-retry"))
        if last_question.request_id == f"tg:{request.update_id}":
            # This command was tried before: its turn continues from the checkpoint.
            last_question = replace(last_question, request_id="")
        return Reply(again=last_question)
