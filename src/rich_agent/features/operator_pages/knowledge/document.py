"""The page of one document: its passages as they are read, what is missing, and who sees it."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from rich_agent.feature.accounts import Accounts
from rich_agent.feature.knowledge import say_parts
from rich_agent.feature.pages import PageGoneError, PageRoute, Visit
from rich_agent.feature.registry import (
    ExplainedDocument,
    KnowledgeListing,
    PostgresDocumentRights,
)
from rich_agent.feature.text import whole_number
from rich_agent.features.operator_pages.knowledge.visiting import (
    PATH,
    PER_PAGE,
    reader_of,
)
from rich_agent.features.operator_pages.knowledge.wording import say_readers
from rich_agent.features.operator_pages.roles import KNOWLEDGE_READERS

_MOST_PEOPLE = 200


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Shows a document."""

    listing: KnowledgeListing
    rights: PostgresDocumentRights
    accounts: Accounts

    def routes(self) -> Sequence[PageRoute]:
        """The route of the page."""
        return (PageRoute(f"{PATH}/documents/{{document}}", self.show, roles=KNOWLEDGE_READERS),)

    async def show(self, visit: Visit) -> Response:
        """The document with some of its passages."""
        document_id = whole_number(visit.request.path_params["document"])
        rights = await self.rights.of(document_id) if document_id else None
        if document_id is None or rights is None:
            raise PageGoneError
        reader = reader_of(visit, has_rights=rights.has_rights)
        document = await self.listing.document(document_id, reader)
        if document is None:
            raise PageGoneError
        after = whole_number(visit.query.get("after", ""))
        passages = await self.listing.passages(
            document_id, reader, after=-1 if after is None else after, limit=PER_PAGE + 1
        )
        return visit.page(
            "knowledge_document.html",
            title=document.title or document.url,
            document=document,
            source_name=rights.source,
            fetched_at=visit.clocks.moment(document.fetched_at),
            unread=say_parts(visit.locale, document.unread) if document.unread else "",
            passages=passages[:PER_PAGE],
            next=str(passages[PER_PAGE - 1].number) if len(passages) > PER_PAGE else "",
            is_first=after is None,
            readers=await self._readers(rights, visit),
        )

    async def _readers(
        self, rights: ExplainedDocument, visit: Visit
    ) -> Sequence[tuple[str, Sequence[str]]]:
        """The reasons why people see the document, each with the principals that it is about."""
        people = rights.people[:_MOST_PEOPLE]
        users = [f"user:{person.user_id}" for person in people]
        principals = [*rights.space_readers, *rights.readers, *users]
        words = await say_readers(principals, visit, self.accounts)
        nobody = [visit.say("operator_pages-knowledge-nobody")]
        reasons: list[tuple[str, Sequence[str]]] = []
        if rights.status != "active":
            reasons.append((visit.say("operator_pages-knowledge-sees-inactive"), ()))
        if rights.space:
            sentence = visit.say("operator_pages-knowledge-sees-space", space=rights.space)
            reasons.append((sentence, [words[one] for one in rights.space_readers] or nobody))
        elif not rights.has_rights:
            reasons.append((visit.say("operator_pages-knowledge-sees-everybody"), ()))
        if rights.has_rights:
            sentence = visit.say("operator_pages-knowledge-sees-place", place=rights.place or "–")
            reasons.append((sentence, [words[one] for one in rights.readers] or nobody))
            if not rights.is_current:
                reasons.append((visit.say("operator_pages-knowledge-sees-old"), ()))
            if people:
                names_of_people = [
                    f"{words[f'user:{one.user_id}']}: {one.is_known_as}"
                    + ("" if one.is_known_as == one.reader else f" → {one.reader}")
                    for one in people
                ]
                reasons.append((visit.say("operator_pages-knowledge-sees-people"), names_of_people))
        return reasons
