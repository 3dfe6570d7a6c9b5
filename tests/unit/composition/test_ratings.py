"""Ratings of answers, of which features are told."""

from collections.abc import Mapping, Sequence

from rich_agent.composition.feature_joining import join_parts
from rich_agent.composition.ratings import ReportedFeedback
from rich_agent.feature.parts import Parts
from rich_agent.ports.accounts import AnswerRating, Rating


class OneAnswer:
    """Ratings of one answer, `a`."""

    async def rate(self, _thread_id: str, request_id: str, _rating: Rating | None) -> bool:
        """Whether it is that answer."""
        return request_id == "a"

    async def ratings(self, _thread_id: str, _request_ids: Sequence[str]) -> Mapping[str, Rating]:
        """None."""
        return {}


async def test_features_note_ratings_that_were_stored() -> None:
    """Only ratings of answers that exist; a feature that breaks does not undo the rating."""
    noted: list[AnswerRating] = []

    async def note(rating: AnswerRating) -> None:
        noted.append(rating)

    async def fail(_rating: AnswerRating) -> None:
        raise KeyError("rows")

    parts = join_parts({"broken": Parts(ratings=[fail]), "sound": Parts(ratings=[note])})
    feedback = ReportedFeedback(OneAnswer(), lambda: parts.ratings)
    assert await feedback.rate("tg:7", "a", "down")
    assert not await feedback.rate("tg:7", "b", "down")
    assert await feedback.rate("tg:7", "a", None)
    assert noted == [AnswerRating("tg:7", "a", "down"), AnswerRating("tg:7", "a", None)]
