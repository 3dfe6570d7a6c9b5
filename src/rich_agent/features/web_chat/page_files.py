"""The files of the web chat, and the texts on its page. They contain nothing about a user."""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from rich_agent.feature import say
from rich_agent.feature.surface import RIGHT_TO_LEFT, Menu, phrase_keys
from rich_agent.feature.web import OpenRoute, SignInLink, locale_of

_PLACES = ("caption", "count", "day", "name", "number", "text", "title", "who")
_FAMILIES = ("argument-", "picture-", "tool-", "value-", "web_chat-")
_OF_THE_COMMAND = "web_chat-command-"
_OTHERS = (
    "approve-no",
    "approve-always",
    "approve-yes",
    "button-correct",
    "button-outdated",
    "card-characters-left-out",
    "button-stop",
    "file-keep-button",
    "file-only-here-button",
    "help-commands",
    "help-reply",
    "rated",
    "rated-down",
    "rating-withdrawn",
    "sources-heading",
    "status-busy",
    "status-drafting",
    "status-looking",
    "status-queued",
    "status-reading",
    "status-searching",
    "status-searching-web",
    "status-thinking",
    "stopped-by-command",
    "undo-button",
    "undo-done",
    "undo-too-late",
    "why-button",
)
_REFUSALS = {"web_chat-not-latest": "run-not-latest"}
"""Sentences of the core for codes of refusals, by the keys that the page uses."""


@cache
def page_words(locale: str, bot: str, menu: Menu, links: tuple[SignInLink, ...] = ()) -> bytes:
    """JSON with `language` (BCP 47), `direction` ("ltr" or "rtl") and `words`, by their keys.

    A placeholder is written "{name}". `bot` is the bot's own name, "" while it is unknown.
    `commands` are pairs of a name and its description, `signIns` pairs of the words of a link and
    its path.
    """
    placeholders = {place: f"{{{place}}}" for place in _PLACES}
    keys = [
        key
        for key in phrase_keys()
        if key.startswith(_FAMILIES) and not key.startswith(_OF_THE_COMMAND)
    ]
    phrase_by_key = {key: say(locale, key, **placeholders) for key in (*keys, *_OTHERS)}
    content = {
        "language": locale,
        "direction": "rtl" if locale in RIGHT_TO_LEFT else "ltr",
        "bot": bot,
        "commands": menu.describe_elsewhere(locale),
        "signIns": [(link.words(locale), link.path_to(PAGE_PATH)) for link in links],
        "words": phrase_by_key | {name: say(locale, key) for name, key in _REFUSALS.items()},
    }
    return json.dumps(content, ensure_ascii=False).encode()


PAGE_PATH = "/chat"
_WORDS = "words"
_TYPES: Mapping[str, str] = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
}
_TELEGRAM_WEB = "https://web.telegram.org"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types dompurify; frame-ancestors "
)


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the page. `tag` identifies its content."""

    content: bytes
    media_type: str
    tag: str


def read_page_files() -> Mapping[str, PageFile]:
    """All files of the page by their path below `/chat`; "" is the page itself."""
    page_files = {}
    for path, file in _walk(files("rich_agent.features.web_chat") / "page"):
        media_type = _TYPES.get(path.rpartition(".")[2])
        if media_type is not None:
            page_files["" if path == "index.html" else path] = _file(file.read_bytes(), media_type)
    return page_files


@cache
def _words(locale: str, bot: str, menu: Menu, links: tuple[SignInLink, ...]) -> PageFile:
    return _file(page_words(locale, bot, menu, links), _TYPES["json"])


def _file(content: bytes, media_type: str) -> PageFile:
    return PageFile(content, media_type, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


@cache
def _pack(content: bytes) -> bytes:
    """A compressed file for slow connections, made at its first request and not at the start."""
    return gzip.compress(content, 9, mtime=0)


def _walk(folder: Traversable, parent_path: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{parent_path}{entry.name}/")
        else:
            yield parent_path + entry.name, entry


@dataclass(frozen=True, slots=True)
class PageServer:
    """Serves the files.

    Only Telegram's web client may show them in a frame, and only over https. `name` returns the
    bot's own name, "" while it is unknown. `menu` returns the commands that the page lists. `links`
    lead to other ways to sign in.
    """

    files: Mapping[str, PageFile]
    is_secure: bool
    name: Callable[[], str]
    menu: Callable[[], Menu]
    links: Sequence[SignInLink] = ()

    def routes(self) -> Sequence[OpenRoute]:
        """The page, and all addresses below it."""
        return OpenRoute(PAGE_PATH, self.serve), OpenRoute(PAGE_PATH + "/{path:path}", self.serve)

    async def serve(self, request: Request) -> Response:
        """The file at this address.

        Its texts are in the language that the request accepts. Browsers revalidate their copy each
        time.
        """
        path = request.path_params.get("path", "")
        file = self.files.get(path)
        if path == _WORDS:
            file = _words(locale_of(request), self.name(), self.menu(), tuple(self.links))
        if file is None:
            return PlainTextResponse("not found", 404, self._headers())
        headers = {**self._headers(), "ETag": file.tag, "Vary": "Accept-Encoding, Accept-Language"}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
        if accepts_gzip:
            headers["Content-Encoding"] = "gzip"
        content = _pack(file.content) if accepts_gzip else file.content
        return Response(content, headers=headers | {"Content-Type": file.media_type})

    def _headers(self) -> dict[str, str]:
        frame_ancestors = _TELEGRAM_WEB if self.is_secure else "'none'"
        return {
            "Content-Security-Policy": _POLICY + frame_ancestors,
            "Cache-Control": "no-cache",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
