"""What a model server says of itself: busy for now, away for long, closed to this account."""

from datetime import UTC, datetime, timedelta
from typing import Literal

from rich_agent.errors import UpstreamError, UpstreamRateLimitedError, UpstreamRefusedError

AccountTrouble = Literal["credit", "key"]
MOST_SECONDS = 10.0 * 366 * 86_400
"""Of what a server asks for: no more than a time can hold."""


class ModelBusyError(UpstreamRateLimitedError):
    """A model server takes no more requests for now: too many were sent, or it is overloaded."""

    def __init__(self, service: str, retry_after_s: float | None = None) -> None:
        super().__init__(service, retry_after_s)
        self.mend = "Ask again in a few minutes."
        if retry_after_s is not None:
            at = datetime.now(UTC) + timedelta(seconds=min(retry_after_s, MOST_SECONDS))
            self.mend = f"The server takes requests again at {at:%Y-%m-%d %H:%M:%S} UTC."


class ModelAccountError(UpstreamRefusedError):
    """The operator's account with a model server fails every request until it is mended."""

    def __init__(self, service: str, cause: AccountTrouble, message: str, *, mend: str) -> None:
        super().__init__(service, message, mend=mend)
        self.cause = cause


class ModelAwayError(UpstreamError):
    """A model server that takes no requests for longer than a message may wait: until `until`."""

    def __init__(self, service: str, until: datetime) -> None:
        super().__init__(service, f"takes no requests until {until:%Y-%m-%d %H:%M} UTC")
        self.until = until
