"""How long an update waits in the inbox: after a failure, and for a busy model server.

The server's own time is kept to. Where it names none the waits grow, and so they do where it names
a short one again and again.
"""

import random
from datetime import UTC, datetime, timedelta

from rich_agent.errors import TurnHeldError, UpstreamRateLimitedError
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.models import MOST_SECONDS, ModelAwayError, ModelBusyError

LONGEST_HELD_S = 86_400.0
"""A day: whoever waits longer asks again when it suits them, as for a limit of the day."""
_UNTOLD_S, _MOST_UNTOLD_S = 60.0, 1_800.0
_AGAIN_S, _MOST_AGAIN_S = 30.0, 600.0
_FACTOR = 4.0
_JITTER = 0.25
_MOST_DOUBLINGS = 10
_SPREAD = 0.05


def held_for(error: ModelBusyError, update: StoredUpdate) -> TurnHeldError | ModelAwayError:
    """What becomes of a turn that met a busy server: it waits, or has waited for long enough."""
    asked_s, grown = error.retry_after_s, 2 ** min(update.holds, _MOST_DOUBLINGS)
    if asked_s is None:
        wait_s = min(_UNTOLD_S * grown, _MOST_UNTOLD_S)
    else:
        wait_s = max(asked_s, min(_AGAIN_S * grown, _MOST_AGAIN_S))
    if update.held_s + wait_s > LONGEST_HELD_S:
        until = datetime.now(UTC) + timedelta(seconds=min(wait_s, MOST_SECONDS))
        return ModelAwayError(error.service, until)
    # Spread: all who were refused were told the same.
    spread_s = random.uniform(0, _SPREAD * min(wait_s, _AGAIN_S * 2))  # noqa: S311 - keeps no secret
    return TurnHeldError(wait_s + spread_s, str(error))


def retry_pause_s(failure: Exception, attempt: int, first_s: float, longest_s: float) -> float:
    """Seconds after the failed `attempt` (1 is the first): growing, spread, at most `longest_s`.

    What an upstream asked for is waited at least, as far as `longest_s` allows.
    """
    asked_s = failure.retry_after_s if isinstance(failure, UpstreamRateLimitedError) else None
    jitter = random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - spreads retries, keeps no secret
    pause_s = first_s * _FACTOR ** (attempt - 1) * jitter
    return min(max(pause_s, asked_s or 0.0), longest_s)
