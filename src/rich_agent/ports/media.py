"""Interface of what makes text of media, such as recordings."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rich_agent.domain.media import Medium
from rich_agent.domain.usage_limits import Payer

Fetch = Callable[[], Awaitable[bytes]]
"""Fetches the bytes of a medium. Raises: MediaRefusedError, UpstreamError."""
ReadMedium = Callable[[Medium, Fetch, Payer], Awaitable[str]]
"""Makes text of a medium, which is fetched only if it has to be; the payer's limits count.

Raises: MediaRefusedError, DailyLimitError, UpstreamError, LaneLostError, DatabaseUnavailableError.
"""


@dataclass(frozen=True, slots=True)
class MediaReader:
    """Makes text of the media of a kind.

    Files that a user names at a terminal are such a medium if they end in one of `suffixes`. While
    a setting is missing, `read` is None, and `refusal` is the phrase that tells users so.
    """

    read: ReadMedium | None
    suffixes: tuple[str, ...] = ()
    refusal: str = "cannot-read"
