"""Interface of the readers that turn media, such as recordings, into text."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rich_agent.domain.media import Medium
from rich_agent.domain.usage_limits import Payer

Fetch = Callable[[], Awaitable[bytes]]
"""Fetches the bytes of a medium. Raises: MediaRefusedError, UpstreamError."""
ReadMedium = Callable[[Medium, Fetch, Payer], Awaitable[str]]
"""Returns the text of a medium, and fetches it only if needed; the payer's limits count.

Raises: MediaRefusedError, DailyLimitError, UpstreamError, LaneLostError,
DatabaseUnavailableError.
"""


@dataclass(frozen=True, slots=True)
class MediaReader:
    """Turns the media of a kind into text."""

    read: ReadMedium | None
    """The reader; None while a setting is missing."""
    suffixes: tuple[str, ...] = ()
    """The endings of files at a terminal that count as this kind."""
    refusal: str = "cannot-read"
    """The phrase for users while there is no reader."""
