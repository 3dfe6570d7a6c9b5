"""Retries of a final text, and the pauses before them."""

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
    """The limits for tries to send a final text; times in seconds.

    - `tries`: after failures. The pause after the first is `first_pause_s`, and doubles each time.
    - `flood_tries`: after 429s.
    - `longest_wait_s`: for which a worker waits for a closed chat.
    - `postponed_s`: until an answer is tried again if the tries are used up or the bot's token is
      refused.
    """

    tries: int = 5
    first_pause_s: float = 0.5
    flood_tries: int = 10
    longest_wait_s: float = 5.0
    postponed_s: float = 30.0


@dataclass(slots=True)
class Retries:
    """Counts failed tries, and waits before the next one."""

    retry_policy: RetryPolicy
    failures: int = 0
    floods: int = 0

    async def pause_after(self, error: RichAgentError) -> None:
        """Wait before the next try, unless the limiter does so.

        Raises: DeliveryPostponedError after the last try; `error` if it is permanent.
        """
        match error:
            case MessageGoneError():
                return
            case UpstreamRateLimitedError():
                # The limiter waits: it knows for how long this chat is closed.
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
