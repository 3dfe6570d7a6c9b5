"""What a user is told instead of an answer: that it failed, has to wait, or cannot be given.

There is one plain sentence for each kind. The text of an error is never shown.
"""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import structlog

from rich_agent.domain.text import shorten
from rich_agent.errors import (
    AttemptsSpentError,
    DailyLimitError,
    DatabaseUnavailableError,
    EarlyEndError,
    ImageRefusedError,
    MalformedOutputError,
    PassingUpstreamError,
    TokenRefusedError,
    TurnHeldError,
    UpstreamError,
    UpstreamRefusedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.phrases import say, say_limit, say_wait, show_moment
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.models import ModelAccountError, ModelAwayError
from rich_agent.telegram.deliver.delivery import Delivery
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.deliver.stopping import stop_button
from rich_agent.telegram.deliver.update_context import UpdateContext
from rich_agent.telegram.receive.inbound import Turn, Unsupported
from rich_agent.telegram.rendering.notices import unlinked

_TRIES = 5
_PAUSE_S = 1.0
_LONGEST_NAME = 60
_OWN_WORDS = frozenset(
    {
        "animation", "audio", "contact", "dice", "document", "location", "poll", "sticker",
        "story", "venue", "video", "video_note", "voice",
    }
)  # fmt: skip
_log = structlog.get_logger()
_IMAGE_REASONS = frozenset(
    {"empty", "too_large", "too_many_pixels", "unreadable", "format", "heif", "animated"}
)


def apology(error: Exception, locale: str) -> str:
    """The sentence for a failure, in the user's language; never the text of the error."""
    match error:
        case DailyLimitError():
            return say_limit(error, locale)
        case ModelAwayError():
            return say(locale, "model-away", at=show_moment(error.until))
    return say(locale, _key(error))


def passes_by_itself(error: Exception) -> bool:
    """Whether the same turn may succeed a little later.

    A failed model does not count, because the turn has already retried it. Busy models are dealt
    with in `telegram.serve.waiting`.
    """
    if isinstance(error, UpstreamError) and error.service != "telegram":
        return False
    return isinstance(error, DatabaseUnavailableError | TokenRefusedError | PassingUpstreamError)


def is_the_users_to_mend(error: Exception) -> bool:
    """Whether the sentence settles the matter, so that there is nothing for an operator to do."""
    if isinstance(error, EarlyEndError):
        return error.reason == "filtered"
    return isinstance(error, ImageRefusedError | DailyLimitError | ModelAwayError)


async def apologize(delivery: Delivery, error: Exception) -> None:
    """Tell the user in one sentence that the answer failed, unless the answer was already shown.

    Raises: UpstreamError, DatabaseUnavailableError, DeliveryPostponedError, LaneLostError.
    """
    if not await delivery.is_answered():
        await delivery.complete([RenderedMessage(apology(error, delivery.target.locale))])


async def promise(delivery: Delivery, held: TurnHeldError) -> None:
    """Tell the user when to expect the answer; that message later becomes the answer.

    Raises: LaneLostError.
    """
    locale = delivery.target.locale
    at = datetime.now(UTC) + timedelta(seconds=held.wait_s)
    text = say(locale, "status-held", at=show_moment(at), wait=say_wait(held.wait_s, locale))
    button = stop_button(delivery.target.in_hand, locale)
    for _ in range(_TRIES):
        if await delivery.grow(RenderedMessage(text, buttons=((button,),))):
            return
        await asyncio.sleep(_PAUSE_S)


async def tell_too_many(
    messenger: Messenger, inbound: Turn | Unsupported, context: UpdateContext
) -> None:
    """Reply to the message that it and the ones after it are not answered.

    Raises: UpstreamError, DatabaseUnavailableError.
    """
    _log.warning("telegram.too_many")
    asked = inbound.message if isinstance(inbound, Turn) else inbound
    target = replace(context.target, reply_to=asked.message_id)
    notice = RenderedMessage(say(target.locale, "too-many"))
    await Delivery(messenger, target, context.hold).complete([notice])


def tell_unsupported(message: Unsupported, locale: str) -> RenderedMessage:
    """What the bot can do instead, worded for the kind; a file name is never shown as a link."""
    if message.kind not in _OWN_WORDS:
        return unlinked(say(locale, "cannot-read"))
    key = f"cannot-read-{message.kind.replace('_', '-')}"
    return unlinked(say(locale, key, detail=shorten(message.detail, _LONGEST_NAME) or "blank"))


def _key(error: Exception) -> str:
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
            kind = "spent"
        case _:
            kind = "internal"
    return f"apology-{kind}"
