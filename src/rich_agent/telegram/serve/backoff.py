"""How long a failed update rests before it is tried again."""

import random

from rich_agent.errors import UpstreamRateLimitedError

_FACTOR = 4.0
_JITTER = 0.25


def retry_pause_s(failure: Exception, attempt: int, first_s: float, longest_s: float) -> float:
    """Seconds after the failed `attempt` (1 is the first): growing, spread, at most `longest_s`.

    What an upstream asked for is waited at least, as far as `longest_s` allows.
    """
    asked_s = failure.retry_after_s if isinstance(failure, UpstreamRateLimitedError) else None
    jitter = random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311 - spreads retries, keeps no secret
    pause_s = first_s * _FACTOR ** (attempt - 1) * jitter
    return min(max(pause_s, asked_s or 0.0), longest_s)
