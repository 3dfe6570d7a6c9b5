"""/calendar: the secret address under which a user's calendar program finds what they plan."""

from collections.abc import Callable
from dataclasses import dataclass

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.text import utf16_length
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage, TextEntity
from rich_agent.ports.programs.calendar_feeds import CalendarFeeds
from rich_agent.rendering.spans import join

VERB = "calendar1"


@dataclass(frozen=True, slots=True)
class CalendarCommand:
    """Makes, shows and ends feeds; `address_of` a token is None if this bot serves no feeds.

    An address is shown in a message that is edited, never in one of the outbox, which is kept.
    """

    feeds: CalendarFeeds
    address_of: Callable[[str], str] | None

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"calendar": self.answer}, {VERB: self.press})

    async def answer(self, request: CommandRequest) -> Reply:
        """Whether there is a feed, and what can be done."""
        if self.address_of is None:
            return Reply.of(say(request.locale, "calendar-unavailable"))
        return Reply(_choice(request.locale, await self.feeds.token(request.user_id)))

    async def press(self, press: PressRequest) -> PressReply:
        """Make, show or end the feed, and show the outcome in the same message."""
        user_id, locale = press.user_id, press.locale
        if self.address_of is None:
            return PressReply(say(locale, "calendar-unavailable"))
        if press.argument == "make":
            shown = _with_address(locale, self.address_of(await self.feeds.make(user_id)))
        elif press.argument == "show":
            token = await self.feeds.token(user_id)
            shown = _with_address(locale, self.address_of(token)) if token else _choice(locale)
        elif press.argument == "end":
            await self.feeds.revoke(user_id)
            shown = RenderedMessage(say(locale, "calendar-ended"), buttons=_buttons(locale, "make"))
        else:
            return PressReply(say(locale, "button-outdated"))
        return PressReply(message=shown)


def _choice(locale: str, token: str | None = None) -> RenderedMessage:
    if token is None:
        return RenderedMessage(say(locale, "calendar-none"), buttons=_buttons(locale, "make"))
    buttons = (*_buttons(locale, "show"), *_with_feed(locale))
    return RenderedMessage(say(locale, "calendar-open"), buttons=buttons)


def _with_address(locale: str, address: str) -> RenderedMessage:
    """The address to be copied with a tap, and what to do with it."""
    code = RenderedMessage(address, (TextEntity("code", 0, utf16_length(address)),))
    told = join(RenderedMessage(say(locale, "calendar-address")), code)
    return RenderedMessage(told.text, told.entities, _with_feed(locale))


def _with_feed(locale: str) -> Keyboard:
    renew = Button(say(locale, "calendar-renew"), f"{VERB}:make")
    return ((renew,), *_buttons(locale, "end"))


def _buttons(locale: str, *actions: str) -> Keyboard:
    return tuple((Button(say(locale, f"calendar-{one}"), f"{VERB}:{one}"),) for one in actions)
