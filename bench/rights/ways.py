"""The ways to documents, each as one person sees it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.rights.serving import Served
from bench.rights.stored import KINDS, Stored
from bench.rights.team import SPACE, Page
from rich_agent.chat_commands.feedback import PASSAGE_VERB, OpenedPassages
from rich_agent.chat_commands.replies import PressRequest
from rich_agent.chat_commands.why import explain_to
from rich_agent.domain.answer.citation import Decision
from rich_agent.domain.answer.trace import NodeReport
from rich_agent.domain.message import User, thread_of
from rich_agent.domain.rights import Reader, document_guard
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.source_catalogue import PostgresSourceCatalogue
from rich_agent.repositories.knowledge.spaces import PostgresSpaces
from tests.twins.knowledge import InMemoryDecisions

Judged = Mapping[str, tuple[set[int], set[int]]]
"""By the name of a way: the numbers of the pages that it was asked for, and of those it showed."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways to documents."""

    stored: Stored
    served: Served

    async def all_of(self, reader: Reader, kinds: Iterable[int]) -> Judged:
        """The documents that each way of showing many shows, of all or of some kinds."""
        pool, pages = self.stored.pool, self.stored.team.pages
        passages, catalogue = PostgresPassages(pool), PostgresSourceCatalogue(pool)
        every, most = set(pages), len(pages) + 1
        numbers = {page.title: number for number, page in pages.items()}
        shown: dict[str, tuple[set[int], set[int]]] = {}
        for kind in kinds:
            query = PassageQuery(f"kind{kind}", limit=most, reader=reader)
            found = (await passages.find(query)).candidates
            asked = {number for number in every if number % KINDS == kind}
            shown[f"words of kind {kind}"] = asked, {numbers[one.passage.title] for one in found}
        query = PassageQuery("", [1.0, *[0.5] * 7], limit=most, reader=reader)
        found = (await passages.find(query)).candidates
        shown["vectors"] = every, {numbers[one.passage.title] for one in found}
        subjects = await catalogue.subjects(most, reader)
        shown["subjects"] = every, {numbers[title] for title in subjects}
        titles = await catalogue.titles("kind1", most, reader)
        shown["titles"] = every, {numbers[t] for t in (*titles.matching, *titles.others)}
        guards = {document_guard(self.stored.ids[number]): number for number in every}
        still = await PostgresSpaces(pool).open_of(reader, guards)
        shown["open again"] = every, {guards[guard] for guard in still}
        return shown

    async def one_of(self, reader: Reader, number: int) -> dict[str, bool]:
        """Whether each way that shows one document shows this one; nobody has no buttons."""
        pool, page = self.stored.pool, self.stored.team.pages[number]
        passages, catalogue = PostgresPassages(pool), PostgresSourceCatalogue(pool)
        word, chunk = f"zebra{number}", self.stored.chunks[number]
        found = await passages.search(PassageQuery(f"What is {word}?", reader=reader))
        shown = {
            "question": page.title in [one.title for one in found],
            "word": await passages.hold_word(word, reader),
            "excerpt": await catalogue.excerpt(chunk, 1, reader) is not None,
            "outline": bool(await catalogue.outline(chunk, 9, reader)),
        }
        if reader.user_id is None:
            return shown
        return shown | await self._in_name_of(reader.user_id, word, page, chunk)

    async def _in_name_of(self, person: int, word: str, page: Page, chunk: str) -> dict[str, bool]:
        """The ways of a user: buttons and explanations of an answer, programs and browsers."""
        pool, guard = self.stored.pool, document_guard(self.stored.ids[page.number])
        label = f"The document {page.title}."
        read = {"id": chunk, "label": label, "kind": "document", "score": 1.0, "cited": True}
        retrieved = [{**read, "guards": [guard]}]
        decision = Decision(
            *(thread_of(person), "tg:1", "general", "rag", ""),
            nodes={"N5_retrieve": NodeReport().to_json()},
            retrieved=retrieved,
        )
        decisions = InMemoryDecisions()
        await decisions.record(decision)
        buttons = OpenedPassages(decisions, PostgresSourceCatalogue(pool))
        pressed = PressRequest(f"{PASSAGE_VERB}:1:{chunk}", User(person), locale="en")
        told = await explain_to(Reader(person), decision, PostgresSpaces(pool), "en")
        found = await self.served.call(person, "search", query=f"What is {word}?")
        return {
            "button": (await buttons.press(pressed)).below is not None,
            "why": label in str(told),
            "MCP search": chunk in found,
            "MCP fetch": word in await self.served.call(person, "fetch", id=chunk),
            "page": await self.served.page(person, chunk),
        }

    async def counts(self, reader: Reader) -> Sequence[object]:
        """Whether a user reads more than everybody; sources, their names, and known spaces."""
        pool = self.stored.pool
        page = await PostgresSourceCatalogue(pool).page(0, 50, reader)
        registered = await PostgresPassages(pool).names(reader)
        spaces, person = await PostgresSpaces(pool).readable(reader), reader.user_id
        return (
            person is not None and await PostgresSpaces(pool).reads_more(person),
            {one.name: one.documents for one in page.sources},
            (page.source_count, page.documents, page.passages),
            set(registered.sources),
            [name for _, name in registered.spaces],
            [(one.name, one.sources) for one in spaces],
        )

    def true_counts(self, person: int | None) -> Sequence[object]:
        """The same as the team has it; the open source is known even if it is empty."""
        team = self.stored.team
        readable = [page.source for page in team.pages.values() if team.may_read(person, page)]
        counts = {"open": 0, **{name: readable.count(name) for name in readable}}
        board = [SPACE] if "drive" in counts else []
        total = len(readable)
        more = any(
            team.may_read(person, page) and not team.may_read(None, page)
            for page in team.pages.values()
        )
        return (
            more,
            counts,
            (len(counts), total, total),
            set(counts),
            board,
            [(name, 1) for name in board],
        )
