"""Tells widgets that a press has to wait, before Telegram gives up their queries."""

import asyncio
from dataclasses import dataclass
from typing import Final

from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.runtime.concurrency import run_all, survived
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.receive.inbound import Press, read_question
from rich_agent.telegram.serve.replies import widget_answer

LOOK_EVERY_S: Final = 3.0
_WAITED_S: Final = 8.0
"""Queries that have waited longer are told so; Telegram takes an answer within 15 seconds."""


@dataclass(frozen=True, slots=True)
class WaitingQueries:
    """Answers queries that still wait in the inbox; the press is done when its turn comes."""

    messenger: Messenger
    accounts: Accounts

    async def look(self) -> None:
        """Answer each query whose time runs out before the next look but one.

        Raises: DatabaseUnavailableError.
        """
        living = self.messenger.living
        if living is None or not living.is_on():
            return
        # Also those for which the last look came too late, while there is time.
        raws = await living.widgets.waiting_queries(_WAITED_S, 2 * LOOK_EVERY_S)
        presses = (read_question([raw]) for raw in raws)
        # Side by side, and not for long: an answer that hangs must not hold up others.
        await run_all(
            self._tell(press)
            for press in presses
            if isinstance(press, Press) and press.is_of_widget
        )

    async def _tell(self, press: Press) -> None:
        account = await self.accounts.find(press.user_id)
        locale = account.locale_for(client=press.user.language_code)
        answer = await widget_answer(self.messenger, press, say(locale, "widget-wait"))
        with survived("telegram.query_unanswered", UpstreamError, TimeoutError, level="info"):
            async with asyncio.timeout(LOOK_EVERY_S):
                await self.messenger.api.answer_widget(press.callback_id, answer)
