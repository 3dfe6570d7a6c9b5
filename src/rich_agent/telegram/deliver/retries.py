"""Retries of a final text, and the pauses before the retries."""

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
    """The limits of attempts to send a final text; times in seconds.

    - `tries`: the number of attempts that may fail. The first pause is `first_pause_s`, and the
      pause doubles each time.
    - `flood_tries`: the number of attempts that may end with a 429.
    - `longest_wait_s`: for which a worker waits for a closed chat.
    - `postponed_s`: until an answer is tried again if no attempts are left or the bot's token is
      refused.
    """

    tries: int = 5
    first_pause_s: float = 0.5
    flood_tries: int = 10
    longest_wait_s: float = 5.0
    postponed_s: float = 30.0


@dataclass(slots=True)
class Retries:
    """Counts failed attempts, and waits before the next attempt."""

    retry_policy: RetryPolicy
    failures: int = 0
    floods: int = 0

    async def pause_after(self, error: RichAgentError) -> None:
        """Wait before the next attempt, unless the limiter does so.

        Raises: DeliveryPostponedError after the last attempt; `error` if it is permanent.
        """
        match error:
            case MessageGoneError():
                # The message is sent anew, at once.
                self.failures += 1
                if self.failures < self.retry_policy.tries:
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
