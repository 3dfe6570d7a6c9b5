"""The style and the script of all pages; they contain nothing about a user."""

import gzip
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from rich_agent.web.routes import OpenRoute

FILES_PATH = "/pages"
_TYPES: Mapping[str, str] = {
    "pages.css": "text/css; charset=utf-8",
    "palette.css": "text/css; charset=utf-8",
    "pages.js": "text/javascript; charset=utf-8",
    "drag.js": "text/javascript; charset=utf-8",
    "vendor/idiomorph.js": "text/javascript; charset=utf-8",
    "vendor/LICENSES.txt": "text/plain; charset=utf-8",
}
_FOR_A_YEAR = "public, max-age=31536000, immutable"


@cache
def _content(name: str) -> bytes:
    return files("rich_agent.web").joinpath("pages", name).read_bytes()


@cache
def _packed(name: str) -> bytes:
    return gzip.compress(_content(name), 9, mtime=0)


@cache
def page_file_tag(name: str) -> str:
    """A text that changes with the content of a file, for its address."""
    return hashlib.sha256(_content(name)).hexdigest()[:16]


async def serve_page_file(request: Request) -> Response:
    """A file. An address with the file's tag is never asked for again."""
    name = request.path_params["path"]
    if name not in _TYPES:
        return PlainTextResponse("not found", 404)
    tag = page_file_tag(name)
    headers = {
        "Cache-Control": _FOR_A_YEAR if request.url.query == tag else "no-cache",
        "Cross-Origin-Resource-Policy": "same-origin",
        "ETag": f'"{tag}"',
        "Vary": "Accept-Encoding",
        "X-Content-Type-Options": "nosniff",
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(_packed(name), headers=headers, media_type=_TYPES[name])
    return Response(_content(name), headers=headers, media_type=_TYPES[name])


def page_file_routes() -> Sequence[OpenRoute]:
    """The addresses of the files, open to all."""
    return (OpenRoute(FILES_PATH + "/{path:path}", serve_page_file),)
