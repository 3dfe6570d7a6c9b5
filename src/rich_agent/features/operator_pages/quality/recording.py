"""Records questions that were not answered well: when their turn ends, and when they get a 👎."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rich_agent.feature import AnswerRating, RecordedTurn, StoredTurn
from rich_agent.features.operator_pages.quality.records import QuestionVector, WeakAnswer
from rich_agent.features.operator_pages.quality.repository import WeakQuestions

_OF_DOCUMENTS = "rag"
"""Part of the plans that look into the documents."""


FindTurn = Callable[[str, str], Awaitable[StoredTurn | None]]
"""Finds a turn by its request and a thread of its user."""


@dataclass(frozen=True, slots=True)
class QuestionRecorder:
    """Records questions. Every method may raise DatabaseUnavailableError."""

    questions: WeakQuestions
    find_turn: FindTurn

    async def note_turn(self, turn: RecordedTurn) -> None:
        """Record a question that the documents do not answer, unless it is about own files.

        An answer that cites nothing was not found in them either.
        """
        is_about_documents = _OF_DOCUMENTS in turn.plan and not turn.has_own_files
        is_missed = turn.is_unanswered or not turn.citation_count
        if is_missed and is_about_documents and turn.query.strip():
            meaning = QuestionVector.of(turn.vector)
            answer = WeakAnswer(turn.thread_id, turn.request_id, turn.query, meaning)
            await self.questions.note(answer, is_unanswered=True)
        elif turn.revision:
            await self.questions.note_answered(turn.thread_id, turn.request_id)

    async def note_rating(self, rating: AnswerRating) -> None:
        """Record a question whose answer was rated 👎, or that the rating was taken back."""
        if rating.rating != "down":
            await self.questions.withdraw_rating(rating.thread_id, rating.request_id)
            return
        turn = await self.find_turn(rating.request_id, rating.thread_id)
        if turn is None:
            return
        query = turn.decision.query or (turn.said.question if turn.said else "")
        if query.strip():
            answer = WeakAnswer(turn.decision.thread_id, rating.request_id, query)
            await self.questions.note(answer, is_rated_down=True)
