"""Interfaces for images: fetching them, and caching a model's descriptions of them.

The bytes of an image are stored only if a program sent it: Telegram keeps those of its users. Every
method of a repository may raise DatabaseUnavailableError. Writes of a turn raise LaneLostError once
another worker has its user's lane.
"""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from rich_agent.domain.vision import ImageSummary

MOST_ANSWERS = 200
"""The most answers that are stored for a user."""
MOST_UPLOADS = 50
"""The most uploads that are kept for a user."""


@dataclass(frozen=True, slots=True)
class SeenImage:
    """The record of an image."""

    telegram_file_id: str
    sha256: str
    mime: str
    size_bytes: int


class ImageSummaries(Protocol):
    """The cache of summaries, keyed by the SHA-256 of an image's bytes and the model."""

    async def find(self, sha256: str, model: str) -> ImageSummary | None:
        """The stored summary, None if there is none."""

    def exclusive(self, sha256: str) -> AbstractAsyncContextManager[None]:
        """A lock to hold while an image is described, so that concurrent turns cost one call."""

    async def note_sender(self, sha256: str, thread_id: str) -> None:
        """Store the thread in which an image was sent, so that it can be deleted with its user."""

    async def store(self, image: SeenImage, model: str, summary: ImageSummary) -> None:
        """Store a summary; an existing one stays."""


@dataclass(frozen=True, slots=True)
class AskedImage:
    """A question about an image, with its user and the model that answers it.

    The user is part of the key, because questions and answers are private.
    """

    thread_id: str
    sha256: str
    model: str
    question_key: str


class ImageAnswers(Protocol):
    """The cache of answers to questions about images."""

    async def find(self, question: AskedImage) -> str | None:
        """The stored answer, None if there is none."""

    async def store(self, question: AskedImage, answer: str) -> None:
        """Store an answer; an existing one stays. A user's oldest answers make room."""


class ImageFiles(Protocol):
    """Fetches the images that users sent. May raise an UpstreamError."""

    async def fetch(self, file_id: str) -> bytes:
        """The bytes of an image.

        Raises: ImageRefusedError("too_large") if it is over the limit, before it is downloaded.
        """


class Uploads(Protocol):
    """Images that programs sent for a user. Another user's uploads are not found."""

    async def keep(self, user_id: int, mime: str, data: bytes) -> str:
        """Store an upload, and return its id; the user's oldest uploads make room."""

    async def has(self, user_id: int, upload_id: str) -> bool:
        """Whether the user's upload is still kept."""

    async def find(self, user_id: int, upload_id: str) -> bytes | None:
        """The bytes of the user's upload, None if it is no longer kept."""
