"""The registered documents for other programs, and the page of a passage.

Nobody's memory, files or conversation is here.
"""

import asyncio
import hashlib
import secrets
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rich_agent.domain.languages import RIGHT_TO_LEFT
from rich_agent.domain.rights import Reader
from rich_agent.domain.usage_limits import Payer
from rich_agent.phrases import say
from rich_agent.ports.knowledge import DocumentExcerpt, SourceCatalogue
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.metering import Billing, billed_to
from rich_agent.web.access import Caller
from rich_agent.web.addresses import PassageAddresses
from rich_agent.web.languages import locale_of
from rich_agent.web.refusals import RequestRefusedError

MOST_RESULTS = 10
LONGEST_QUERY = 1_000
"""Characters; what comes after them is not searched for."""
LONGEST_ID = 200
_AROUND = 2
_AT_ONCE = 2
_STEP = "search"


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that was found."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Searches and reads; the user who asks pays for the embedding.

    However many requests come, together they make two searches at once.
    """

    search: DocumentSearch
    catalogue: SourceCatalogue
    billing: Billing
    addresses: PassageAddresses
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def find(self, user_id: int, query: str) -> Sequence[FoundPassage]:
        """The best passages, best first. Raises: DailyLimitError, DatabaseUnavailableError."""
        payer, asked = Payer(user_id, f"mcp:{secrets.token_hex(8)}"), query[:LONGEST_QUERY]
        async with self._slots, self.billing.of_turn(payer, asked) as meter:
            with billed_to(meter, _STEP):
                found = await self.search.search(
                    asked, MOST_RESULTS, Reader(user_id), internal=False
                )
        return [
            FoundPassage(one.id, one.label, self.addresses.of(one.id, one.link or one.source_url))
            for one in found
        ]

    async def read(self, user_id: int, passage_id: str) -> tuple[DocumentExcerpt, str] | None:
        """A passage with what stands around it, and its address; None where there is none to read.

        Raises: DatabaseUnavailableError.
        """
        if len(passage_id) > LONGEST_ID:
            return None
        async with self._slots:
            found = await self.catalogue.excerpt(
                passage_id, _AROUND, Reader(user_id), internal=False
            )
        return (found, self.addresses.of(found.passage.id, found.link)) if found else None


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
    """Shows passages of active sources, those about the bot too: its answers cite them."""

    catalogue: SourceCatalogue

    async def show(self, request: Request, caller: Caller) -> Response:
        """The page. Raises: RequestRefusedError, DatabaseUnavailableError."""
        passage_id = request.path_params["passage_id"]
        found = None
        if len(passage_id) <= LONGEST_ID:
            reader = Reader(caller.user_id)
            found = await self.catalogue.excerpt(passage_id, _AROUND_ON_PAGE, reader)
        if found is None:
            message = "There is no such passage, or its source is not active any more."
            raise RequestRefusedError(404, "unknown_passage", message)
        return HTMLResponse(_render_page(found, locale_of(request)), headers=_PAGE_HEADERS)


def _render_page(excerpt: DocumentExcerpt, locale: str) -> str:
    before, after = excerpt.passages[: excerpt.asked], excerpt.passages[excerpt.asked + 1 :]
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
        before=before[0].id if before else "",
        after=after[-1].id if after else "",
        before_words=say(locale, "passage-before"),
        after_words=say(locale, "passage-after"),
    )
