"""Delivers updates to the bot's webhook, like Telegram.

Updates of a chat are delivered one at a time and in order: the next one waits for a 2xx, and failed
deliveries are repeated.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from rich_agent_sandbox.telegram.updates import Lane, Update, UpdateQueue

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 -- the name of a header
ANSWER_DEADLINE_S = 10.0
FIRST_RETRY_S = 0.5
LAST_RETRY_S = 10.0
DEFAULT_CONNECTIONS = 40
MOST_CONNECTIONS = 100  # https://core.telegram.org/bots/api#setwebhook


@dataclass(frozen=True, slots=True)
class Webhook:
    """The target of updates; `slots` limits the number of concurrent deliveries."""

    url: str
    secret_token: str
    max_connections: int
    slots: asyncio.Semaphore


@dataclass(frozen=True, slots=True)
class WebhookFailure:
    """The last failed delivery, as reported by getWebhookInfo."""

    at: float
    message: str


@dataclass(slots=True)
class WebhookSender:
    """Runs one task for each lane with waiting updates, while a webhook is set."""

    queue: UpdateQueue
    webhook: Webhook | None = None
    last_failure: WebhookFailure | None = None
    _client: httpx.AsyncClient | None = None
    _group: asyncio.TaskGroup | None = None
    _tasks: dict[Lane, asyncio.Task[None]] = field(default_factory=dict)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Deliver until the end of the block; waiting updates stay in the queue."""
        # trust_env: the environment's proxy must not see requests to a local bot.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=MOST_CONNECTIONS)
        client = httpx.AsyncClient(timeout=ANSWER_DEADLINE_S, limits=limits, trust_env=False)
        async with client, asyncio.TaskGroup() as group:
            self._client, self._group = client, group
            try:
                yield
            finally:
                self._group = None
                for task in self._tasks.values():
                    task.cancel()

    def set(self, webhook: Webhook | None) -> None:
        """Deliver to `webhook` from now on, or stop delivering if it is None."""
        self.webhook = webhook
        self.last_failure = None
        self._changed.set()
        self._changed = asyncio.Event()
        for lane in self.queue.lanes():
            self.wake(lane)

    def wake(self, lane: Lane) -> None:
        """Start the delivery of a lane if it has updates and is not being delivered."""
        if self.webhook and self._group and lane not in self._tasks:
            task = self._group.create_task(self._drain(lane))
            self._tasks[lane] = task
            task.add_done_callback(lambda _: self._rest(lane))

    def _rest(self, lane: Lane) -> None:
        del self._tasks[lane]
        # An update may have arrived just before the end of the task.
        if self.queue.head(lane):
            self.wake(lane)

    async def _drain(self, lane: Lane) -> None:
        retry_s = FIRST_RETRY_S
        while (webhook := self.webhook) and (update := self.queue.head(lane)):
            async with webhook.slots:
                is_delivered = await self._deliver(webhook, update)
            if is_delivered:
                self.queue.confirm(update.update_id)
                retry_s = FIRST_RETRY_S
            else:
                await self._pause(retry_s)
                retry_s = min(retry_s * 2, LAST_RETRY_S)

    async def _deliver(self, webhook: Webhook, update: Update) -> bool:
        if self._client is None:
            return False
        headers = {"Content-Type": "application/json"}
        if webhook.secret_token:
            headers[SECRET_HEADER] = webhook.secret_token
        # Escaped as by Telegram, because UTF-8 cannot encode the lone surrogates of a text.
        body = json.dumps(update.to_json())
        try:
            answer = await self._client.post(webhook.url, content=body, headers=headers)
        except httpx.HTTPError as error:
            self._fail(update, None, str(error) or type(error).__name__)
            return False
        if not answer.is_success:
            reason = f"Wrong response from the webhook: {answer.status_code} {answer.reason_phrase}"
            self._fail(update, answer.status_code, reason)
            return False
        self.queue.note_attempt(update.update_id, answer.status_code)
        return True

    def _fail(self, update: Update, status: int | None, message: str) -> None:
        self.queue.note_attempt(update.update_id, status)
        self.last_failure = WebhookFailure(self.queue.clock(), message)

    async def _pause(self, seconds: float) -> None:
        """Wait before the next attempt, or until the webhook is set again."""
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return
