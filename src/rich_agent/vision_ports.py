"""Interface of what was answered by looking at an image again."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class AskedImage:
    """One question on one image, by whom it was asked and which model looked.

    The user is a part of it: a question is its user's own, and so is what was answered to it.
    """

    thread_id: str
    sha256: str
    model: str
    question_key: str


class ImageAnswers(Protocol):
    """What users asked about images, so that the same question costs one look."""

    async def find(self, asked: AskedImage) -> str | None:
        """The stored answer."""
        ...

    async def store(self, asked: AskedImage, answer: str) -> None:
        """Keep an answer; one that is there already stays, the oldest of a user give way."""
        ...


MOST_ANSWERS = 200
"""Of each user, so that what is kept of them stays bounded."""
