"""Ratings of answers, of which features are told."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich_agent.ports.accounts import AnswerRating, Feedback, NoteRating, Rating


@dataclass(frozen=True, slots=True)
class ReportedFeedback:
    """Implements `Feedback`; `notes` returns the functions of features that note each rating."""

    feedback: Feedback
    notes: Callable[[], Sequence[NoteRating]]

    async def rate(self, thread_id: str, request_id: str, rating: Rating | None) -> bool:
        """See `Feedback.rate`."""
        is_stored = await self.feedback.rate(thread_id, request_id, rating)
        if is_stored:
            for note in self.notes():
                await note(AnswerRating(thread_id, request_id, rating))
        return is_stored

    async def ratings(self, thread_id: str, request_ids: Sequence[str]) -> Mapping[str, Rating]:
        """See `Feedback.ratings`."""
        return await self.feedback.ratings(thread_id, request_ids)
