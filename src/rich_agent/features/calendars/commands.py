"""/calendar: the address of a user's calendar."""

from collections.abc import Callable
from dataclasses import dataclass

from rich_agent.feature import Button, CommandRequest, PressReply, PressRequest, Reply, say
from rich_agent.feature.telegram import Keyboard, RenderedMessage, TextEntity, join, utf16_length
from rich_agent.features.calendars.repository import CalendarFeeds

VERB = "calendar1"


@dataclass(frozen=True, slots=True)
class CalendarCommand:
    """Makes, shows and ends feeds; `address_of` a token is None if this bot serves no feeds.

    An address is shown in a message that is edited, never in one of the outbox, which is kept.
    """

    feeds: CalendarFeeds
    address_of: Callable[[str], str] | None

    async def answer(self, request: CommandRequest) -> Reply:
        """Whether there is a feed, and what can be done."""
        if self.address_of is None:
            return Reply.of(say(request.locale, "calendars-unavailable"))
        return Reply(_choice(request.locale, await self.feeds.token(request.user_id)))

    async def press(self, press: PressRequest) -> PressReply:
        """Make, show or end the feed, and show the outcome in the same message."""
        user_id, locale = press.user_id, press.locale
        if self.address_of is None:
            return PressReply(say(locale, "calendars-unavailable"))
        if press.argument == "make":
            message = _with_address(locale, self.address_of(await self.feeds.make(user_id)))
        elif press.argument == "show":
            token = await self.feeds.token(user_id)
            message = _with_address(locale, self.address_of(token)) if token else _choice(locale)
        elif press.argument == "end":
            await self.feeds.revoke(user_id)
            message = RenderedMessage(
                say(locale, "calendars-ended"), buttons=_buttons(locale, "make")
            )
        else:
            return PressReply(say(locale, "button-outdated"))
        return PressReply(message=message)


def _choice(locale: str, token: str | None = None) -> RenderedMessage:
    if token is None:
        return RenderedMessage(say(locale, "calendars-none"), buttons=_buttons(locale, "make"))
    buttons = (*_buttons(locale, "show"), *_with_feed(locale))
    return RenderedMessage(say(locale, "calendars-open"), buttons=buttons)


def _with_address(locale: str, address: str) -> RenderedMessage:
    """The address, copied with a tap, and an instruction how to use it."""
    code = RenderedMessage(address, (TextEntity("code", 0, utf16_length(address)),))
    text = join(RenderedMessage(say(locale, "calendars-address")), code)
    return RenderedMessage(text.text, text.entities, _with_feed(locale))


def _with_feed(locale: str) -> Keyboard:
    renew = Button(say(locale, "calendars-renew"), f"{VERB}:make")
    return ((renew,), *_buttons(locale, "end"))


def _buttons(locale: str, *actions: str) -> Keyboard:
    return tuple((Button(say(locale, f"calendars-{one}"), f"{VERB}:{one}"),) for one in actions)
