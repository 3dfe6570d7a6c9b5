"""The page of a passage of a registered document.

It never shows a user's memory, files or conversation.
"""

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rich_agent.domain.languages import RIGHT_TO_LEFT
from rich_agent.domain.rights import Reader
from rich_agent.phrases import say
from rich_agent.ports.knowledge import DocumentExcerpt, SourceCatalogue
from rich_agent.web.access import Caller
from rich_agent.web.languages import locale_of
from rich_agent.web.refusals import RequestRefusedError

_LONGEST_ID = 200
_AROUND_ON_PAGE = 3
_STYLE = files("rich_agent.web").joinpath("pages/passage.css").read_text("utf-8")
_STYLE_HASH = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_PAGE_HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
}
_PAGE = Environment(
    loader=PackageLoader("rich_agent.web", "pages"), autoescape=True, undefined=StrictUndefined
).get_template("passage.html")


@dataclass(frozen=True, slots=True)
class PassagePage:
    """Shows passages of active sources, also of those about the bot, which answers cite."""

    catalogue: SourceCatalogue

    async def show(self, request: Request, caller: Caller) -> Response:
        """The page with a passage. Raises: RequestRefusedError, DatabaseUnavailableError."""
        passage_id = request.path_params["passage_id"]
        excerpt = None
        if len(passage_id) <= _LONGEST_ID:
            reader = Reader(caller.user_id)
            excerpt = await self.catalogue.excerpt(passage_id, _AROUND_ON_PAGE, reader)
        if excerpt is None:
            message = "There is no such passage, or its source is not active any more."
            raise RequestRefusedError(404, "unknown_passage", message)
        return HTMLResponse(_render_page(excerpt, locale_of(request)), headers=_PAGE_HEADERS)


def _render_page(excerpt: DocumentExcerpt, locale: str) -> str:
    earlier_passages = excerpt.passages[: excerpt.asked]
    later_passages = excerpt.passages[excerpt.asked + 1 :]
    place = say(
        locale,
        "passage-place",
        source=excerpt.source,
        position=excerpt.position,
        count=excerpt.count,
    )
    return _PAGE.render(
        locale=locale,
        direction="rtl" if locale in RIGHT_TO_LEFT else "ltr",
        title=excerpt.label,
        style=_STYLE,
        place=place,
        passages=excerpt.passages,
        asked=excerpt.asked,
        before=earlier_passages[0].id if earlier_passages else "",
        after=later_passages[-1].id if later_passages else "",
        before_words=say(locale, "passage-before"),
        after_words=say(locale, "passage-after"),
    )
