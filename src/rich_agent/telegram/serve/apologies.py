"""What the user reads when a turn failed: one plain sentence for each kind of failure."""

from rich_agent.errors import (
    AttemptsSpentError,
    DailyLimitError,
    DatabaseUnavailableError,
    EarlyEndError,
    ImageRefusedError,
    MalformedOutputError,
    TokenRefusedError,
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.limit_phrases import say_limit, show_moment
from rich_agent.phrases import say
from rich_agent.ports.models import ModelAccountError, ModelAwayError

_IMAGE_REASONS = frozenset(
    {"empty", "too_large", "too_many_pixels", "unreadable", "format", "heif", "animated"}
)


def apology(error: Exception, locale: str) -> str:
    """The sentence for a failure, in the user's language; never the error's own words."""
    match error:
        case DailyLimitError():
            return say_limit(error, locale)
        case ModelAwayError():
            return say(locale, "model-away", at=show_moment(error.until))
    return say(locale, _key(error))


def passes_by_itself(error: Exception) -> bool:
    """Whether the same turn may succeed a little later.

    A model that failed does not count: the turn has tried it as often as makes sense. One that is
    busy is waited for before, see `telegram.holding`.
    """
    if isinstance(error, UpstreamError) and error.service != "telegram":
        return False
    return isinstance(
        error,
        DatabaseUnavailableError
        | TokenRefusedError
        | UpstreamUnavailableError
        | UpstreamTimeoutError
        | UpstreamRateLimitedError,
    )


def is_the_users_to_mend(error: Exception) -> bool:
    """Whether the sentence is all that there is to answer; no operator can do better."""
    if isinstance(error, EarlyEndError):
        return error.reason == "filtered"
    return isinstance(error, ImageRefusedError | DailyLimitError | ModelAwayError)


def _key(error: Exception) -> str:
    match error:
        case ImageRefusedError():
            reason = error.reason if error.reason in _IMAGE_REASONS else "refused"
            return f"image-{reason.replace('_', '-')}"
        case UpstreamError(service="telegram"):
            kind = "download"  # all that a turn asks of Telegram are the user's files
        case ModelAccountError():
            kind = error.cause
        case UpstreamUnavailableError() | UpstreamTimeoutError():
            kind = "unavailable"
        case MalformedOutputError():
            kind = "malformed"
        case EarlyEndError(reason="filtered"):
            return "early-end-filtered"
        case EarlyEndError():
            kind = "malformed"
        case UpstreamRefusedError():
            kind = "refused"
        case AttemptsSpentError():
            kind = "spent"
        case _:
            kind = "internal"
    return f"apology-{kind}"
