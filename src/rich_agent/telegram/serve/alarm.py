"""Tells admins in the chat about problems that only they can fix, once an hour for each cause."""

from dataclasses import dataclass

import structlog

from rich_agent.domain.text import shorten
from rich_agent.errors import LessonLostError, RichAgentError
from rich_agent.phrases import say, show_moment
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.models import ModelAccountError, ModelAwayError
from rich_agent.ports.operations import Alerts
from rich_agent.ports.tool_servers import ToolServerAwayError, ToolServerLoginError
from rich_agent.runtime.surviving import survived
from rich_agent.telegram.deliver.messenger import Messenger

PAUSE_S = 3_600.0
_PROBLEM_CHARS = 200
_log = structlog.get_logger()


async def ignore_failure(_error: Exception | None) -> None:
    """Tell no one about the failure."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Tells the admins about failures; the database keeps track for all processes."""

    alerts: Alerts
    accounts: Accounts
    messenger: Messenger
    admins: frozenset[int]

    async def sound(self, error: Exception | None) -> None:
        """Tell the admins if the error concerns them. If that fails, it is only logged."""
        cause = _cause(error)
        if cause is None or not isinstance(error, RichAgentError):
            return
        _log.error("admin_needed", cause=cause, error=str(error), mend=error.mend)
        with survived("admins_not_told", RichAgentError, level="warning"):
            if self.admins and await self.alerts.may_tell(cause, PAUSE_S):
                for admin_id in sorted(self.admins):
                    await self._tell(admin_id, error)

    async def _tell(self, admin_id: int, error: RichAgentError) -> None:
        locale = (await self.accounts.find(admin_id)).locale or "en"
        with survived("admin_not_told", RichAgentError, level="warning"):
            await self.messenger.limiter.take(admin_id)
            await self.messenger.api.send_message(admin_id, RenderedMessage(_words(error, locale)))


def _cause(error: Exception | None) -> str | None:
    match error:
        case ModelAccountError():
            return f"{error.cause}:{error.service}"
        case ModelAwayError():
            return f"away:{error.service}"
        case LessonLostError():
            return "lesson"
        case ToolServerAwayError() | ToolServerLoginError():
            return error.service
    return None


def _words(error: RichAgentError, locale: str) -> str:
    match error:
        case ModelAccountError():
            return say(locale, f"alert-{error.cause}", service=error.service, mend=error.mend)
        case ModelAwayError():
            return say(locale, "alert-away", service=error.service, at=show_moment(error.until))
        case ToolServerLoginError():
            return say(locale, "alert-tools-login", server=error.server)
        case ToolServerAwayError():
            problem = shorten(error.problem, _PROBLEM_CHARS)
            return say(locale, "alert-tools-away", server=error.server, problem=problem)
    return say(locale, "alert-lesson")
