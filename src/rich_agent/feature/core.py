"""Services that the core hands to a feature that is opened; loads no model client and no graph."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from rich_agent.chat_commands.menu import Menu
from rich_agent.domain.access import Access
from rich_agent.domain.dated_entry import DatedEntries
from rich_agent.ports.accounts import Accounts, Confirmations, Feedback
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.conversations import Conversations
from rich_agent.ports.images import ImageFiles, Uploads
from rich_agent.ports.knowledge import SourceCatalogue
from rich_agent.ports.news import News
from rich_agent.ports.operations import AdminAlert, Attempts
from rich_agent.ports.outbox import DirectMessages, SendResult
from rich_agent.ports.usage import UsageLedger
from rich_agent.ports.user_files import UserFiles
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.turns.past_turns import PostgresPastTurns
from rich_agent.runs.service import RunService
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.metering import Billing
from rich_agent.runtime.seals import Seal
from rich_agent.settings.fields import Group
from rich_agent.settings.settings import Settings

if TYPE_CHECKING:
    from rich_agent.domain.model_role import ModelRole
    from rich_agent.upstreams.servers.capabilities import ModelAccess

G = TypeVar("G", bound=Group)
TellAdmins = Callable[[Callable[[str], str]], Awaitable[None]]
"""Sends each admin a message, which the function words in their language."""


async def tell_no_admin(_words: Callable[[str], str]) -> None:
    """Tell nobody: a command has no connection to Telegram."""


AlertAdmins = Callable[[AdminAlert], Awaitable[bool]]
"""Alerts the admins, once an hour for each cause; whether one of them was reached now."""


async def alert_no_admin(_alert: AdminAlert) -> bool:
    """Alert nobody: the same."""
    return False


@dataclass(frozen=True, slots=True)
class AdminMessages:
    """Ways to send messages to the admins."""

    tell: TellAdmins = tell_no_admin
    alert: AlertAdmins = alert_no_admin


NO_ADMINS = AdminMessages()


class NoMessages:
    """Implements `DirectMessages` without a connection to Telegram: all is for later."""

    async def send(self, _user_id: int, _message: RenderedMessage, /) -> SendResult:
        """See `DirectMessages.send`."""
        return "later"

    async def edit(self, _user_id: int, _message_id: int, _message: RenderedMessage, /) -> bool:
        """See `DirectMessages.edit`."""
        return False


NO_MESSAGES = NoMessages()


@dataclass(frozen=True, slots=True)
class Documents:
    """The registered documents: their search, and the catalogue that reads them."""

    search: DocumentSearch
    catalogue: SourceCatalogue


@dataclass(frozen=True, slots=True)
class Surface:
    """Services for another place where users talk with the bot, as they do in Telegram.

    `menu` gives its commands. `bot_name` is "" while nobody knows it, `hears` tells whether
    recordings can be sent. `news` are changes in conversations, wherever they are made; work that
    may end the process is counted by `attempts`. `files` has the bytes of photos.

    `suggest` gives questions that a user may ask. `explain` tells in Markdown how the answer of a
    turn came about, None if it is not known. `undo` takes back what a turn changed, a line for each
    change. The last two take a user, a turn, and the language to answer in.
    """

    menu: Callable[[], Menu]
    bot_name: Callable[[], str]
    hears: Callable[[], bool]
    news: News
    attempts: Attempts
    feedback: Feedback
    files: ImageFiles
    conversations: Callable[[], Conversations]
    user_files: Callable[[], UserFiles]
    suggest: Callable[[int], Awaitable[Sequence[str]]]
    explain: Callable[[int, str, str], Awaitable[str | None]]
    undo: Callable[[int, str, str], Awaitable[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Outlets:
    """Ways out of a process that serves: to the admins, to each user, and to other surfaces."""

    admins: AdminMessages = NO_ADMINS
    messages: DirectMessages = NO_MESSAGES
    surface: Surface | None = None


NO_OUTLETS = Outlets()


@dataclass(frozen=True, slots=True)
class Core:
    """Services that features share. It grows only when two of them need the same thing.

    `databases` are the application's and the documents'; statements run in a transaction of
    `checkout`. `access` knows who may use the bot, `accounts` how users want to be spoken to and
    whom the access list names, `confirmations` what waits for a yes, `past_turns` what was asked
    and answered, `usage` what it took. `open_models` opens the connections to models, and gives the
    function that reaches the model of a role; what a user's calls cost is counted by `billing`.
    `runs` begins turns in the name of a user, and follows them; `uploads` keeps what is sent with
    them. `open_documents` opens the documents, with an embedding model of its own. `now` gives the
    time, with its zone. In processes that serve, `tell_admins` sends these a message,
    `alert_admins` one about trouble that only they can end, and `messages` one to a user that
    answers nothing; only these have a `surface`. `dated_entries` give what users have planned: read
    it when it is needed, since features add theirs while they are opened. `make_seal` gives what
    encrypts secrets of other services, None without CREDENTIALS_KEY.
    """

    settings: Settings
    databases: Databases
    accounts: Accounts
    access: Access
    confirmations: Confirmations
    past_turns: PostgresPastTurns
    usage: UsageLedger
    runs: RunService
    uploads: Uploads
    open_documents: Callable[[], AbstractAsyncContextManager[Documents]]
    open_models: "Callable[[], AbstractAsyncContextManager[Callable[[ModelRole], ModelAccess]]]"
    billing: Billing
    now: Callable[[], datetime]
    make_seal: Callable[[], Seal | None]
    tell_admins: TellAdmins = tell_no_admin
    alert_admins: AlertAdmins = alert_no_admin
    messages: DirectMessages = NO_MESSAGES
    surface: Surface | None = None
    dated_entries: list[DatedEntries] = field(default_factory=list)

    def section(self, group: type[G]) -> G:
        """The feature's own settings."""
        return self.settings.section(group)
