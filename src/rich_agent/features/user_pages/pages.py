"""The pages that panels make: each shows one or several, and does what their forms ask for."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

import structlog
from starlette.responses import RedirectResponse, Response
from typing_extensions import override

from rich_agent.feature.accounts import Accounts
from rich_agent.feature.errors import DatabaseUnavailableError
from rich_agent.feature.pages import PageEntry, PageGoneError, PageRefusedError, PageRoute, Visit
from rich_agent.feature.panels import Panel, PanelContent, PanelRefusedError, PanelRequest
from rich_agent.feature.tools import say_argument
from rich_agent.features.user_pages.actions import PanelActions

PATH: Final = "/me"
PRIVACY: Final = "privacy"
_SHARED: Final = {"devices": "user_pages-devices", "settings": "user_pages-settings"}
"""Pages that show panels of several features, with the keys of their names."""
_LONGEST_S: Final = 3.0
_REFRESH_S: Final = 120.0
_PLACE_FIELDS: Final = ("day", "list", "after")
"""Fields of an address that stay when something is changed."""
_LONGEST_FIELD: Final = 100
_log = structlog.get_logger()


def pages_of(panels: Sequence[Panel]) -> Mapping[str, Sequence[Panel]]:
    """The panels by the words of their pages, in order."""
    pages: dict[str, list[Panel]] = {}
    for panel in panels:
        pages.setdefault(panel.page or panel.name, []).append(panel)
    return pages


def name_key(word: str, panels: Sequence[Panel]) -> str:
    """The key of the name of a page: its own, that of the panel after which it is called."""
    own_panel = next((panel for panel in panels if panel.name == word), panels[0])
    return _SHARED.get(word, own_panel.heading)


class PageEntries(list[PageEntry]):
    """The entries of the pages; they are complete once all features are open."""

    def __init__(self, panels: Sequence[Panel]) -> None:
        super().__init__()
        self._panels = panels

    @override
    def __iter__(self) -> Iterator[PageEntry]:
        """The entries in the order of the pages."""
        for word, panels in pages_of(self._panels).items():
            yield PageEntry(f"{PATH}/{word}", name_key(word, panels))
        yield PageEntry(f"{PATH}/{PRIVACY}", "user_pages-privacy")


@dataclass(frozen=True, slots=True)
class ShownPanel:
    """A panel with its content, None if it could not be read."""

    panel: Panel
    content: PanelContent | None


@dataclass(frozen=True, slots=True)
class PanelPages:
    """Shows the panels of all features."""

    panels: Sequence[Panel]
    accounts: Accounts
    actions: PanelActions

    def routes(self) -> Sequence[PageRoute]:
        """The pages, and the actions of their forms."""
        page, action = PATH + "/{page}", PATH + "/{page}/{tool}"
        return (
            PageRoute(PATH, self._lead),
            PageRoute(page, self._show),
            PageRoute(page, self._take_back, ("POST",), action="own.undo"),
            PageRoute(action, self._act, ("POST",), action="own.change"),
        )

    async def _lead(self, visit: Visit) -> Response:
        """Lead to the first page."""
        word = next(iter(pages_of(self.panels)), PRIVACY)
        return RedirectResponse(visit.frame.url(f"{PATH}/{word}"), 303)

    async def _show(self, visit: Visit) -> Response:
        word, panels = self._page(visit)
        request = await self._request(visit, visit.query)
        contents = await asyncio.gather(*(_compose(panel, request) for panel in panels))
        shown = [ShownPanel(*one) for one in zip(panels, contents, strict=True)]
        return visit.page(
            "panels.html",
            title=visit.say(name_key(word, panels)),
            refresh_s=_REFRESH_S,
            word=word,
            panels=[one for one in shown if one.content != PanelContent()],
            changes=await self.actions.recent(visit.user_id),
            place=_place(visit.query),
            place_without_after={k: v for k, v in _place(visit.query).items() if k != "after"},
            say_argument=lambda name: say_argument(visit.locale, name),
            opened=visit.query.get("open", "")[:_LONGEST_FIELD],
        )

    async def _act(self, visit: Visit) -> Response:
        """Do what a form asks for. Raises: PageRefusedError."""
        word, panels = self._page(visit)
        name = str(visit.request.path_params["tool"])
        fields = {key: value for key, value in visit.form.items() if isinstance(value, str)}
        request = await self._request(visit, {})
        panel = next((one for one in panels if _has(one, name)), panels[0])
        if make_secret := panel.secrets.get(name):
            try:
                secret = await make_secret(request, fields)
            except PanelRefusedError as error:
                raise PageRefusedError(str(error)) from error
            title = visit.say(name_key(word, panels))
            return visit.page("secret.html", title=title, secret=secret, word=word)
        await self.actions.call(panel, name, fields, request)
        return self._back(visit, word)

    async def _take_back(self, visit: Visit) -> Response:
        """Take back a change. Raises: PageRefusedError."""
        word, _ = self._page(visit)
        request = await self._request(visit, {})
        await self.actions.take_back(visit.text("undo", _LONGEST_FIELD), request)
        return self._back(visit, word, "user_pages-undone")

    def _back(self, visit: Visit, word: str, said: str = "") -> Response:
        """Lead back to the place on the page from which a form was sent."""
        place = _place(dict(parse_qsl(visit.text("_place"))))
        return visit.done(f"{PATH}/{word}", said, **place)

    def _page(self, visit: Visit) -> tuple[str, Sequence[Panel]]:
        word = str(visit.request.path_params["page"])
        panels = pages_of(self.panels).get(word)
        if panels is None:
            raise PageGoneError
        return word, panels

    async def _request(self, visit: Visit, query: Mapping[str, str]) -> PanelRequest:
        account = await self.accounts.find(visit.user_id)
        return PanelRequest(visit.user_id, visit.clocks, account, query)


def _has(panel: Panel, name: str) -> bool:
    return name in panel.secrets or any(tool.name == name for tool in panel.tools)


def _place(query: Mapping[str, str]) -> dict[str, str]:
    """The fields of an address that say which part of the page is shown."""
    return {name: query[name][:_LONGEST_FIELD] for name in _PLACE_FIELDS if query.get(name)}


async def _compose(panel: Panel, request: PanelRequest) -> PanelContent | None:
    """The content of a panel; None if it breaks or is late, so that others are shown."""
    try:
        async with asyncio.timeout(_LONGEST_S):
            return await panel.compose(request)
    except DatabaseUnavailableError:
        raise
    except Exception:  # noqa: BLE001 - a feature's panel ends its own part
        _log.exception("user_pages.panel_broke", panel=panel.name)
        return None
