"""The panels of a user's language and time zone."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from rich_agent.feature import Arguments, Asker, Clocks, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.accounts import Accounts
from rich_agent.feature.panels import Panel, PanelContent, PanelField, PanelForm, PanelRequest
from rich_agent.feature.text import LANGUAGES
from rich_agent.feature.times import zones_like, zones_of

_AUTOMATIC = "auto"
_LONGEST_PLACE = 100
_MOST_NEAR = 6


class ChooseLanguage(Arguments):
    """A language of the menus, or "auto"."""

    language: str = Field(max_length=20)


class ChooseTimeZone(Arguments):
    """A city, a country, or the name of a time zone."""

    place: str = Field(min_length=1, max_length=_LONGEST_PLACE)


@dataclass(frozen=True, slots=True)
class LanguagePanel:
    """Shows and changes the language of menus and pages."""

    accounts: Accounts

    def panel(self) -> Panel:
        """The panel."""
        tool = Tool("choose_language", "", ChooseLanguage, self.choose, "change", self.take_back)
        return Panel(
            name="language",
            heading="user_pages-language",
            compose=self.compose,
            tools=[tool],
            page="settings",
            order=56,
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """The languages, with the one that is chosen."""
        locale = request.locale
        choices = [(_AUTOMATIC, say(locale, "language-auto")), *LANGUAGES.items()]
        field = PanelField(
            "language",
            request.account.locale or _AUTOMATIC,
            "choice",
            choices,
            label=say(locale, "language"),
        )
        form = PanelForm(say(locale, "panel-save"), "choose_language", [field])
        return PanelContent(forms=[form])

    async def choose(self, arguments: ChooseLanguage, asker: Asker) -> Outcome:
        """Choose a language. Raises: ToolRefusedError."""
        if arguments.language not in {_AUTOMATIC, *LANGUAGES}:
            raise ToolRefusedError("language: choose one of the list.")
        before = (await self.accounts.find(asker.user_id)).locale or _AUTOMATIC
        done = await self._choose(arguments.language, asker)
        return Outcome({}, done=done, undo={"language": before})

    async def take_back(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Choose the language of before."""
        return await self._choose(undo["language"], asker)

    async def _choose(self, language: str, asker: Asker) -> str:
        chosen = None if language == _AUTOMATIC else language
        await self.accounts.choose_locale(asker.user_id, chosen)
        return say(chosen or asker.locale, "language-chosen", chosen=language)


@dataclass(frozen=True, slots=True)
class TimeZonePanel:
    """Shows and changes the time zone; `move` takes what goes by the user's clocks along."""

    accounts: Accounts
    move: Callable[[int, str], Awaitable[object]]

    def panel(self) -> Panel:
        """The panel."""
        tool = Tool("choose_time_zone", "", ChooseTimeZone, self.choose, "change", self.take_back)
        return Panel(
            name="time_zone",
            heading="user_pages-time-zone",
            compose=self.compose,
            tools=[tool],
            page="settings",
            order=57,
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """The zone, and a field for another one."""
        locale, zone = request.locale, request.account.time_zone
        field = PanelField(
            "place",
            zone,
            most=_LONGEST_PLACE,
            is_required=True,
            label=say(locale, "user_pages-place"),
        )
        form = PanelForm(say(locale, "panel-save"), "choose_time_zone", [field])
        return PanelContent(sentences=[_say_zone(zone, locale)] if zone else (), forms=[form])

    async def choose(self, arguments: ChooseTimeZone, asker: Asker) -> Outcome:
        """Choose the zone of a place. Raises: ToolRefusedError with a sentence."""
        locale, place = asker.locale, arguments.place
        zones = await asyncio.to_thread(zones_of, place)  # the names of places are read from files
        if len(zones) != 1:
            near = [Clocks(locale).place(one) for one in (zones or zones_like(place))[:_MOST_NEAR]]
            key = "which" if zones else "near" if near else "unknown"
            question = say(locale, f"time-zone-{key}", name=place)
            sentence = " ".join([question, ", ".join(near)]).strip()
            raise ToolRefusedError("Name a place with one time zone.", question=sentence)
        before = (await self.accounts.find(asker.user_id)).time_zone
        await self.move(asker.user_id, zones[0])
        undo = {"zone": before} if before else None
        return Outcome({}, done=_say_zone(zones[0], locale), undo=undo)

    async def take_back(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Choose the zone of before."""
        await self.move(asker.user_id, undo["zone"])
        return _say_zone(undo["zone"], asker.locale)


def _say_zone(zone: str, locale: str) -> str:
    clocks = Clocks(locale, zone)
    return say(locale, "time-zone-chosen", zone=clocks.place(zone), now=clocks.present())
