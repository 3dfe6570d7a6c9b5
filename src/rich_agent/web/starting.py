"""The answer while features start: a page for browsers, an error for programs."""

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from rich_agent.domain.languages import RIGHT_TO_LEFT
from rich_agent.phrases import say
from rich_agent.web.languages import locale_of
from rich_agent.web.refusals import RequestRefusedError, refusal, retry_after

_STATUS = 503
_PAUSE_S = 1.0
_HEADERS = {**retry_after(_PAUSE_S), "Vary": "Accept, Accept-Language"}
_PAGE_HEADERS = {
    **_HEADERS,
    "Refresh": f"{_PAUSE_S:.0f}",
    "Content-Security-Policy": "default-src 'none'",
    "X-Frame-Options": "DENY",
}
_PAGE = (
    '<!doctype html>\n<html lang="{locale}" dir="{direction}"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    "<title>{words}</title><p>{words}</p></html>\n"
)


class StartingBot:
    """Asks clients to try again in a second; browsers do so automatically."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of any method."""
        await _answer(Request(scope))(scope, receive, send)


def _answer(request: Request) -> Response:
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        locale = locale_of(request)
        direction = "rtl" if locale in RIGHT_TO_LEFT else "ltr"
        words = escape(say(locale, "bot-starting"))
        page = _PAGE.format(locale=locale, direction=direction, words=words)
        return HTMLResponse(page, _STATUS, _PAGE_HEADERS)
    message, hint = "The bot is starting.", "Try again."
    error = RequestRefusedError(_STATUS, "starting", message, hint=hint, headers=_HEADERS)
    return refusal(error)
