"""/broadcast: one message to everybody, after a confirmation."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich_agent.feature import Button, CommandRequest, PressReply, PressRequest, Reply, say
from rich_agent.feature.accounts import Access, Accounts, Confirmations
from rich_agent.feature.conversation import PressAnswer
from rich_agent.feature.telegram import RenderedMessage
from rich_agent.features.broadcast.records import NewBroadcast
from rich_agent.features.broadcast.repository import Broadcasts

SEND_VERB = "broadcast1"
DROP_VERB = "nobroadcast1"
CANCEL_VERB = "endbroadcast1"


@dataclass(frozen=True, slots=True)
class BroadcastCommand:
    """Confirms, starts and cancels broadcasts of admins."""

    accounts: Accounts
    broadcasts: Broadcasts
    confirmations: Confirmations
    access: Access

    def presses(self) -> Mapping[str, PressAnswer]:
        """The answers to presses of the command's buttons, by verb."""
        return {SEND_VERB: self.send, DROP_VERB: self.drop, CANCEL_VERB: self.cancel}

    async def ask(self, request: CommandRequest) -> Reply:
        """The number of recipients, and the question whether to send the message."""
        locale, text = request.locale, request.args
        if not text:
            return Reply.of(say(locale, "broadcast-usage"))
        recipient_count = len(await self.accounts.recipients(self.access))
        token = await self.confirmations.offer(request.user_id, text)
        return Reply.of(
            say(locale, "broadcast-confirm", count=recipient_count),
            (
                Button(say(locale, "broadcast-send"), f"{SEND_VERB}:{token}"),
                Button(say(locale, "broadcast-drop"), f"{DROP_VERB}:{token}"),
            ),
        )

    async def send(self, press: PressRequest) -> PressReply:
        """Start the broadcast.

        The token is the broadcast's id, so a repeated press starts no second one.
        """
        admin_id, token = press.user_id, press.argument
        if not self.access.is_admin(admin_id):
            return PressReply(say(press.locale, "admins-only"))
        text = await self.confirmations.find(admin_id, token)
        if text is None:
            return PressReply(say(press.locale, "confirmation-over"))
        await press.hold()
        recipients = await self.accounts.recipients(self.access)
        broadcast = NewBroadcast(token, admin_id, press.message_id, press.locale, text)
        await self.broadcasts.start(broadcast, recipients)
        cancel_button = Button(say(press.locale, "broadcast-cancel"), f"{CANCEL_VERB}:{token}")
        notice = RenderedMessage(
            say(press.locale, "broadcast-sending"), buttons=((cancel_button,),)
        )
        await self.confirmations.close(admin_id, token)
        return PressReply(message=notice)

    async def drop(self, press: PressRequest) -> PressReply:
        """Close the question without a broadcast."""
        await self.confirmations.close(press.user_id, press.argument)
        return PressReply(message=RenderedMessage(say(press.locale, "broadcast-dropped")))

    async def cancel(self, press: PressRequest) -> PressReply:
        """Stop sending. The message with the button then shows the result."""
        admin_id = press.user_id
        is_cancelled = await self.broadcasts.cancel(press.argument, admin_id)
        phrase = "broadcast-cancelling" if is_cancelled else "button-outdated"
        return PressReply(say(press.locale, phrase))
