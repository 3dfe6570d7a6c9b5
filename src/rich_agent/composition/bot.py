"""Parts that the roles of a serving process share, and whether it is ready."""

import asyncio
from dataclasses import dataclass, field

from rich_agent.composition.features import OpeningFeatures
from rich_agent.composition.repositories import Repositories
from rich_agent.errors import DatabaseUnavailableError, StillStartingError
from rich_agent.installed import installed_features
from rich_agent.repositories.database.schema import check_schema
from rich_agent.repositories.database.writes import check_writes
from rich_agent.repositories.turns.strict_msgpack import require_strict_msgpack
from rich_agent.runtime.reach import Outages, current_outages, describe_outage
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.metrics import Metrics
from rich_agent.telegram.receive.envelope import GroupGate
from rich_agent.telegram.receive.webhook_health import WebhookHealth
from rich_agent.telegram.serve.binding import Binding
from rich_agent.turns.stopping import Stopping
from rich_agent.upstreams.telegram.bot_api import TelegramClient


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of this process; `http` serves health, metrics and the webhook.

    `launch` is the number of a lone process, which does only what ended others. With `takes_over`,
    a webhook of this bot is removed where it polls.
    """

    receive: bool
    work: bool
    http: bool
    launch: int | None = None
    takes_over: bool = False


@dataclass(frozen=True, slots=True)
class Bot:
    """The parts that all roles of a process share.

    `answers` is set once the process can answer; None if it only receives. `binding` is there
    while the bot has no operator.
    """

    live: LiveSettings
    repositories: Repositories
    messenger: Messenger
    api: TelegramClient
    metrics: Metrics
    stop: asyncio.Event
    stopping: Stopping
    gate: GroupGate
    features: OpeningFeatures
    webhook: WebhookHealth | None = None
    answers: asyncio.Event | None = None
    binding: Binding | None = None
    reach: Outages = field(default_factory=current_outages)

    @property
    def settings(self) -> Settings:
        """The settings that are in effect now."""
        return self.live.now

    async def ready(self) -> str:
        """Return when messages can be served: tables, room, strict checkpoints, a listener.

        No model is called. What keeps Telegram from delivering is only said, because a load
        balancer that took the process out for it would keep Telegram away for good; so is what
        else is out of reach, a replica that is not used, and features that are left out.

        Raises: StillStartingError, DatabaseUnavailableError, SchemaError, SettingsError;
        UpstreamRefusedError when the webhook leads elsewhere.
        """
        require_strict_msgpack()
        await check_schema(self.repositories.databases)
        await check_writes(self.repositories.databases.app)
        if not self.features.is_done:
            raise StillStartingError("the features are not open yet")
        if self.answers is not None and not self.answers.is_set():
            raise StillStartingError("messages are stored but not answered yet")
        if self.repositories.inbox.is_deaf:
            raise DatabaseUnavailableError(
                "nothing listens for new messages", hint="Wait; it reconnects by itself."
            )
        notes = [
            await self.webhook.trouble() if self.webhook else "",
            self._replica_trouble(),
            self._features_trouble(),
            *map(describe_outage, self.reach.present),
        ]
        return "; ".join(note for note in notes if note)

    def _features_trouble(self) -> str:
        failures = (*installed_features().broken, *self.features.current.broken)
        names = ", ".join(one.name for one in failures if not one.is_by_choice)
        return f"features are left out, see rich-agent doctor: {names}" if names else ""

    def _replica_trouble(self) -> str:
        replica = self.repositories.replica
        if replica is None or not replica.refusal:
            return ""
        return f"documents are searched on the primary: {replica.refusal}"
