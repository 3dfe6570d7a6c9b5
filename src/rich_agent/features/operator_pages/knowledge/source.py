"""The page of one source: its documents, what failed, when it is read, and what may be changed."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from starlette.responses import Response

from rich_agent.feature.accounts import Accounts
from rich_agent.feature.knowledge import say_parts
from rich_agent.feature.pages import PageGoneError, PageRefusedError, PageRoute, Visit
from rich_agent.feature.registry import (
    DOCUMENT_STATES,
    Clock,
    DocumentChoice,
    KnowledgeListing,
    ListedDocument,
    ListedSource,
    PostgresSpaceRegistry,
    PostgresUploadedFiles,
    ScheduleChange,
    Source,
    SourceError,
    SourceRegistration,
    SyncProgressReader,
)
from rich_agent.features.operator_pages.knowledge.visiting import (
    ASK_OPERATOR,
    PATH,
    PER_PAGE,
    changeable_source,
    reader_of,
    refusals,
)
from rich_agent.features.operator_pages.knowledge.wording import (
    interval_of,
    say_clock,
    say_problem,
    say_progress,
    say_readers,
)
from rich_agent.features.operator_pages.roles import CHANGERS, KNOWLEDGE_CHANGERS, KNOWLEDGE_READERS

_AT = f"{PATH}/sources/{{source}}"
_SAVED = "operator_pages-knowledge-said-saved"
_BUSY_S, _IDLE_S = 2.0, 15.0
_LONGEST_SEARCH = 200
_MOST_FILES_SHOWN = 200
Act = Callable[[Source, Visit], Awaitable[str]]
"""Changes a source as a form says, and returns the key of what the page says then."""


@dataclass(frozen=True, slots=True)
class RegisteredSourcePage:
    """Shows a source, and changes it."""

    listing: KnowledgeListing
    registration: SourceRegistration
    spaces: PostgresSpaceRegistry
    files: PostgresUploadedFiles
    progress: SyncProgressReader
    accounts: Accounts

    def routes(self) -> Sequence[PageRoute]:
        """The routes of the page and of its forms."""
        acts: tuple[tuple[str, Act, frozenset[str]], ...] = (
            ("read", self._read, KNOWLEDGE_CHANGERS),
            ("schedule", self._schedule, KNOWLEDGE_CHANGERS),
            ("status", self._set_status, KNOWLEDGE_CHANGERS),
            ("space", self._move, CHANGERS),
            ("file", self._remove_file, KNOWLEDGE_CHANGERS),
        )
        return (
            PageRoute(_AT, self.show, roles=KNOWLEDGE_READERS),
            PageRoute(
                f"{_AT}/remove", self.remove, ("POST",), KNOWLEDGE_CHANGERS, "knowledge.remove"
            ),
            *(
                PageRoute(f"{_AT}/{name}", self._acting(act), ("POST",), roles, f"knowledge.{name}")
                for name, act, roles in acts
            ),
        )

    async def show(self, visit: Visit) -> Response:
        """The source with a page of its documents."""
        source = await self.listing.source(visit.request.path_params["source"], reader_of(visit))
        if source is None:
            raise PageGoneError
        clocks = await self.registration.clocks.all([source.id])
        choice = _choice(visit)
        reader = reader_of(visit, has_rights=source.has_rights)
        documents = await self.listing.documents(source.id, reader, choice)
        readings = [one for one in await self.progress.readings() if one.source_id == source.id]
        is_busy = any(reading.is_running for reading in readings)
        return visit.page(
            "knowledge_source.html",
            title=source.name,
            refresh_s=_BUSY_S if is_busy else _IDLE_S,
            source=source,
            progress=say_progress(readings[0], visit) if readings else None,
            facts=await self._facts(source, clocks, visit),
            every=next((interval_of(clock) for clock in clocks if clock.job == "content"), ""),
            outcome=source.outcome,
            parts=_unread(source, visit),
            # Addresses tell of documents, too.
            shows_addresses=source.is_readable and (reader.sees_all or not source.has_rights),
            documents=[_row_of(one, visit) for one in documents[:PER_PAGE]],
            choice=choice,
            states=DOCUMENT_STATES,
            next=documents[PER_PAGE - 1].url if len(documents) > PER_PAGE else "",
            files=await self._files(source),
            spaces=[space.name for space in await self.spaces.all()],
            may_change=visit.role in KNOWLEDGE_CHANGERS and source.is_readable,
            may_remove=_may_remove(source, visit),
            may_move=visit.role in CHANGERS,
        )

    async def remove(self, visit: Visit) -> Response:
        """Remove the source with everything that was read from it."""
        source = await self._source(visit)
        source_entry = await changeable_source(self.listing, source.id, visit)
        if source_entry is None or not _may_remove(source_entry, visit):
            # Else an author would add it again without its readers.
            problem = "You may not remove a source that only some may read."
            raise PageRefusedError(problem, hint=ASK_OPERATOR)
        await self.registration.remove(source)
        visit.note(removed=source.name, address=source.root_url)
        return visit.done(PATH, "operator_pages-knowledge-said-removed")

    def _acting(self, act: Act) -> Callable[[Visit], Awaitable[Response]]:
        async def answer(visit: Visit) -> Response:
            source = await self._source(visit)
            with refusals(visit):
                phrase_key = await act(source, visit)
            visit.note(of=source.name)
            return visit.done(f"{PATH}/sources/{source.id}", phrase_key)

        return answer

    async def _source(self, visit: Visit) -> Source:
        source_id = visit.request.path_params["source"]
        if await changeable_source(self.listing, source_id, visit) is None:
            raise PageGoneError
        source = await self.registration.sources.get(source_id)
        if source is None:
            raise PageGoneError
        return source

    async def _read(self, source: Source, _visit: Visit) -> str:
        if source.status != "active":
            raise SourceError(f"{source.name} is left out", hint="Use it again first.")
        await self.registration.read_now(source)
        return "operator_pages-knowledge-said-added"

    async def _schedule(self, source: Source, visit: Visit) -> str:
        await self.registration.schedule(source, ScheduleChange(every=visit.text("every")))
        return _SAVED

    async def _set_status(self, source: Source, visit: Visit) -> str:
        status: Literal["active", "inactive"] = (
            "active" if visit.text("status") == "active" else "inactive"
        )
        await self.registration.set_status(source, status)
        return _SAVED

    async def _move(self, source: Source, visit: Visit) -> str:
        space = visit.text("space", 100)
        visit.note(before=source.space)
        await self.registration.sources.save(replace(source, space=space))
        return _SAVED

    async def _remove_file(self, source: Source, visit: Visit) -> str:
        await self.files.remove(source, visit.text("name", 500))
        return "operator_pages-knowledge-said-removed"

    async def _files(self, source: ListedSource) -> Sequence[str]:
        if source.type != "upload" or not source.is_readable:
            return ()
        return [one.name for one in await self.files.files(source.id, "", _MOST_FILES_SHOWN)]

    async def _facts(
        self, source: ListedSource, clocks: Sequence[Clock], visit: Visit
    ) -> Sequence[tuple[str, str]]:
        """The facts about the source, as pairs of a name and a text."""
        words = await say_readers(source.readers, visit, self.accounts)
        everybody = visit.say("operator_pages-knowledge-everybody")
        nobody = visit.say("operator_pages-knowledge-nobody")
        readers = ", ".join(words.values()) if source.space else everybody
        at = visit.clocks.moment(source.last_synced_at) if source.last_synced_at else ""
        outcome = source.outcome
        facts = {
            "kind": source.kind,
            "address": source.root_url if source.is_readable else "",
            "space": source.space,
            "readers": readers or nobody,
            "documents": f"{source.documents:,}",
            "passages": f"{outcome.content.passages:,}" if outcome else "",
            "last-read": at or visit.say("operator_pages-knowledge-never"),
            "every": say_clock(clocks, visit),
            "problem": say_problem(clocks, source),
        }
        return [
            (visit.say(f"operator_pages-knowledge-{name}"), text)
            for name, text in facts.items()
            if text
        ]


def _may_remove(source: ListedSource, visit: Visit) -> bool:
    is_for_all = not source.space and not source.service and not source.has_rights
    return visit.role in CHANGERS or (visit.role in KNOWLEDGE_CHANGERS and is_for_all)


def _choice(visit: Visit) -> DocumentChoice:
    state = visit.query.get("state", "")
    return DocumentChoice(
        state if state in DOCUMENT_STATES else "",
        visit.query.get("q", "").strip()[:_LONGEST_SEARCH],
        visit.query.get("after", "")[:2_000],
        PER_PAGE + 1,
    )


def _unread(source: ListedSource, visit: Visit) -> Sequence[tuple[str, int, str]]:
    """The parts that were not read: in words, their documents, and the address of one of them."""
    if source.outcome is None:
        return ()
    return [
        (say_parts(visit.locale, {unread.kind: unread.parts}), unread.documents, unread.example)
        for unread in source.outcome.content.unread
    ]


def _row_of(document: ListedDocument, visit: Visit) -> dict[str, object]:
    unread = say_parts(visit.locale, document.unread) if document.unread else ""
    return {"document": document, "unread": unread}
