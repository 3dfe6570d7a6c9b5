"""/broadcast: one message to everybody, once confirmed; `deliver/broadcaster.py` sends it."""

from dataclasses import dataclass

from rich_agent.chat_commands.presses import replace_pressed
from rich_agent.chat_commands.registry import CommandRequest, Reply
from rich_agent.domain.access import Access
from rich_agent.phrases import say
from rich_agent.ports.accounts import Confirmations
from rich_agent.ports.bot_api import Button, RenderedMessage, TelegramApi
from rich_agent.ports.broadcasts import Audience, Broadcasts, NewBroadcast
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.receive.inbound import Press

SEND_VERB = "broadcast1"
DROP_VERB = "nobroadcast1"
CANCEL_VERB = "endbroadcast1"


@dataclass(frozen=True, slots=True)
class Broadcast:
    """Confirms, starts and cancels broadcasts. For admins."""

    broadcasts: Broadcasts
    confirmations: Confirmations
    access: Access
    api: TelegramApi

    async def ask(self, request: CommandRequest) -> Reply:
        """The number of recipients, and the question whether to send it."""
        locale, text = request.locale, request.command.args
        if not text:
            return Reply.of(say(locale, "broadcast-usage"))
        count = await self.broadcasts.count(self._audience())
        token = await self.confirmations.offer(request.user_id, text)
        return Reply.of(
            say(locale, "broadcast-confirm", count=count),
            (
                Button(say(locale, "broadcast-send"), f"{SEND_VERB}:{token}"),
                Button(say(locale, "broadcast-drop"), f"{DROP_VERB}:{token}"),
            ),
        )

    async def send(self, press: Press, locale: str, hold: Hold) -> str:
        """Start it. The token is the broadcast's id, so a repeated press starts no second one."""
        admin_id, token = press.user.telegram_user_id, press.argument
        if not self.access.is_admin(admin_id):
            return say(locale, "admins-only")
        text = await self.confirmations.find(admin_id, token)
        if text is None:
            return say(locale, "confirmation-over")
        await hold()
        audience = self._audience()
        begun = NewBroadcast(token, admin_id, press.message_id, locale, text)
        await self.broadcasts.start(begun, audience)
        cancel = Button(say(locale, "broadcast-cancel"), f"{CANCEL_VERB}:{token}")
        shown = RenderedMessage(say(locale, "broadcast-sending"), buttons=((cancel,),))
        await replace_pressed(self.api, press, shown)
        await self.confirmations.close(admin_id, token)
        return ""

    async def drop(self, press: Press, locale: str, _hold: Hold) -> str:
        """Close the question."""
        await self.confirmations.close(press.user.telegram_user_id, press.argument)
        await replace_pressed(self.api, press, RenderedMessage(say(locale, "broadcast-dropped")))
        return ""

    async def cancel(self, press: Press, locale: str, _hold: Hold) -> str:
        """Stop sending; the same message then shows the result."""
        admin_id = press.user.telegram_user_id
        cancelled = await self.broadcasts.cancel(press.argument, admin_id)
        return say(locale, "broadcast-cancelling" if cancelled else "button-outdated")

    def _audience(self) -> Audience:
        return Audience(self.access.allowed, self.access.admins)
