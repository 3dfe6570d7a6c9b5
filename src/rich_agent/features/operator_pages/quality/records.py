"""Questions that were not answered well, their subjects, and what became of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Self

from rich_agent.feature.knowledge import VectorSpace

GROUP_WORK = "operator_pages_question"
"""The kind of due work that finds the subject of a question."""
ASK_WORK = "operator_pages_ask_again"
"""The kind of due work that asks a question again."""
State = Literal["open", "done"]
Again = Literal["", "asked", "answered", "unanswered", "failed"]


@dataclass(frozen=True, slots=True)
class QuestionVector:
    """The vector of a question, and the name of its space."""

    space: str
    vector: Sequence[float]

    @classmethod
    def of(cls, vector_in_space: tuple[VectorSpace, Sequence[float]] | None) -> Self | None:
        """The vector of a question, None without one."""
        if vector_in_space is None:
            return None
        space, vector = vector_in_space
        return cls(f"{space.model}:{space.dimensions}", vector)


@dataclass(frozen=True, slots=True)
class WeakAnswer:
    """A question without an answer, or whose answer was rated 👎."""

    thread_id: str
    request_id: str
    query: str
    meaning: QuestionVector | None = None


@dataclass(frozen=True, slots=True)
class QuestionSubject:
    """Questions about one thing, and the work on it."""

    id: int
    name: str
    state: State
    assignee_id: int | None
    note: str
    question_count: int
    asked_at: datetime
    reopened_at: datetime | None


@dataclass(frozen=True, slots=True)
class WeakQuestion:
    """A question of a subject; `again` is what came of asking it again."""

    id: int
    subject_id: int | None
    vector_space: str
    thread_id: str
    request_id: str
    query: str
    is_unanswered: bool
    is_rated_down: bool
    asked_at: datetime
    again: Again
    again_at: datetime | None
    again_answer: str
    again_sources: Sequence[str]
