"""The page Settings: every setting with its value, and changes that are in effect at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from rich_agent.feature import PostgresRepository
from rich_agent.feature.accounts import Accounts
from rich_agent.feature.database import NEWS_CHANNEL, OPERATORS
from rich_agent.feature.errors import SettingsError
from rich_agent.feature.pages import PageGoneError, PageRefusedError, PageRoute, Visit
from rich_agent.feature.settings import (
    LiveSettings,
    SettingChange,
    SettingChanges,
    SettingState,
    changeable,
    list_settings,
)
from rich_agent.feature.usage import label_user
from rich_agent.features.operator_pages.roles import CHANGERS, READERS

PATH: Final = "/operator/settings"
_LONGEST_SEARCH: Final = 200
_LONG_TEXT: Final = 60
_MOST_CHANGES: Final = 10


class Listeners(PostgresRepository):
    """Open pages of operators, in all processes."""

    async def tell(self) -> None:
        """Have them show what is in effect now."""
        await self._run("SELECT pg_notify(%s, %s)", (NEWS_CHANNEL, str(OPERATORS)))


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """Lists the settings, and changes those that may change while the bot runs."""

    live: LiveSettings
    changes: SettingChanges
    accounts: Accounts
    listeners: Listeners

    def routes(self) -> Sequence[PageRoute]:
        """The routes of the list, of a setting with its history, and of what its forms do."""
        one, post = f"{PATH}/{{name}}", ("POST",)
        return (
            PageRoute(PATH, self.show, roles=READERS),
            PageRoute(one, self.show_one, roles=READERS),
            PageRoute(one, self.change, post, CHANGERS, "settings.change"),
            PageRoute(f"{one}/unset", self.unset, post, CHANGERS, "settings.unset"),
        )

    async def show(self, visit: Visit) -> Response:
        """All settings by group, or those with the words sought."""
        text = visit.query.get("q", "").strip()[:_LONGEST_SEARCH]
        groups: dict[str, list[SettingState]] = {}
        for state in list_settings(self.live):
            if _has_words(state, text):
                groups.setdefault(state.group, []).append(state)
        return visit.page(
            "settings.html",
            title=visit.say("operator_pages-settings"),
            groups=groups,
            text=text,
            path=PATH,
        )

    async def show_one(self, visit: Visit) -> Response:
        """A setting with what it does, its form, and who changed it when."""
        state = self._find(visit.request.path_params["name"])
        if state is None:
            raise PageGoneError
        history = await self.changes.history(state.name, _MOST_CHANGES)
        authors = {change.changed_by for change in history if change.changed_by is not None}
        names = await self.accounts.names(authors)
        may_change = visit.role in CHANGERS and state.setting.changes_at_run_time
        return visit.page(
            "setting.html",
            title=state.name,
            state=state,
            may_change=may_change,
            is_long=len(state.value) > _LONG_TEXT or len(state.start_value) > _LONG_TEXT,
            history=list(_change_line(history, names, visit)),
            path=PATH,
        )

    async def change(self, visit: Visit) -> Response:
        """Put the value of the form in effect."""
        state = self._state(visit)
        await self._store(visit, state, visit.text("value", 10_000).replace("\r\n", "\n"))
        return visit.done(f"{PATH}/{state.name}", "operator_pages-said-setting")

    async def unset(self, visit: Visit) -> Response:
        """Go back to the value of the environment."""
        state = self._state(visit)
        await self._store(visit, state, None)
        return visit.done(f"{PATH}/{state.name}", "operator_pages-said-setting")

    async def _store(self, visit: Visit, state: SettingState, value: str | None) -> None:
        try:
            changeable(state.name)
            visit.note(old=state.value)
            await self.changes.change(state.name, value, visit.user_id, self.live.check)
        except SettingsError as error:
            raise PageRefusedError(str(error), hint=error.hint) from error
        visit.note(new=state.start_value if value is None else value)
        # Here at once, so that the page shows it; elsewhere as soon as they are notified.
        version = await self.changes.version()
        present = await self.changes.present()
        values = {name: one.value for name, one in present.items() if one.value is not None}
        self.live.take(values, version)
        await self.listeners.tell()

    def _state(self, visit: Visit) -> SettingState:
        name = visit.request.path_params["name"]
        state = self._find(name)
        if state is None:
            raise PageGoneError
        return state

    def _find(self, name: str) -> SettingState | None:
        return next((state for state in list_settings(self.live) if state.name == name), None)


def _has_words(state: SettingState, text: str) -> bool:
    """Whether each word stands in the setting's name or in what it does."""
    place = f"{state.name} {state.setting.description}".casefold()
    return all(word in place for word in text.casefold().split())


def _change_line(
    history: Sequence[SettingChange], names: Mapping[int, str], visit: Visit
) -> Iterator[tuple[str, str, str]]:
    """The time of each change, the value, and who made it."""
    for change in history:
        who = (
            visit.say("operator_pages-at-the-shell")
            if change.changed_by is None
            else label_user(change.changed_by, names)
        )
        value = visit.say("operator_pages-value-of-start") if change.value is None else change.value
        yield visit.clocks.moment(change.changed_at), value, who
