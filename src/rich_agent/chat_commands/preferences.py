"""/language and /timezone: how the bot speaks to a user, and by which clock."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from babel import Locale

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.languages import ENGLISH, LANGUAGES, choose_locale, locale_of_tag
from rich_agent.domain.text import shorten
from rich_agent.domain.time.zones import zone_named, zones_like, zones_of
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import Button, RenderedMessage
from rich_agent.rendering.notices import unlinked
from rich_agent.times import Clocks

LANGUAGE_VERB = "language1"
AUTOMATIC = "auto"
_IN_A_ROW = 3
ZoneMove = Callable[[int, str], Awaitable[object]]
"""Takes a user and the zone to which they move, while their account has the one before."""


@dataclass(frozen=True, slots=True)
class Language:
    """Shows and changes the chosen language."""

    accounts: Accounts

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"language": self.answer}, {LANGUAGE_VERB: self.press})

    async def answer(self, request: CommandRequest) -> Reply:
        """Set the language if one was given, else show the choice."""
        name, choice = request.args, _language_choice(request.locale, request.account.locale)
        if not name:
            return Reply(choice)
        language = _language_of(name, request.locale)
        if language is None:
            return Reply(replace(choice, text=say(request.locale, "language-not-spoken")))
        code = request.user.language_code
        return Reply(await self._choose(request.user_id, language, code))

    async def press(self, press: PressRequest) -> PressReply:
        """Set the language, and show the new choice in the same message."""
        language = press.argument
        if language not in (*LANGUAGES, AUTOMATIC):
            return PressReply(say(press.locale, "button-outdated"))
        message = await self._choose(press.user_id, language, press.user.language_code)
        return PressReply(message=message)

    async def _choose(self, user_id: int, language: str, code: str | None) -> RenderedMessage:
        locale = None if language == AUTOMATIC else language
        await self.accounts.choose_locale(user_id, locale)
        reply_locale = locale or choose_locale("", code)
        return replace(
            _language_choice(reply_locale, locale),
            text=say(reply_locale, "language-chosen", chosen=language),
        )


def _language_of(words: str, locale: str) -> str | None:
    """The language of a tag or a name, in that language, in the user's, or in English."""
    name = words.strip().casefold()
    if name in {AUTOMATIC, "automatic", say(locale, "language-auto").casefold()}:
        return AUTOMATIC
    for option, own_name in LANGUAGES.items():
        option_locale = Locale.parse(option, sep="-")
        other_names = (
            option_locale.get_language_name(ENGLISH),
            option_locale.get_language_name(locale.replace("-", "_")),
        )
        if name in {one.casefold() for one in (option, own_name, *filter(None, other_names))}:
            return option
    return locale_of_tag(name)


def _language_choice(locale: str, current: str | None) -> RenderedMessage:
    """The question in the current language, with the current choice marked."""
    options = {AUTOMATIC: say(locale, "language-auto"), **LANGUAGES}
    buttons = [
        Button(
            ("✓ " if option == (current or AUTOMATIC) else "") + name, f"{LANGUAGE_VERB}:{option}"
        )
        for option, name in options.items()
    ]
    rows = (buttons[start : start + _IN_A_ROW] for start in range(0, len(buttons), _IN_A_ROW))
    return RenderedMessage(say(locale, "language"), buttons=tuple(map(tuple, rows)))


ZONE_VERB = "zone1"
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
    """Shows and changes the time zone; `moves` take what goes by the user's clocks along."""

    accounts: Accounts
    moves: Sequence[ZoneMove] = ()

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"timezone": self.answer}, {ZONE_VERB: self.press})

    async def answer(self, request: CommandRequest) -> Reply:
        """Choose the named zone, or offer similar ones; without a name, show the chosen zone."""
        locale, place = request.locale, request.args.strip()
        if not place:
            return await self._present(request.clocks)
        # The names of places are read from files once.
        zones = await asyncio.to_thread(zones_of, place)
        if len(zones) == 1:
            return Reply.of(await self._choose(request.user_id, zones[0], locale))
        near = zones or zones_like(place)
        key = "time-zone-which" if zones else "time-zone-near" if near else "time-zone-unknown"
        notice = unlinked(say(locale, key, name=shorten(place, _SHOWN_NAME)))
        return Reply(
            RenderedMessage(
                notice.text, notice.entities, tuple((_button(z, locale),) for z in near)
            )
        )

    async def press(self, press: PressRequest) -> PressReply:
        """Choose, and show the choice where it was made."""
        zone = zone_named(press.argument)
        if zone is None:
            return PressReply(say(press.locale, "button-outdated"))
        await press.hold()
        notice = await self._choose(press.user_id, zone, press.locale)
        return PressReply(message=RenderedMessage(notice))

    async def _present(self, clocks: Clocks) -> Reply:
        zone, locale = clocks.zone, clocks.locale
        local_zone = _FIRST.get(locale)
        zones = dict.fromkeys([*([local_zone] if local_zone else []), *_OFFERED])
        rows = [(_button(offered_zone, locale),) for offered_zone in zones if offered_zone != zone]
        if not zone:
            return Reply.of(say(locale, "time-zone-none"), *rows)
        return Reply.of(
            say(locale, "time-zone", zone=clocks.place(zone), now=clocks.present()), *rows
        )

    async def move(self, user_id: int, zone: str) -> None:
        """Move a user to a zone, with what goes by their clocks."""
        # First what goes by the zone of before: afterwards nobody knows it any more.
        for move in self.moves:
            await move(user_id, zone)
        await self.accounts.choose_time_zone(user_id, zone)

    async def _choose(self, user_id: int, zone: str, locale: str) -> str:
        await self.move(user_id, zone)
        clocks = Clocks(locale, zone)
        return say(locale, "time-zone-chosen", zone=clocks.place(zone), now=clocks.present())


def _button(zone: str, locale: str) -> Button:
    return Button(Clocks(locale).place(zone), f"{ZONE_VERB}:{zone}")
