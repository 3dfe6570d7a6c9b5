"""How long a final text is tried for before its worker turns to other users."""

import asyncio
from dataclasses import dataclass

from rich_agent.errors import (
    DatabaseUnavailableError,
    DeliveryPostponedError,
    MessageGoneError,
    RichAgentError,
    UpstreamRateLimitedError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a final text is tried: after failures (first pause in seconds), and after 429s.

    A chat that is closed for more than `longest_wait_s` does not keep a worker waiting; nor does a
    Telegram that cannot be reached: the answer is tried again `postponed_s` later.
    """

    tries: int = 5
    first_pause_s: float = 0.5
    flood_tries: int = 10
    longest_wait_s: float = 5.0
    postponed_s: float = 30.0


@dataclass(slots=True)
class Retries:
    """Counts what went wrong, and waits before the next try."""

    retry_policy: RetryPolicy
    failures: int = 0
    floods: int = 0

    async def pause_after(self, error: RichAgentError) -> None:
        """Raises: DeliveryPostponedError when enough was tried, the error itself when it lasts."""
        match error:
            case MessageGoneError():
                return
            case UpstreamRateLimitedError():
                # The limiter does the waiting: it knows for how long this chat is closed.
                self.floods += 1
                if self.floods < self.retry_policy.flood_tries:
                    return
            case UpstreamUnavailableError() | UpstreamTimeoutError() | DatabaseUnavailableError():
                self.failures += 1
                if self.failures < self.retry_policy.tries:
                    await asyncio.sleep(self.retry_policy.first_pause_s * 2 ** (self.failures - 1))
                    return
            case _:
                raise error
        raise DeliveryPostponedError(self.retry_policy.postponed_s, str(error)) from error
