"""Apologies to a user for a failure: one plain sentence for each kind, never the error's text."""

from typing import get_args

from rich_agent.domain.vision import ImageRefusal
from rich_agent.errors import (
    AttemptsSpentError,
    DailyLimitError,
    DatabaseUnavailableError,
    EarlyEndError,
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
_SET_ASIDE = {
    "reminder": "aside-reminder",
    "reminders": "aside-reminder",
    "lesson": "aside-lesson",
}
"""The core's phrases of what is no answer, by its kind."""


def apology(error: Exception, clocks: Clocks) -> str:
    """The sentence for a failure, in the user's language; never the text of the error."""
    match error:
        case DailyLimitError():
            return say_limit(error, clocks)
        case ModelAwayError():
            return say(clocks.locale, "model-away", at=clocks.moment(error.until))
    return say(clocks.locale, _key(error))


def passes_by_itself(error: Exception) -> bool:
    """Whether the same turn may succeed a little later.

    A failed model does not count, because the turn has already retried it. Busy models are dealt
    with in `telegram.serve.waiting`.
    """
    if isinstance(error, UpstreamError) and error.service != "telegram":
        return False
    return isinstance(error, DatabaseUnavailableError | TokenRefusedError | PassingUpstreamError)


def is_the_users_to_hint(error: Exception) -> bool:
    """Whether the sentence settles the matter, so that there is nothing for an operator to do."""
    if isinstance(error, EarlyEndError):
        return error.reason == "filtered"
    theirs = ImageRefusedError | MediaRefusedError | DailyLimitError | ModelAwayError
    return isinstance(error, theirs)


def code_of(error: Exception) -> str:
    """The kind of a failure, as programs read it."""
    match error:
        case DailyLimitError():
            return "daily_limit"
        case ModelAwayError():
            return "model_away"
    return _key(error).removeprefix("apology-").replace("-", "_")


def _key(error: Exception) -> str:
    own = error.phrase if isinstance(error, RichAgentError) else ""
    return own or _key_of_turn(error)


def _key_of_turn(error: Exception) -> str:
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
    """The phrase of what was set aside; work of features may have one of its own."""
    own = f"{kind.replace('_', '-')}-set-aside"
    return _SET_ASIDE.get(kind) or (own if is_phrase(own) else "apology-spent")
