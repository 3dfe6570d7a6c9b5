"""Areas of pages, such as those of the operator: who is admitted, what stands around each page."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Send
from starlette.types import Scope as Connection

from rich_agent.domain.languages import RIGHT_TO_LEFT
from rich_agent.domain.text import clean_text, shorten
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.audit import Audit, AuditedChange
from rich_agent.ports.news import News
from rich_agent.runtime.concurrency import happens_within
from rich_agent.times import Clocks
from rich_agent.web.access import Caller, caller_of, network_of
from rich_agent.web.languages import language_of, locale_of
from rich_agent.web.own_pages import OwnPages
from rich_agent.web.pages.files import FILES_PATH, page_file_tag
from rich_agent.web.pages.routes import (
    PageEntry,
    PageGoneError,
    PageLink,
    PageRefusedError,
    PageRoute,
)
from rich_agent.web.pages.visits import Frame, Visit
from rich_agent.web.refusals import RequestRefusedError
from rich_agent.web.routes import GuardedRoute, handled_by
from rich_agent.web.sign_in_links import SignInLink, SignInPhrases
from rich_agent.web.streams import KEEP_ALIVE, PlacedStreamResponse, StreamPlaces

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent
_TELEGRAM_WEB = "https://web.telegram.org"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "require-trusted-types-for 'script'; trusted-types pages; frame-ancestors "
)
_SHOWN_FIELD_CHARS = 200
_MOST_SHOWN_FIELDS = 50
_KEEP_ALIVE_S = 20.0
_NAVIGATION_S = 2.0
"""Longest wait for the navigation of a page that is refused."""
_LIVE = "/live"


@dataclass(frozen=True, slots=True)
class PageSurroundings:
    """Services and links that all areas of pages share."""

    accounts: Accounts
    news: News
    pages: OwnPages
    bot_name: Callable[[], str]
    links: Sequence[PageLink]
    """The links to all areas, complete once all features are open."""
    sign_in_links: Sequence[SignInLink]
    """The ways to sign in, complete once all features are open."""
    sign_in_phrases: Sequence[SignInPhrases] = ()
    """Phrases that say how to sign in, complete once all features are open."""
    streams: StreamPlaces = field(default_factory=StreamPlaces)

    @property
    def front(self) -> str:
        """The path of the public address."""
        return urlsplit(self.pages.public_url).path.rstrip("/")

    def url(self, path: str) -> str:
        """The address of a path of the bot."""
        return self.front + path


async def has_no_role(_user_id: int) -> str:
    """Admit whoever may use the bot."""
    return ""


@dataclass(frozen=True, slots=True, eq=False)
class PageArea:
    """The pages below one path, with their navigation."""

    path: str
    """Path of the area, such as "/garden"."""
    name_key: str
    """Key of the phrase that names the area."""
    templates: Path
    around: PageSurroundings
    role_of: Callable[[int], Awaitable[str | None]] = has_no_role
    """Returns the role of a user in the area, None if the area is not for them."""
    news_of: Callable[[int], int] = lambda user_id: user_id
    """Returns the number under which changes are told that a user's pages show."""
    audit: Audit | None = None
    """Records what forms do, if changes of the area are audited."""
    is_framed: bool = False
    """Whether Telegram's web client may show the pages."""
    entries: list[PageEntry] = field(default_factory=list)
    """The pages in the navigation, in order; features add theirs."""

    def routes(
        self, routes: Sequence[PageRoute], templates: Path | None = None
    ) -> Sequence[GuardedRoute]:
        """The routes behind the gate; `templates` is the folder if it is not the area's."""
        folder = templates or self.templates
        by_path: dict[str, list[PageRoute]] = {}
        for route in routes:
            by_path.setdefault(route.path, []).append(route)
        return [self._guarded(path, group, folder) for path, group in by_path.items()]

    def live_route(self) -> GuardedRoute:
        """The route of the stream that tells open pages of changes."""
        app, path = handled_by(self._follow), self.path + _LIVE
        return GuardedRoute(path, None, app, for_own_pages=True, check=_refuse_programs)

    def _guarded(self, path: str, group: Sequence[PageRoute], templates: Path) -> GuardedRoute:
        methods = {method: route for route in group for method in route.methods}

        async def check(request: Request, caller: Caller) -> None:
            await _refuse_programs(request, caller)
            request.state.role = await self._role(caller.user_id, methods[request.method].roles)

        async def app(scope: Connection, receive: Receive, send: Send) -> None:
            scope["path_params"] = _cleaned(scope["path_params"])
            request = Request(scope, receive)
            response = await self._answer(request, methods[request.method], templates)
            await response(scope, receive, send)

        return GuardedRoute(
            path.replace(":int}", ":number}"),
            None,
            app,
            tuple(methods),
            max(route.body_bytes for route in group),
            for_own_pages=True,
            refuse=self._refuse,
            check=check,
        )

    async def _answer(self, request: Request, route: PageRoute, templates: Path) -> Response:
        """The answer of a route. Raises: RequestRefusedError, DatabaseUnavailableError."""
        user_id, role = caller_of(request).user_id, request.state.role
        visit = await self._visit(request, user_id, role, templates)
        try:
            if request.method == "GET":
                return await route.answer(visit)
            async with request.form(max_files=100, max_fields=2_000) as form:
                return await self._act(_with_form(visit, form), route)
        except PageGoneError:
            return visit.page("gone.html", title=visit.say("pages-gone"), status=404)
        except PageRefusedError as error:
            sentence = " ".join(filter(None, (str(error), error.hint)))
            title = say(visit.locale, "pages-problem")
            return visit.page("problem.html", title=title, status=400, sentence=sentence)

    async def _role(self, user_id: int, roles: frozenset[str]) -> str:
        role = await self.role_of(user_id)
        if role is None or role not in roles:
            raise RequestRefusedError(
                403, "wrong_role", "This page is not for you.", hint="Ask the owner of the bot."
            )
        return role

    async def _act(self, visit: Visit, route: PageRoute) -> Response:
        """Do what a form asks for, under the audit. Raises: PageRefusedError."""
        async with self._audited(visit, route):
            return await route.answer(visit)

    def _audited(self, visit: Visit, route: PageRoute) -> AbstractAsyncContextManager[None]:
        if self.audit is None:
            return nullcontext()
        visit.noted.update(_fields(visit.form, route))
        path_parts = map(str, visit.request.path_params.values())
        field_parts = (visit.text(name, _SHOWN_FIELD_CHARS) for name in route.subject_fields)
        return self.audit.change(
            AuditedChange(
                visit.user_id,
                route.action,
                " ".join(filter(None, (*path_parts, *field_parts))),
                visit.noted,
                visit.role,
                network_of(visit.request),
            )
        )

    async def _visit(
        self, request: Request, user_id: int, role: str | None, templates: Path
    ) -> Visit:
        """A visit with the navigation of a role; with None, only links elsewhere are in it."""
        account = await self.around.accounts.find(user_id)
        clocks = Clocks(account.locale_for(client=language_of(request)), account.time_zone)
        entries = [entry for entry in self.entries if role in entry.roles]
        links = [link for link in self.around.links if await link.is_for(user_id)]
        values = {
            **self._values(clocks.locale),
            "entries": entries,
            "current": _current(entries, request.url.path),
            "links": [link for link in links if f"{self.path}/" not in f"{link.path}/"],
        }
        environment = _environment(templates)
        frame = Frame(environment.get_template, self.around.url, self._headers(), values)
        return Visit(request, user_id, role or "", clocks, frame)

    def _values(self, locale: str) -> dict[str, object]:
        """The values of any page of the area, also for those who are not signed in."""
        return {
            "area": self,
            "bot": self.around.bot_name(),
            "locale": locale,
            "direction": "rtl" if locale in RIGHT_TO_LEFT else "ltr",
            "file_url": lambda name: f"{self.around.url(FILES_PATH)}/{name}?{page_file_tag(name)}",
            "live_url": self.around.url(self.path + _LIVE),
        }

    async def _refuse(self, request: Request, error: RequestRefusedError) -> Response:
        """The page for somebody who is not signed in, may not see the page, or has to wait.

        Who is signed in keeps the navigation, unless the database cannot be asked for their role.
        """
        came_from_elsewhere = (
            request.method == "GET" and not self.around.pages.ask(request) and error.status == 401
        )
        values: dict[str, object] = {
            "came_from_elsewhere": came_from_elsewhere,
            "here": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
            "sign_in_links": self.around.sign_in_links,
            "sign_in_phrases": self.around.sign_in_phrases,
            "status_code": error.status,
            "can_open_again": request.method == "GET",
            "sentence": " ".join(filter(None, (str(error), error.hint))),
        }
        response = await self._page_for_member(request, values, error)
        if response is None:
            response = self.page_for_strangers(request, "refused.html", values, error.status)
        response.headers.update(error.headers)
        return response

    async def _page_for_member(
        self, request: Request, values: Mapping[str, Any], error: RequestRefusedError
    ) -> Response | None:
        """The refusal with the navigation of who was admitted; None if that is not known.

        The area's own address leads to the first page that they may see.
        """
        caller: Caller | None = getattr(request.state, "caller", None)
        if caller is None or caller.token_id is not None:
            return None
        with suppress(DatabaseUnavailableError, TimeoutError):
            async with asyncio.timeout(_NAVIGATION_S):
                role = await self.role_of(caller.user_id)
                visit = await self._visit(request, caller.user_id, role, self.templates)
            entry = next((one for one in self.entries if role in one.roles), None)
            is_front_page = request.url.path in {self.path, self.around.url(self.path)}
            if entry and is_front_page and (request.method, error.status) == ("GET", 403):
                return RedirectResponse(self.around.url(entry.path), 303, self._headers())
            return visit.page("refused.html", title="", status=error.status, **values)
        return None

    def page_for_strangers(
        self, request: Request, template: str, values: Mapping[str, object], status: int = 200
    ) -> HTMLResponse:
        """A page without navigation, in the language of the request, for who has not signed in.

        The template extends `area.html` and gets the values.
        """
        locale = locale_of(request)
        page_values: dict[str, object] = {
            **self._values(locale),
            "say": lambda key, **places: say(locale, key, **places),
            "url": self.around.url,
            "entries": (),
            "links": (),
            "current": None,
            **values,
        }
        content = _environment(self.templates).get_template(template).render(page_values)
        headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
        nosniff = {"X-Content-Type-Options": "nosniff"}
        return HTMLResponse(content, status, {**headers, **nosniff, **self._headers()})

    def _headers(self) -> dict[str, str]:
        may_frame = self.is_framed and self.around.pages.is_secure
        return {
            "Content-Security-Policy": _POLICY + (_TELEGRAM_WEB if may_frame else "'none'"),
            "X-Robots-Tag": "noindex",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        }

    async def _follow(self, _request: Request, caller: Caller) -> Response:
        """The stream of an open page: an event whenever what it shows may have changed."""
        if await self.role_of(caller.user_id) is None:
            raise RequestRefusedError(403, "wrong_role", "This page is not for you.")
        lines = self._changes(caller.user_id)
        return PlacedStreamResponse(lines, self.around.streams, caller.user_id)

    async def _changes(self, user_id: int) -> AsyncIterator[str]:
        async with self.around.news.hearing(self.news_of(user_id)) as news_event:
            yield "event: begun\ndata:\n\n"
            while await self.role_of(user_id) is not None:
                if await happens_within(news_event, _KEEP_ALIVE_S):
                    news_event.clear()
                    yield "event: changed\ndata:\n\n"
                else:
                    yield KEEP_ALIVE


def _current(entries: Sequence[PageEntry], path: str) -> PageEntry | None:
    """The entry whose page, or a page below it, is shown; the longest path counts."""
    fitting = (entry for entry in entries if f"{entry.path}/" in f"{path}/")
    return max(fitting, key=lambda entry: len(entry.path), default=None)


async def _refuse_programs(_request: Request, caller: Caller) -> None:
    """Refuse a token of a program: its scope says nothing of pages, which can do everything."""
    if caller.token_id is not None:
        raise RequestRefusedError(403, "not_for_tokens", "This page is not for programs.")


def _cleaned(parts: Mapping[str, object]) -> dict[str, object]:
    """The parts of a path without characters that a database refuses."""
    return {
        name: clean_text(part) if isinstance(part, str) else part for name, part in parts.items()
    }


class _NumberConvertor(IntegerConvertor):
    """A number in a path that PostgreSQL's `bigint` holds; anything else is another path."""

    regex = "[0-9]{1,18}"


register_url_convertor("number", _NumberConvertor())


def _with_form(visit: Visit, form: FormData) -> Visit:
    return Visit(visit.request, visit.user_id, visit.role, visit.clocks, visit.frame, form)


def _fields(form: FormData, route: PageRoute) -> Iterator[tuple[str, object]]:
    """The fields of a form for the audit: long texts shortened, of files only their names."""
    for name in [*form][:_MOST_SHOWN_FIELDS]:
        if name not in route.secret_fields:
            values = [_field_text(value) for value in form.getlist(name)[:_MOST_SHOWN_FIELDS]]
            yield shorten(name, _SHOWN_FIELD_CHARS), values[0] if len(values) == 1 else values


def _field_text(value: str | UploadFile) -> str:
    text = value if isinstance(value, str) else value.filename or ""
    return shorten(text, _SHOWN_FIELD_CHARS)


@cache
def _environment(templates: Path) -> "Environment":
    """The templates of a folder, and those that all areas share."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - loads late

    return Environment(
        loader=FileSystemLoader([templates, _HERE / "templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
