"""Tells widgets that a press has to wait, before Telegram gives up their queries."""

from dataclasses import dataclass
from typing import Final

from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.runtime.concurrency import survived
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.receive.inbound import Press, read_question
from rich_agent.telegram.serve.replies import told_widget

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
        for raw in await living.sent.waiting_queries(_WAITED_S, LOOK_EVERY_S):
            press = read_question([raw])
            if isinstance(press, Press) and press.is_of_widget:
                await self._tell(press)

    async def _tell(self, press: Press) -> None:
        account = await self.accounts.find(press.user_id)
        locale = account.locale_for(client=press.user.language_code)
        told = await told_widget(self.messenger, press, say(locale, "widget-wait"))
        with survived("telegram.query_unanswered", UpstreamError, level="info"):
            await self.messenger.api.answer_widget(press.callback_id, told)
