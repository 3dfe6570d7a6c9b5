"""Checks with Telegram whether updates reach the webhook, and explains how to fix failures."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from rich_agent.errors import UpstreamError, UpstreamRefusedError
from rich_agent.ports.bot_api import TelegramApi, WebhookInfo
from rich_agent.runtime.concurrency import survived

WEBHOOK_PATH = "/telegram/webhook"
FRESH = timedelta(minutes=10)
"""Age up to which a failed delivery counts. Telegram reports the last failure forever."""
_HINTS = (
    (
        ("404", "405"),
        "Something else answers at that address. Let your proxy pass {path} on to the bot.",
    ),
    (
        ("401", "403"),
        "Something refuses Telegram's calls: give all receivers the same WEBHOOK_SECRET.",
    ),
    (
        ("ssl", "certificate"),
        "Telegram does not trust the certificate of {host}. Use a valid one with its whole chain.",
    ),
    (
        ("500", "502", "503", "504", "530"),
        "{host} answers, but not the bot behind it: check that it runs, and where it listens.",
    ),
)
_UNREACHABLE = (
    "Telegram cannot connect to {host}. Check its name, and open port 443, 80, 88 or 8443 to the "
    "internet; without a public address, leave WEBHOOK_URL out and the bot polls."
)


def webhook_address(url: str) -> str:
    """The address for updates: WEBHOOK_URL, completed with the webhook's path if needed."""
    return url if urlsplit(url).path.endswith(WEBHOOK_PATH) else url + WEBHOOK_PATH


def check_is_free(info: WebhookInfo) -> None:
    """Check that no webhook receives the updates that are to be polled for.

    Raises: UpstreamRefusedError if one does.
    """
    if info.url:
        raise UpstreamRefusedError(
            "telegram",
            f"the messages of this bot go to its webhook, {info.url}",
            hint="Another program may serve this bot: stop it first. `--take-over` of `rich-agent "
            "run` and `rich-agent serve` removes the webhook; WEBHOOK_URL sets one of your own.",
        )


def check_address(info: WebhookInfo, url: str) -> None:
    """Check that the webhook is at the address of `url`; a missing webhook passes.

    Raises: UpstreamRefusedError if the webhook is at another address.
    """
    address = webhook_address(url)
    if info.url not in ("", address):
        raise UpstreamRefusedError(
            "telegram",
            f"the webhook is {info.url}, not {address}",
            hint="Another program uses this bot, or WEBHOOK_URL was changed: stop the other one, "
            "then restart `rich-agent run` or `rich-agent serve`, which sets the webhook.",
        )


def check_deliveries(info: WebhookInfo, now: datetime) -> None:
    """Check that Telegram can deliver. A recent failure while updates wait is a problem.

    Raises: UpstreamRefusedError with a hint.
    """
    failure_time = info.last_error_at
    if not info.pending or failure_time is None or now - failure_time > FRESH:
        return
    error_text = info.last_error.lower()
    hint = next(
        (hint for signs, hint in _HINTS if any(sign in error_text for sign in signs)), _UNREACHABLE
    )
    url_parts = urlsplit(info.url)
    raise UpstreamRefusedError(
        "telegram",
        f"updates do not reach {info.url}: {info.last_error}, "
        f"{(now - failure_time).total_seconds():.0f} s ago; {info.pending} wait",
        hint=hint.format(path=url_parts.path, host=url_parts.hostname),
    )


@dataclass(slots=True)
class WebhookHealth:
    """Asks Telegram about the webhook, at most once every `every_s` seconds.

    Each call has `deadline_s` seconds. While Telegram does not answer, its last answer counts.
    `clock` returns seconds.
    """

    api: TelegramApi
    url: str
    every_s: float = 30.0
    deadline_s: float = 2.0
    clock: Callable[[], float] = time.monotonic
    _last_info: WebhookInfo | None = None
    _next_call_at: float = 0.0
    _call_lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def trouble(self) -> str:
        """The problem that keeps updates from arriving, with a hint; "" if there is none.

        Raises: UpstreamRefusedError if Telegram delivers to another address.
        """
        async with self._call_lock:
            if self.clock() >= self._next_call_at:
                await self._call()
        if self._last_info is None:
            return ""
        check_address(self._last_info, self.url)
        try:
            check_deliveries(self._last_info, datetime.now(UTC))
        except UpstreamRefusedError as error:
            return error.explain()
        return ""

    async def _call(self) -> None:
        with survived("telegram.webhook_not_asked", UpstreamError, TimeoutError):
            async with asyncio.timeout(self.deadline_s):
                self._last_info = await self.api.get_webhook()
        self._next_call_at = self.clock() + self.every_s
