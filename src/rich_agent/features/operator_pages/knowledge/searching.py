"""Search as a user: what a question would find for them, and why they may read it."""

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from starlette.responses import Response

from rich_agent.feature.accounts import Accounts
from rich_agent.feature.core import Documents
from rich_agent.feature.models import Billing, Payer, bill_to
from rich_agent.feature.pages import PageRefusedError, PageRoute, Visit
from rich_agent.feature.registry import KnowledgeListing, Reader
from rich_agent.feature.text import whole_number
from rich_agent.features.operator_pages.knowledge.visiting import PATH, reader_of
from rich_agent.features.operator_pages.roles import CHANGERS

_MOST_RESULTS = 10
_LONGEST_QUERY = 1_000
_STEP = "search"


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A result; `text` is "" if the visitor may not read what the user may."""

    rank: int
    score: str
    place: str
    source: str
    document_id: int | None
    text: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Searches with the rights of a user. Each search is recorded."""

    listing: KnowledgeListing
    open_documents: Callable[[], AbstractAsyncContextManager[Documents]]
    billing: Billing
    accounts: Accounts

    def routes(self) -> Sequence[PageRoute]:
        """The routes of the form and of the search."""
        path = f"{PATH}/search"
        return (
            PageRoute(path, self.show, roles=CHANGERS),
            # The audit is kept for good; a question may be a user's own words.
            PageRoute(
                path,
                self.search,
                ("POST",),
                CHANGERS,
                "knowledge.search_as",
                secret_fields=("q",),
                subject_fields=("user",),
            ),
        )

    async def show(self, visit: Visit) -> Response:
        """The form."""
        return self._page(visit, visit.query.get("user", ""), "", None, "")

    async def search(self, visit: Visit) -> Response:
        """The best passages for a question of a user, with the reasons."""
        user_text, query = visit.text("user", 30), visit.text("q", _LONGEST_QUERY)
        user_id = whole_number(user_text)
        if user_id is None:
            raise PageRefusedError(visit.say("operator_pages-number-wrong"))
        if not query:
            raise PageRefusedError(visit.say("operator_pages-knowledge-question-missing"))
        visit.note(as_user=user_id, characters=len(query))
        payer = Payer(visit.user_id, f"pages:{secrets.token_hex(8)}")
        async with self.billing.of_turn(payer, query) as meter, self.open_documents() as documents:
            with bill_to(meter, _STEP):
                passages = await documents.search.search(query, _MOST_RESULTS, Reader(user_id))
        ids = [passage.id for passage in passages]
        reasons = await self.listing.reasons(ids, Reader(user_id))
        own = await self.listing.reasons(ids, Reader(visit.user_id))
        name = (await self.accounts.names({user_id})).get(user_id, "")
        visit.note(results=len(passages))
        results = []
        for rank, passage in enumerate(passages, start=1):
            reason = reasons.get(passage.id)
            guarded = reason is None or reason.has_rights
            may_read = passage.id in own or (not guarded and reader_of(visit).sees_all)
            results.append(
                FoundPassage(
                    rank,
                    f"{passage.score:.3f}",
                    passage.label if may_read else "",
                    reason.source if reason else "",
                    reason.document_id if reason and may_read else None,
                    passage.content if may_read else "",
                    (*reason.by, *reason.through) if reason else (),
                )
            )
        return self._page(visit, user_text, query, results, name)

    def _page(
        self,
        visit: Visit,
        user: str,
        query: str,
        results: Sequence[FoundPassage] | None,
        name: str,
    ) -> Response:
        return visit.page(
            "knowledge_search.html",
            title=visit.say("operator_pages-knowledge-search-as"),
            user=user,
            query=query,
            results=results,
            name=name,
        )
