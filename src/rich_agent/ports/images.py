"""Interfaces of images: fetching them, and what is kept of them, which is never their bytes.

Every method of a cache may raise DatabaseUnavailableError. What a turn writes is refused with
LaneLostError once another worker has taken its user's lane over.
"""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from rich_agent.domain.vision import ImageSummary

MOST_ANSWERS = 200
"""Of each user, so that what is kept of them stays bounded."""


@dataclass(frozen=True, slots=True)
class SeenImage:
    """What is kept of an image: never its bytes."""

    telegram_file_id: str
    sha256: str
    mime: str
    size_bytes: int


class ImageSummaries(Protocol):
    """The vision cache, keyed by the sha256 of an image's bytes and the model."""

    async def find(self, sha256: str, model: str) -> ImageSummary | None:
        """The stored summary."""

    def exclusive(self, sha256: str) -> AbstractAsyncContextManager[None]:
        """Hold while an image is looked at, so that one seen many times at once costs one call."""

    async def note_sender(self, sha256: str, thread_id: str) -> None:
        """Keep whose conversation an image was sent in, so that it can be forgotten with them."""

    async def store(self, image: SeenImage, model: str, summary: ImageSummary) -> None:
        """Store a summary; one that is there already stays."""


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

    async def store(self, asked: AskedImage, answer: str) -> None:
        """Keep an answer; one that is there already stays, the oldest of a user give way."""


class ImageFiles(Protocol):
    """Fetches the images that users sent. May raise an UpstreamError."""

    async def fetch(self, file_id: str) -> bytes:
        """The bytes of an image.

        Raises: ImageRefusedError("too_large") if it is over the limit, before it is downloaded.
        """
