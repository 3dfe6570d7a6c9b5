"""Tells admins in Telegram about problems that only they can fix, hourly for each cause."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import structlog

from rich_agent.domain.people import has_telegram
from rich_agent.domain.text import shorten, utf16_length
from rich_agent.errors import LessonLostError, RichAgentError, UpstreamRefusedError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Accounts
from rich_agent.ports.bot_api import RenderedMessage, TextEntity
from rich_agent.ports.models import ModelAccountError, ModelAwayError
from rich_agent.ports.operations import AdminAlert, Alerts
from rich_agent.rendering.notices import together
from rich_agent.runtime.concurrency import survived
from rich_agent.telegram.deliver.direct import DirectMessenger
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.times import Clocks

PAUSE_S = 3_600.0
_PROBLEM_CHARS = 200
_MODELS = frozenset({"model", "vision model"})
_VERBATIM_CHARS = 1_500
_log = structlog.get_logger()


async def ignore_failure(_error: Exception | None) -> None:
    """Tell no one about the failure."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Tells the admins about failures.

    The database records, for all processes, the last alert of a cause.
    """

    alerts: Alerts
    accounts: Accounts
    messenger: Messenger
    admins: AbstractSet[int]

    async def sound(self, error: Exception | None) -> bool:
        """Tell the admins if the error concerns them; return whether an admin was reached now.

        A message that cannot be sent is only logged.
        """
        cause = _cause(error)
        if cause is None or not isinstance(error, RichAgentError):
            return False
        return await self._raise(
            cause, error, lambda clocks: RenderedMessage(_words(error, clocks))
        )

    async def alert(self, alert: AdminAlert) -> bool:
        """Tell the admins about a problem of a feature; return whether an admin was reached now."""
        return await self._raise(alert.cause, alert.error, lambda clocks: _message(alert, clocks))

    async def _raise(
        self, cause: str, error: RichAgentError, message: Callable[[Clocks], RenderedMessage]
    ) -> bool:
        is_reached = False
        _log.error("admin_needed", cause=cause, error=str(error), hint=error.hint)
        with survived("admins_not_told", RichAgentError, level="warning"):
            if self.admins and await self.alerts.may_tell(cause, PAUSE_S):
                is_reached = await self._tell_all(message)
        return is_reached

    async def tell(self, words: Callable[[str], str]) -> None:
        """Send each admin a message in their language."""
        await self._tell_all(lambda clocks: RenderedMessage(words(clocks.locale)))

    async def _tell_all(self, message: Callable[[Clocks], RenderedMessage]) -> bool:
        """Send each admin a message; return whether an admin was reached."""
        is_reached = False
        for admin_id in sorted(self.admins):
            with survived("admin_not_told", RichAgentError, level="warning"):
                account = await self.accounts.find(admin_id)
                rendered = message(Clocks(account.locale or "en", account.time_zone))
                await self._send(admin_id, rendered)
                is_reached = True
        return is_reached

    async def _send(self, admin_id: int, message: RenderedMessage) -> None:
        """Send an admin a message. Raises: UpstreamError, DatabaseUnavailableError."""
        if has_telegram(admin_id):
            await self.messenger.limiter.take(admin_id)
            await self.messenger.api.send_message(admin_id, message)
        else:
            await DirectMessenger(self.messenger).send(admin_id, message)


def _message(alert: AdminAlert, clocks: Clocks) -> RenderedMessage:
    message = RenderedMessage(alert.words(clocks.locale))
    return together(message, _verbatim(alert.verbatim)) if alert.verbatim else message


def _cause(error: Exception | None) -> str | None:
    match error:
        case ModelAccountError():
            return f"{error.cause}:{error.service}"
        case ModelAwayError():
            return f"away:{error.service}"
        case LessonLostError():
            return "lesson"
        case UpstreamRefusedError() if error.service in _MODELS:
            return f"refused:{error.service}"
    return None


def _words(error: RichAgentError, clocks: Clocks) -> str:
    locale = clocks.locale
    match error:
        case ModelAccountError():
            return say(locale, f"alert-{error.cause}", service=error.service, hint=error.hint)
        case ModelAwayError():
            moment = clocks.moment(error.until)
            return say(locale, "alert-away", service=error.service, at=moment)
        case UpstreamRefusedError():
            problem = shorten(str(error), _PROBLEM_CHARS)
            return say(locale, "alert-refused", problem=problem, hint=error.hint)
    return say(locale, "alert-lesson")


def _verbatim(text: str) -> RenderedMessage:
    """The first 1,500 characters of the text as a block of code, with a count of the others."""
    if (left_out_chars := len(text) - _VERBATIM_CHARS) > 0:
        text = f"{text[:_VERBATIM_CHARS]}… (+{left_out_chars:,})"
    return RenderedMessage(text, (TextEntity("pre", 0, utf16_length(text)),))
