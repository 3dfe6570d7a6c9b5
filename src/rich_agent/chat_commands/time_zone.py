"""/timezone: where the user's clocks are."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.reminders.wall_time import zone_named, zones_like
from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import Button, RenderedMessage
from rich_agent.ports.reminders import Reminders
from rich_agent.rendering.notices import unlinked
from rich_agent.rendering.reminders import show_local

VERB = "zone1"
_OFFERED = (
    *("Europe/London", "Europe/Berlin", "America/New_York", "America/Los_Angeles"),
    *("Asia/Kolkata", "Asia/Tokyo"),
)
_FIRST: Mapping[str, str] = MappingProxyType(
    {
        "ar": "Africa/Cairo",
        "de": "Europe/Berlin",
        "es": "Europe/Madrid",
        "fa": "Asia/Tehran",
        "fr": "Europe/Paris",
        "hi": "Asia/Kolkata",
        "id": "Asia/Jakarta",
        "it": "Europe/Rome",
        "ja": "Asia/Tokyo",
        "ko": "Asia/Seoul",
        "nl": "Europe/Amsterdam",
        "pl": "Europe/Warsaw",
        "pt-BR": "America/Sao_Paulo",
        "ru": "Europe/Moscow",
        "tr": "Europe/Istanbul",
        "uk": "Europe/Kyiv",
        "vi": "Asia/Ho_Chi_Minh",
        "zh-Hans": "Asia/Shanghai",
        "zh-Hant": "Asia/Taipei",
    }
)
"""Offered first to speakers of a language: where most of them are."""
_SHOWN_NAME = 64


@dataclass(frozen=True, slots=True)
class TimeZone:
    """Shows and changes the time zone, and what is repeated comes by its clocks from then on."""

    reminders: Reminders
    accounts: Accounts

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"timezone": self.answer}, {VERB: self.press})

    async def answer(self, request: CommandRequest) -> Reply:
        """With a name: choose it, or offer similar ones; without one show what is chosen."""
        locale, wanted = request.locale, request.args.strip()
        if not wanted:
            return await self._present(request.account.time_zone, locale)
        zone = zone_named(wanted)
        if zone:
            return Reply.of(await self._choose(request.user_id, zone, locale))
        near = zones_like(wanted)
        key = "time-zone-near" if near else "time-zone-unknown"
        told = unlinked(say(locale, key, name=shorten(wanted, _SHOWN_NAME)))
        return Reply(RenderedMessage(told.text, told.entities, tuple((_button(z),) for z in near)))

    async def press(self, press: PressRequest) -> PressReply:
        """Choose, and show the choice where it was made."""
        zone = zone_named(press.argument)
        if zone is None:
            return PressReply(say(press.locale, "button-outdated"))
        await press.hold()
        told = await self._choose(press.user_id, zone, press.locale)
        return PressReply(message=RenderedMessage(told))

    async def _present(self, zone: str, locale: str) -> Reply:
        first = _FIRST.get(locale)
        offered = dict.fromkeys([*([first] if first else []), *_OFFERED])
        rows = [(_button(one),) for one in offered if one != zone]
        if not zone:
            return Reply.of(say(locale, "time-zone-none"), *rows)
        now = show_local(await self.reminders.now(), zone)
        return Reply.of(say(locale, "time-zone", zone=zone, now=now), *rows)

    async def _choose(self, user_id: int, zone: str, locale: str) -> str:
        # First what goes by the zone of before: afterwards nobody knows it any more.
        await self.reminders.move(user_id, zone)
        await self.accounts.choose_time_zone(user_id, zone)
        now = show_local(await self.reminders.now(), zone)
        return say(locale, "time-zone-chosen", zone=zone, now=now)


def _button(zone: str) -> Button:
    return Button(zone, f"{VERB}:{zone}")
