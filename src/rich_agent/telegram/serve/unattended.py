"""Runs turns that nobody waits for, and shows notices in the conversations of open pages."""

from collections.abc import Callable
from dataclasses import dataclass, field

from rich_agent.domain.message import IncomingMessage, TurnRequest, User
from rich_agent.domain.people import has_telegram
from rich_agent.domain.words import Words
from rich_agent.ports.accounts import Account, Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.rendering.message_markdown import as_markdown
from rich_agent.runs.elsewhere import Notebook
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Messenger, ReplyTarget
from rich_agent.telegram.deliver.outbound import AnswerOptions, AnswerWriter
from rich_agent.telegram.deliver.update_context import Threads
from rich_agent.turns.runner import TurnRunner
from rich_agent.turns.stopping import Stopping


@dataclass(frozen=True, slots=True)
class UnattendedTurns:
    """Runs the turns of notices, and writes notices into conversations."""

    turns: TurnRunner
    stopping: Stopping
    accounts: Accounts
    answer_options: Callable[[], AnswerOptions] = AnswerOptions
    threads: Threads = field(default_factory=Threads)
    notebook: Notebook | None = None

    async def answer(
        self, words: Words, messenger: Messenger, delivery: Delivery, account: Account
    ) -> None:
        """Answer the words of a notice by a turn in the conversation of the delivery's target.

        Raises: RichAgentError.
        """
        target = delivery.target
        name_by_user_id = await self.accounts.names([target.chat_id])
        user = account.in_turn(User(target.chat_id, name_by_user_id.get(target.chat_id, "")))
        request = TurnRequest(
            thread_id=self.threads.of(target.chat_id, target.topic_id),
            request_id=f"tg:{target.update_id}",
            message=IncomingMessage(user, words.text, origin=words.origin),
            fresh_from=account.fresh_from,
            is_unattended=True,
        )
        writer = AnswerWriter(messenger, delivery, self.answer_options())
        async with self.stopping.watching(target.update_id) as stop:
            events = self.turns.run(request, stop)
            if has_telegram(target.chat_id):
                await writer.write(events)
            else:
                async for _ in events:
                    pass  # the turn itself is shown on their page

    async def write_down(self, message: RenderedMessage, target: ReplyTarget) -> None:
        """Show a message in the open pages of the target's conversation."""
        if self.notebook:
            thread = self.threads.of(target.chat_id, target.topic_id)
            text = as_markdown(message)
            await self.notebook.say(thread, target.chat_id, target.update_id, "", text)
