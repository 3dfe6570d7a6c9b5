"""Tools that find something out: in the documents, on the web, or by asking the user."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from rich_agent.domain.retrieval.passage import Passage, Retrieval
from rich_agent.domain.rights import Reader
from rich_agent.domain.rules import Rule
from rich_agent.domain.tools import ASK_TOOL
from rich_agent.ports.knowledge import WebSearch
from rich_agent.ports.tools import Asker
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.tools.tool import Arguments, Outcome, Tool, ToolRefusedError


class Search(Arguments):
    """The words that are looked for."""

    query: str = Field(min_length=1, max_length=400, description="Words of the subject.")


class Question(Arguments):
    """The question to the user."""

    question: str = Field(min_length=1, description="One short question in the user's language.")
    format: Literal["free_text", "yes_no", "multiple_choice"] = "free_text"
    choices: list[str] = Field(default_factory=list, description="2 to 5 likely answers, or none.")
    urgency: Literal["low", "medium", "high"] = "medium"


@dataclass(frozen=True, slots=True)
class Searching:
    """Searches for a model while it acts."""

    documents: DocumentSearch
    web: WebSearch | None
    limits: Callable[[], Retrieval]
    """Returns the most passages and web results of a search."""

    def tools(self) -> Sequence[Tool]:
        """The searches that are possible here, and the question back."""
        documents = Tool(
            "search_documents",
            "Search the registered documents.",
            Search,
            self.search_documents,
            is_requestable=False,
            is_always_offered=True,
        )
        web = Tool(
            "search_web",
            "Search the web. Never for private things.",
            Search,
            self.search_web,
            is_requestable=False,
            rule=Rule(sends=("query",)),
        )
        ask = Tool(
            ASK_TOOL,
            "Ask the user one thing that you must know before you can go on.",
            Question,
            ask_user,
            is_requestable=False,
            is_always_offered=True,
        )
        return (documents, ask, *([web] if self.web else []))

    async def search_documents(self, search: Search, asker: Asker) -> Outcome:
        """The passages nearest to the query that the asker may read."""
        reader = Reader(asker.user_id)
        return _passage_outcome(
            await self.documents.search(search.query, self.limits().passages, reader)
        )

    async def search_web(self, search: Search, _asker: Asker) -> Outcome:
        """Return what the web search finds."""
        assert self.web is not None  # noqa: S101 - it is offered only then
        findings = await self.web.search(search.query, self.limits().web_results)
        return _passage_outcome(findings.passages)


def _passage_outcome(passages: Sequence[Passage]) -> Outcome:
    return Outcome({"found": len(passages)}, tuple(passages))


async def ask_user(_question: Question, _asker: Asker) -> Outcome:
    """A question that is put to the user never comes here. Raises: ToolRefusedError."""
    raise ToolRefusedError("The user was not asked. Say what you know, and what is missing.")
