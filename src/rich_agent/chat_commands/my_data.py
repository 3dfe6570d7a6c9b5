"""/export and /forget: export or delete everything that is stored about the user."""

import json
from dataclasses import dataclass

import structlog

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.message import AskedBefore, IncomingMessage
from rich_agent.phrases import say
from rich_agent.ports.accounts import Confirmations, UserData
from rich_agent.ports.bot_api import Button, FileToSend, RenderedMessage

CONFIRM_VERB = "forget1"
KEEP_VERB = "keep1"
_SUBJECT = "forget"
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MyData:
    """Exports and deletes the data of the user who asks, never of another user."""

    data: UserData
    confirmations: Confirmations

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(
            {"export": self.export, "forget": self.ask_to_forget},
            {CONFIRM_VERB: self.forget, KEEP_VERB: self.keep},
        )

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
        if what := request.args.strip():
            wish = say(request.locale, "forget-wish", what=what)
            return Reply(again=AskedBefore(IncomingMessage(request.user, wish), ""))
        token = await self.confirmations.offer(request.user_id, _SUBJECT)
        return Reply.of(
            say(request.locale, "forget-confirm"),
            (Button(say(request.locale, "forget-yes"), f"{CONFIRM_VERB}:{token}"),),
            (Button(say(request.locale, "forget-no"), f"{KEEP_VERB}:{token}"),),
        )

    async def forget(self, press: PressRequest) -> PressReply:
        """Delete everything, if the same user was asked and confirms."""
        user_id = press.user_id
        if await self.confirmations.find(user_id, press.argument) != _SUBJECT:
            return PressReply(say(press.locale, "confirmation-over"))
        await press.hold()
        # Messages that announced an answer go: there will be none.
        promised = await self.data.forget(user_id)
        _log.info("telegram.forgot_a_user")
        # Not through the outbox: nothing about the user may be stored now, not even this message.
        told = RenderedMessage(say(press.locale, "forgotten"))
        return PressReply(message=told, gone=tuple(promised))

    async def keep(self, press: PressRequest) -> PressReply:
        """Close the question."""
        await self.confirmations.close(press.user_id, press.argument)
        return PressReply(message=RenderedMessage(say(press.locale, "forget-kept")))
