"""The registered documents for other programs.

No user's memory, files or conversations are read.
"""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich_agent.feature.knowledge import (
    DocumentExcerpt,
    DocumentSearch,
    Reader,
    SourceCatalogue,
)
from rich_agent.feature.models import Billing, Payer, bill_to
from rich_agent.feature.web import PassageAddresses

MOST_RESULTS = 10
LONGEST_QUERY = 1_000
"""Most characters of a query. Further characters are ignored."""
LONGEST_ID = 200
_AROUND = 2
_AT_ONCE = 2
_STEP = "search"


@dataclass(frozen=True, slots=True)
class PassageResult:
    """A passage as a result of a search."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Searches and reads documents. The calling user pays for the embedding.

    At most two requests run at once.
    """

    search: DocumentSearch
    catalogue: SourceCatalogue
    billing: Billing
    addresses: PassageAddresses
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def find(self, user_id: int, query: str) -> Sequence[PassageResult]:
        """The best passages, best first. Raises: DailyLimitError, DatabaseUnavailableError."""
        payer, short_query = Payer(user_id, f"mcp:{secrets.token_hex(8)}"), query[:LONGEST_QUERY]
        async with self._slots, self.billing.of_turn(payer, short_query) as meter:
            with bill_to(meter, _STEP):
                passages = await self.search.search(
                    short_query, MOST_RESULTS, Reader(user_id), internal=False
                )
        return [
            PassageResult(
                passage.id,
                passage.label,
                self.addresses.of(passage.id, passage.link or passage.source_url),
            )
            for passage in passages
        ]

    async def read(self, user_id: int, passage_id: str) -> tuple[DocumentExcerpt, str] | None:
        """A passage with the passages around it, and its address; None if it cannot be read.

        Raises: DatabaseUnavailableError.
        """
        if len(passage_id) > LONGEST_ID:
            return None
        async with self._slots:
            excerpt = await self.catalogue.excerpt(
                passage_id, _AROUND, Reader(user_id), internal=False
            )
        return (excerpt, self.addresses.of(excerpt.passage.id, excerpt.link)) if excerpt else None
