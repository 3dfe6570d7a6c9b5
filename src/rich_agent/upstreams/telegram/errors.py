"""Translates the errors of the Bot API; the messages never contain the token."""

import httpx
from telegram.error import (
    BadRequest,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    TelegramError,
)

from rich_agent.domain.redaction import redact
from rich_agent.errors import (
    BadGatewayError,
    ChatBlockedError,
    EntitiesRefusedError,
    ImageRefusedError,
    MessageGoneError,
    OutcomeUnknownError,
    RichAgentError,
    TokenRefusedError,
    UpdatesConflictError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)

SERVICE = "telegram"
_TOO_MANY_REQUESTS = 429
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_BLOCKED = ("chat not found", "user is deactivated", "bot was blocked")
_GONE = (
    "message to edit not found",
    "message to delete not found",
    "message can't be edited",
    "message_id_invalid",
)


class _FloodControlError(TelegramError):
    """Telegram's 429; the library's own class emits a warning whenever it is created."""

    def __init__(self, retry_after_s: float | None) -> None:
        super().__init__("Too Many Requests")
        self.retry_after_s = retry_after_s


async def raise_flood_control(response: httpx.Response) -> None:
    """A response hook that raises a 429 with the wait that it asks for."""
    if response.status_code != _TOO_MANY_REQUESTS:
        return
    await response.aread()
    try:
        retry_after = response.json()["parameters"]["retry_after"]
    except (ValueError, KeyError, TypeError):
        retry_after = None
    raise _FloodControlError(float(retry_after) if retry_after is not None else None)


def translate_telegram_error(error: TelegramError, deadline_s: float) -> RichAgentError:
    """Our own error for one of the client's; `deadline_s` is the deadline of the call."""
    message = redact(error.message)
    translated: RichAgentError
    match error:
        case _FloodControlError():
            translated = UpstreamRateLimitedError(SERVICE, error.retry_after_s)
        case Forbidden():
            translated = ChatBlockedError(SERVICE, message)
        case InvalidToken():
            hint = "Check TELEGRAM_BOT_TOKEN: @BotFather shows the token of your bot."
            translated = TokenRefusedError(SERVICE, message, hint=hint)
        case Conflict():
            translated = UpdatesConflictError(SERVICE, message)
        case BadRequest():
            translated = _translate_bad_request(message)
        case NetworkError():
            translated = _translate_network_error(error, message, deadline_s)
        case _:
            # A 200 without JSON: the work was done, but its result did not arrive.
            translated = OutcomeUnknownError(SERVICE, message)
    return translated


def _translate_bad_request(message: str) -> RichAgentError:
    words = message.lower()
    if any(phrase in words for phrase in _GONE):
        return MessageGoneError(SERVICE, message)
    if any(phrase in words for phrase in _BLOCKED):
        return ChatBlockedError(SERVICE, message)
    if "file is too big" in words:
        return ImageRefusedError("too_large", message)
    if "entit" in words:
        return EntitiesRefusedError(SERVICE, message)
    return UpstreamRefusedError(SERVICE, message)


def _translate_network_error(
    error: NetworkError, message: str, deadline_s: float
) -> RichAgentError:
    cause = error.__cause__
    if isinstance(cause, _NOT_SENT):
        return UpstreamUnavailableError(SERVICE, message)
    if isinstance(cause, httpx.TimeoutException):
        return UpstreamTimeoutError(SERVICE, deadline_s)
    if isinstance(cause, httpx.TransportError):
        return OutcomeUnknownError(SERVICE, message)
    # A 5xx: a gateway may send it although the server behind it has done the work.
    return BadGatewayError(SERVICE, message)
