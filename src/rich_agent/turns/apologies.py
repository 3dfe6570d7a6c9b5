"""Apologies for failures: one plain sentence for each kind, which never quotes the error."""

from typing import get_args

from rich_agent.domain.vision import ImageRefusal
from rich_agent.errors import (
    AttemptsSpentError,
    DailyLimitError,
    DatabaseUnavailableError,
    EarlyEndError,
    FeatureMissingError,
    ImageRefusedError,
    MalformedOutputError,
    MediaRefusedError,
    PassingUpstreamError,
    RichAgentError,
    TokenRefusedError,
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.phrases import is_phrase, say
from rich_agent.ports.models import ModelAccountError, ModelAwayError
from rich_agent.times import Clocks, say_limit

_IMAGE_REASONS = frozenset(get_args(ImageRefusal))
_SET_ASIDE = {"lesson": "aside-lesson"}
"""The phrases for the core's work that was set aside, by its kind; answers have another phrase."""


def apology(error: Exception, clocks: Clocks) -> str:
    """The sentence that tells the user about a failure, in their language."""
    match error:
        case DailyLimitError():
            return say_limit(error, clocks)
        case ModelAwayError():
            return say(clocks.locale, "model-away", at=clocks.moment(error.until))
    return say(clocks.locale, _key(error))


def passes_by_itself(error: Exception) -> bool:
    """Whether the same turn may succeed a little later.

    False for a failed model, because the turn has already retried it. For busy models see
    `telegram.serve.retry_waits`.
    """
    if isinstance(error, UpstreamError) and error.service != "telegram":
        return False
    passing_errors = DatabaseUnavailableError | FeatureMissingError | TokenRefusedError
    return isinstance(error, passing_errors | PassingUpstreamError)


def is_the_users_to_hint(error: Exception) -> bool:
    """Whether telling the user settles a failure, so that the operator has nothing to do."""
    if isinstance(error, EarlyEndError):
        return error.reason == "filtered"
    user_errors = ImageRefusedError | MediaRefusedError | DailyLimitError | ModelAwayError
    return isinstance(error, user_errors)


def code_of(error: Exception) -> str:
    """The code of a failure for programs, such as "daily_limit" or "unavailable"."""
    match error:
        case DailyLimitError():
            return "daily_limit"
        case ModelAwayError():
            return "model_away"
    return _key(error).removeprefix("apology-").replace("-", "_")


def _key(error: Exception) -> str:
    """The key of the apology: the error's own phrase, else the one of its kind."""
    phrase = error.phrase if isinstance(error, RichAgentError) else ""
    return phrase or _key_of_turn(error)


def _key_of_turn(error: Exception) -> str:
    """The key of the apology for a kind of error."""
    match error:
        case ImageRefusedError():
            reason = error.reason if error.reason in _IMAGE_REASONS else "refused"
            return f"image-{reason.replace('_', '-')}"
        case UpstreamError(service="telegram"):
            kind = "download"  # a turn asks Telegram for nothing but the user's files
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
            return _phrase_of(error.kind)
        case _:
            kind = "internal"
    return f"apology-{kind}"


def _phrase_of(kind: str) -> str:
    """The phrase for work of a kind that was set aside; features may have their own phrases."""
    feature_phrase = f"{kind.replace('_', '-')}-set-aside"
    return _SET_ASIDE.get(kind) or (
        feature_phrase if is_phrase(feature_phrase) else "apology-spent"
    )
