"""Writes what the bot says unasked into the conversations of people without Telegram."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich_agent.composition.repositories import Repositories

if TYPE_CHECKING:
    from rich_agent.runs.elsewhere import Notebook


@dataclass(frozen=True, slots=True)
class PageNotes:
    """Implements `ConversationNotes`; loads what it needs with the first message."""

    repositories: Repositories

    async def tell(self, user_id: int, update_id: int, text: str) -> None:
        """See `ConversationNotes.tell`."""
        notebook = await asyncio.to_thread(self._open)
        await notebook.tell(user_id, update_id, text)

    def _open(self) -> "Notebook":
        # It loads the graph, which a process that only receives does without.
        from rich_agent.runs.elsewhere import Notebook  # noqa: PLC0415 - see above

        return Notebook(self.repositories.runs, self.repositories.news)
