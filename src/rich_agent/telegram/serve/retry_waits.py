"""The waits before a failed turn is tried again, and the time to give up."""

import random
from datetime import UTC, datetime, timedelta

from rich_agent.errors import TurnHeldError, UpstreamRateLimitedError
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.models import MOST_SECONDS, ModelAwayError, ModelBusyError

LONGEST_HELD_S = 86_400.0
"""Longest time in seconds for which a turn is held.

A day covers daily limits; after that the user has to ask again.
"""
_UNTOLD_S, _MOST_UNTOLD_S = 60.0, 1_800.0
_AGAIN_S, _MOST_AGAIN_S = 30.0, 600.0
_FACTOR = 4.0
_JITTER = 0.25
_MOST_DOUBLINGS = 10
_SPREAD = 0.05


def hold_or_give_up(error: ModelBusyError, update: StoredUpdate) -> TurnHeldError | ModelAwayError:
    """The error for a turn whose model is busy: TurnHeldError with the seconds to wait.

    It is ModelAwayError if the turn would be held for more than `LONGEST_HELD_S` in all.
    """
    retry_after_s, factor = error.retry_after_s, 2 ** min(update.holds, _MOST_DOUBLINGS)
    if retry_after_s is None:
        wait_s = min(_UNTOLD_S * factor, _MOST_UNTOLD_S)
    else:
        wait_s = max(retry_after_s, min(_AGAIN_S * factor, _MOST_AGAIN_S))
    if update.held_s + wait_s > LONGEST_HELD_S:
        until = datetime.now(UTC) + timedelta(seconds=min(wait_s, MOST_SECONDS))
        return ModelAwayError(error.service, until)
    # The waits are spread out, because all refused requests were given the same time.
    spread_s = random.uniform(0, _SPREAD * min(wait_s, _AGAIN_S * 2))  # noqa: S311 - keeps no secret
    return TurnHeldError(wait_s + spread_s, str(error))


def retry_pause_s(failure: Exception, attempt: int, first_s: float, longest_s: float) -> float:
    """Seconds to wait after a failed attempt, at most `longest_s`; `attempt` counts from 1.

    The wait starts near `first_s`, quadruples with each attempt, and varies by up to 25 %. It is at
    least as long as the upstream asks for, up to `longest_s`.
    """
    retry_after_s = failure.retry_after_s if isinstance(failure, UpstreamRateLimitedError) else None
    jitter = random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - spreads retries, keeps no secret
    pause_s = first_s * _FACTOR ** (attempt - 1) * jitter
    return min(max(pause_s, retry_after_s or 0.0), longest_s)
