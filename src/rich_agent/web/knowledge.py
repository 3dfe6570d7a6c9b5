"""The registered documents for other programs: what they find, and what they may read.

Nobody's memory, files or conversation is here, nor the documents about the bot itself.
"""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich_agent.domain.usage.usage import Payer
from rich_agent.ports.knowledge import DocumentExcerpt, SourceCatalogue
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.metering import Billing, billed_to
from rich_agent.web.addresses import PassageAddresses

MOST_RESULTS = 10
LONGEST_QUERY = 1_000
"""Characters; what comes after them is not searched for."""
LONGEST_ID = 200
_AROUND = 2
_AT_ONCE = 2
_STEP = "search"


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that was found."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Searches and reads; the user who asks pays for the embedding.

    However many requests come, together they make two searches at once.
    """

    search: DocumentSearch
    catalogue: SourceCatalogue
    billing: Billing
    addresses: PassageAddresses
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def find(self, user_id: int, query: str) -> Sequence[FoundPassage]:
        """The best passages, best first.

        Raises: DailyLimitError, DatabaseUnavailableError.
        """
        payer, asked = Payer(user_id, f"mcp:{secrets.token_hex(8)}"), query[:LONGEST_QUERY]
        async with self._slots, self.billing.of_turn(payer, asked) as meter:
            with billed_to(meter, _STEP):
                found = await self.search.search(asked, MOST_RESULTS, internal=False)
        return [
            FoundPassage(one.id, one.label, self.addresses.of(one.id, one.link or one.source_url))
            for one in found
        ]

    async def read(self, passage_id: str) -> tuple[DocumentExcerpt, str] | None:
        """A passage with what stands around it, and its address; None for an unknown id.

        Raises: DatabaseUnavailableError.
        """
        if len(passage_id) > LONGEST_ID:
            return None
        async with self._slots:
            found = await self.catalogue.excerpt(passage_id, _AROUND, internal=False)
        return (found, self.addresses.of(found.passage.id, found.link)) if found else None
