"""Interface for web pages that a user wants read."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """The bytes behind an address, and the type and name that its server gives them."""

    data: bytes
    mime: str
    name: str


class Pages(Protocol):
    """Fetches what anybody can see on the public web."""

    async def fetch(self, url: str, /) -> FetchedFile:
        """Fetch what is behind an address, within limits of size and time.

        Raises: FileRefusedError("private", "robots", "closed", "gone", "too_large", "slow",
        "away").
        """
