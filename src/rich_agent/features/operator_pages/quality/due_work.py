"""Due work on questions: finds their subjects, and asks them again."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from rich_agent.feature import DueRow, DueWork, NextRun, RichAgentError
from rich_agent.feature.knowledge import Documents, VectorSpace, usual_similarity
from rich_agent.feature.surface import Surface
from rich_agent.features.operator_pages.quality.grouping import Terms
from rich_agent.features.operator_pages.quality.records import (
    ASK_WORK,
    GROUP_WORK,
    Again,
    QuestionVector,
)
from rich_agent.features.operator_pages.quality.repository import WeakQuestions

_ANSWER_S = 300.0
_MOST_ANSWER_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class QuestionWork:
    """Does the work. Every method may raise DatabaseUnavailableError."""

    questions: WeakQuestions
    open_documents: Callable[[], AbstractAsyncContextManager[Documents]]
    surface: Surface

    def kinds(self) -> dict[str, DueWork]:
        """The kinds of work."""
        return {
            GROUP_WORK: DueWork(self.group, most_at_once=2),
            ASK_WORK: DueWork(self.ask_again, lease_s=_ANSWER_S, most_tries=3),
        }

    async def group(self, row: DueRow) -> NextRun | None:
        """Find the subject of a question: by its vector where it has one, else by its words."""
        question = await self.questions.question(int(row.key))
        if question is None or question.subject_id is not None:
            return None
        terms_of = await asyncio.to_thread(_load_terms)
        space_label, meaning = question.vector_space, None
        if not space_label:
            meaning = await self._meaning(question.query)
        if meaning is not None:
            await self.questions.add_meaning(question.id, meaning)
            space_label = meaning.space
        model, _, dimensions = space_label.rpartition(":")
        usual = usual_similarity(VectorSpace(model, int(dimensions or 0)))
        await self.questions.group(question.id, usual, terms_of)
        return None

    async def _meaning(self, query: str) -> QuestionVector | None:
        async with self.open_documents() as documents:
            vector_in_space = await documents.search.vector_of(query)
        return QuestionVector.of(vector_in_space)

    async def ask_again(self, row: DueRow) -> NextRun | None:
        """Ask a question as nobody, and store whether it is answered now."""
        question = await self.questions.question(int(row.key))
        if question is None:
            return None
        try:
            async with asyncio.timeout(_ANSWER_S), self.surface.open_rehearsal() as rehearsal:
                turn = await rehearsal.ask(question.query)
        except (RichAgentError, TimeoutError) as error:
            await self.questions.note_again(question.id, "failed", str(error)[:_MOST_ANSWER_CHARS])
            return None
        sources = [source.replace("\n", " · ") for source in turn.sources]
        is_answered = turn.sources and not turn.is_refusal
        again: Again = "answered" if is_answered else "unanswered"
        await self.questions.note_again(question.id, again, turn.text[:_MOST_ANSWER_CHARS], sources)
        return None


def _load_terms() -> Callable[[str], Terms]:
    # In a thread: stemmers and patterns take a moment to load.
    from rich_agent.feature.search_terms import term_counts  # noqa: PLC0415 - see above

    return lambda text: frozenset(term_counts(text))
