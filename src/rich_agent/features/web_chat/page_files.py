"""The files of the web chat, and the texts on its page. They contain nothing about a user."""

import gzip
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from rich_agent.feature import say
from rich_agent.feature.surface import RIGHT_TO_LEFT, Menu, Persona, phrase_keys
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
    "pages-elsewhere",
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


def page_words(
    locale: str, bot: str, menu: Menu, links: tuple[SignInLink, ...] = (), picture: str = ""
) -> bytes:
    """JSON with `language` (BCP 47), `direction` ("ltr" or "rtl") and `words`, by their keys.

    A placeholder is written "{name}". `bot` is the bot's own name, "" while it is unknown;
    `picture` is the path of its picture, "" without one.
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
        "picture": picture,
        "commands": menu.describe_elsewhere(locale),
        "signIns": [(link.words(locale), link.path_to(PAGE_PATH)) for link in links],
        "words": phrase_by_key | {name: say(locale, key) for name, key in _REFUSALS.items()},
    }
    return json.dumps(content, ensure_ascii=False).encode()


PAGE_PATH = "/chat"
_WORDS = "words"
PICTURE = "picture"
_MOST_WORDS = 64
"""The languages, before and after a change of the bot's name or menu."""
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


@lru_cache(_MOST_WORDS)
def _words(
    locale: str, bot: str, menu: Menu, links: tuple[SignInLink, ...], picture: str
) -> PageFile:
    return _file(page_words(locale, bot, menu, links, picture), _TYPES["json"])


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
class BotFace:
    """The name and the picture of the bot on the page, which are the same for everybody.

    `name` is the one that Telegram has told; that of the bot's persona comes before it.
    """

    name: Callable[[], str]
    persona_of: Callable[[int | None], Awaitable[Persona | None]]

    async def look(self) -> tuple[str, PageFile | None]:
        """The name, "" while it is unknown, and the picture, None without one."""
        persona = await self.persona_of(None)
        if persona is None:
            return self.name(), None
        picture = _file(persona.picture[1], persona.picture[0]) if persona.picture else None
        return persona.name or self.name(), picture


@dataclass(frozen=True, slots=True)
class PageServer:
    """Serves the files.

    Only Telegram's web client may show them in a frame, and only over https. `menu` returns
    the commands that the page lists. `links` lead to other ways to sign in.
    """

    files: Mapping[str, PageFile]
    is_secure: bool
    face: BotFace
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
        if path in {_WORDS, PICTURE}:
            file = await self._file_of_bot(path, locale_of(request))
        if file is None:
            return PlainTextResponse("not found", 404, self._headers())
        headers = {**self._headers(), "ETag": file.tag, "Vary": "Accept-Encoding, Accept-Language"}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        accepts_gzip = path != PICTURE and "gzip" in request.headers.get("accept-encoding", "")
        if accepts_gzip:
            headers["Content-Encoding"] = "gzip"
        content = _pack(file.content) if accepts_gzip else file.content
        return Response(content, headers=headers | {"Content-Type": file.media_type})

    async def _file_of_bot(self, path: str, locale: str) -> PageFile | None:
        """The words of the page in a language, or the bot's picture."""
        name, picture = await self.face.look()
        if path == PICTURE:
            return picture
        address = f"{PICTURE}?v={picture.tag[1:9]}" if picture else ""
        return _words(locale, name, self.menu(), tuple(self.links), address)

    def _headers(self) -> dict[str, str]:
        frame_ancestors = _TELEGRAM_WEB if self.is_secure else "'none'"
        return {
            "Content-Security-Policy": _POLICY + frame_ancestors,
            "Cache-Control": "no-cache",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
