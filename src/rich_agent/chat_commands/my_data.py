"""/export and /forget: export or delete everything that is stored about the user."""

import json
from dataclasses import dataclass

import structlog

from rich_agent.chat_commands.presses import replace_pressed
from rich_agent.chat_commands.registry import CommandRequest, Reply
from rich_agent.domain.message import AskedBefore, IncomingMessage
from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Confirmations, UserData
from rich_agent.ports.bot_api import Button, FileToSend, RenderedMessage, TelegramApi
from rich_agent.runtime.surviving import survived
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.receive.inbound import Press

CONFIRM_VERB = "forget1"
KEEP_VERB = "keep1"
_SUBJECT = "forget"
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MyData:
    """Exports and deletes the data of the user who asks, never of another user."""

    data: UserData
    confirmations: Confirmations
    api: TelegramApi

    async def export(self, request: CommandRequest) -> Reply:
        """A JSON file, and one sentence about its content."""
        data = await self.data.export(request.user_id)
        content = json.dumps(data, ensure_ascii=False, indent=2).encode()
        name = f"rich-agent-{request.user_id}-{data['exported_at'][:10]}.json"
        text = say(
            request.locale,
            "exported",
            messages=len(data["messages"]),
            decisions=len(data["decisions"]),
            images=len(data["images"]),
        )
        return Reply(RenderedMessage(text), file=FileToSend(name, content))

    async def ask_to_forget(self, request: CommandRequest) -> Reply:
        """Show what would be deleted, and ask to confirm it; words behind the command are a wish.

        What they mean, and which entries tell of it, is found as for the same wish in a message.
        """
        if what := request.command.args.strip():
            wish = say(request.locale, "forget-wish", what=what)
            return Reply(again=AskedBefore(IncomingMessage(request.command.user, wish), ""))
        token = await self.confirmations.offer(request.user_id, _SUBJECT)
        return Reply.of(
            say(request.locale, "forget-confirm"),
            (Button(say(request.locale, "forget-yes"), f"{CONFIRM_VERB}:{token}"),),
            (Button(say(request.locale, "forget-no"), f"{KEEP_VERB}:{token}"),),
        )

    async def forget(self, press: Press, locale: str, hold: Hold) -> str:
        """Delete everything, if the same user was asked and confirms."""
        user_id = press.user.telegram_user_id
        if await self.confirmations.find(user_id, press.argument) != _SUBJECT:
            return say(locale, "confirmation-over")
        await hold()
        for message_id in await self.data.forget(user_id):
            await self._take_away(press.chat_id, message_id)
        _log.info("telegram.forgot_a_user")
        # Not through the outbox: nothing about the user may be stored now, not even this message.
        await replace_pressed(self.api, press, RenderedMessage(say(locale, "forgotten")))
        return ""

    async def _take_away(self, chat_id: int, message_id: int) -> None:
        """Delete the message that announced an answer, since there will be none."""
        with survived("telegram.promise_stays", UpstreamError):
            await self.api.delete_message(chat_id, message_id)

    async def keep(self, press: Press, locale: str, _hold: Hold) -> str:
        """Close the question."""
        await self.confirmations.close(press.user.telegram_user_id, press.argument)
        await replace_pressed(self.api, press, RenderedMessage(say(locale, "forget-kept")))
        return ""
