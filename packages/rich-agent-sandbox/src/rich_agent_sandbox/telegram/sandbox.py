"""The state of the Telegram stand-in in memory, which `saved_state` writes to disk."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from starlette.routing import BaseRoute

from rich_agent_sandbox.ledger import Ledger
from rich_agent_sandbox.telegram.changes import Changes
from rich_agent_sandbox.telegram.chats import Chats, User
from rich_agent_sandbox.telegram.delivery import WebhookSender
from rich_agent_sandbox.telegram.ephemeral import Ephemerals, Whispering
from rich_agent_sandbox.telegram.files import Files
from rich_agent_sandbox.telegram.flood import FloodControl
from rich_agent_sandbox.telegram.groups import Groups
from rich_agent_sandbox.telegram.polling import Poller
from rich_agent_sandbox.telegram.profile import Profile
from rich_agent_sandbox.telegram.updates import Update, UpdateQueue
from rich_agent_sandbox.telegram.widget_queries import WidgetQueries

DEFAULT_BOT_TOKEN = "7000000001:AAsandbox-token-that-telegram-does-not-know"  # noqa: S105 -- opens this stand-in alone


def no_services(_: Ledger) -> Sequence[BaseRoute]:
    """No further routes."""
    return ()


@dataclass(frozen=True, slots=True)
class SandboxConfig:
    """The configuration of a sandbox.

    `libraries`: folders of Markdown files that are served as pages.
    `flood`: flood control is on.
    `journal`: a file to which every call is appended.
    `state`: a folder in which chats and files are saved.
    `hosts`: names under which it is reachable, besides those of this machine.
    `about`: the page's texts in an empty chat.
    `suggestions`: questions that the page offers there.
    `services`: further routes, whose calls are recorded in the ledger.

    A text of `about` or `suggestions` for another language begins with its code: "ja:", "zh-Hant:".
    """

    bot_token: str = DEFAULT_BOT_TOKEN
    libraries: tuple[Path, ...] = ()
    flood: bool = False
    journal: Path | None = None
    state: Path | None = None
    hosts: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    services: Callable[[Ledger], Sequence[BaseRoute]] = no_services
    bot_name: str = "Rich Agent"
    bot_username: str = "rich_agent_bot"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The state that the routes share.

    `presses` has the callback queries that wait for an answer. `guest_queries` has the chat and the
    question of each guest query that waits for a message, by the query's id.
    """

    config: SandboxConfig
    ledger: Ledger
    changes: Changes = field(default_factory=Changes)
    chats: Chats = field(default_factory=Chats)
    files: Files = field(default_factory=Files)
    flood: FloodControl = field(default_factory=FloodControl)
    profile: Profile = field(default_factory=Profile)
    groups: Groups = field(default_factory=Groups)
    ephemerals: Ephemerals = field(default_factory=Ephemerals)
    queue: UpdateQueue = field(default_factory=UpdateQueue)
    presses: dict[str, int] = field(default_factory=dict)
    guest_queries: dict[str, tuple[int, int]] = field(default_factory=dict)
    widget_queries: WidgetQueries = field(default_factory=WidgetQueries)
    webhooks: WebhookSender = field(init=False)
    poller: Poller = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "webhooks", WebhookSender(self.queue))
        object.__setattr__(self, "poller", Poller(self.queue))

    @property
    def bot(self) -> User:
        """The bot's own account; its id is the number before the colon of the token."""
        bot_id = int(self.config.bot_token.partition(":")[0])
        return User(bot_id, self.config.bot_name, is_bot=True, username=self.config.bot_username)

    @property
    def whispering(self) -> Whispering:
        """The rules for messages that one member of a group sees."""
        return Whispering(self.ephemerals, self.groups, self.bot)

    def tell_bot(self, kind: str, payload: Mapping[str, object], chat_id: int) -> Update | None:
        """Send an update to the bot; None if the bot does not want this kind."""
        update = self.queue.add(kind, payload, chat_id)
        if update:
            self.webhooks.wake(update.lane)
            self.poller.wake()
        return update

    def forget(self) -> None:
        """Drop chats, files, updates, calls and faults.

        Webhook, commands and descriptions are kept, because a running bot sets them only at its
        start.
        """
        queries = (self.presses, self.guest_queries, self.widget_queries)
        kept = (self.chats, self.files, self.flood, self.groups, self.ephemerals, self.queue)
        for part in (*kept, *queries, self.ledger):
            part.clear() if isinstance(part, dict) else part.forget()
        self.changes.publish("all")

    def close(self) -> None:
        """End all waiting requests, so that the server can stop."""
        self.changes.close()
        self.poller.close()
