"""Services that the core gives a feature when it opens it; loads no model client and no graph."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from rich_agent.chat_commands.menu import Menu
from rich_agent.domain.access import Access
from rich_agent.domain.dated_entry import DatedEntries
from rich_agent.domain.persona import Persona
from rich_agent.ports.accounts import Accounts, Confirmations, Feedback, PersonalData
from rich_agent.ports.approvals import Approvals
from rich_agent.ports.asked_questions import KeepQuestion
from rich_agent.ports.audit import Audit
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.conversations import Conversations
from rich_agent.ports.dead_letters import DeadLetters
from rich_agent.ports.due_work import DueWorkReader
from rich_agent.ports.images import ImageFiles, Uploads
from rich_agent.ports.knowledge import SourceCatalogue
from rich_agent.ports.news import News
from rich_agent.ports.operations import AdminAlert, Attempts
from rich_agent.ports.outbox import DirectMessages, SendResult
from rich_agent.ports.setting_changes import SettingChanges
from rich_agent.ports.spaces import Spaces
from rich_agent.ports.usage import UsageLedger
from rich_agent.ports.user_files import UserFiles
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.turns.past_turns import PostgresPastTurns
from rich_agent.runs.service import RunService
from rich_agent.runtime.document_search import DocumentSearch
from rich_agent.runtime.metering import Billing
from rich_agent.runtime.seals import Seal
from rich_agent.settings.fields import Group
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.web.pages.routes import PageLink
from rich_agent.web.sign_in_links import SignInLink, SignInPhrases

if TYPE_CHECKING:
    from rich_agent.domain.model_role import ModelRole
    from rich_agent.feature.panels import Panel
    from rich_agent.ports.memories import Memories
    from rich_agent.turns.rehearsal import Rehearsal
    from rich_agent.upstreams.servers.capabilities import ModelAccess
    from rich_agent.web.pages.areas import PageArea

G = TypeVar("G", bound=Group)
TellAdmins = Callable[[Callable[[str], str]], Awaitable[None]]
"""Sends each admin a message. The argument returns its text in a language."""


async def tell_no_admin(_words: Callable[[str], str]) -> None:
    """Tell nobody: a command of `rich-agent` has no connection to Telegram."""


AlertAdmins = Callable[[AdminAlert], Awaitable[bool]]
"""Alerts the admins, once an hour for each cause; returns whether an admin was reached now."""


async def alert_no_admin(_alert: AdminAlert) -> bool:
    """Alert nobody: a command of `rich-agent` has no connection to Telegram."""
    return False


@dataclass(frozen=True, slots=True)
class AdminMessages:
    """Ways to send messages to the admins."""

    tell: TellAdmins = tell_no_admin
    alert: AlertAdmins = alert_no_admin


NO_ADMINS = AdminMessages()


class NoMessages:
    """Implements `DirectMessages` without a connection to Telegram: nothing is sent now."""

    async def send(self, _user_id: int, _message: RenderedMessage, /) -> SendResult:
        """See `DirectMessages.send`."""
        return "later"

    async def edit(self, _user_id: int, _message_id: int, _message: RenderedMessage, /) -> bool:
        """See `DirectMessages.edit`."""
        return False


NO_MESSAGES = NoMessages()


@dataclass(frozen=True, slots=True)
class Documents:
    """Search in the registered documents, and the catalogue that reads their sources."""

    search: DocumentSearch
    catalogue: SourceCatalogue


@dataclass(frozen=True, slots=True)
class TurnKey:
    """The thread of a turn, and the request that it answers."""

    thread_id: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Surface:
    """Services for a surface other than Telegram, where users talk with the bot too.

    Turns are named by their request ids, languages by their locales.
    """

    menu: Callable[[], Menu]
    """Returns the commands of the bot."""
    bot_name: Callable[[], str]
    """Returns the bot's name, "" until Telegram has told it."""
    persona_of: Callable[[int | None], Awaitable[Persona | None]]
    """Returns the persona with which the bot speaks to a user, None without one. None in place of a
    user's id stands for anybody."""
    bot_username: Callable[[], str]
    """Returns the bot's username, as in links to it, "" until Telegram has told it."""
    hears: Callable[[], bool]
    """Tells whether the bot can make text of recordings."""
    news: News
    """Changes in users' conversations, whichever surface they are made on."""
    attempts: Attempts
    """Counter of attempts at work that may end the process."""
    feedback: Feedback
    """Users' ratings of answers."""
    files: ImageFiles
    """Bytes of the images that users sent."""
    conversations: Callable[[], Conversations]
    """Returns the users' conversations."""
    user_files: Callable[[], UserFiles]
    """Returns the files that users keep."""
    suggest: Callable[[int], Awaitable[Sequence[str]]]
    """Returns subjects that a user can ask about, given the user's id."""
    explain: Callable[[int, str, str], Awaitable[str | None]]
    """Explains in Markdown how an answer came about, given user id, turn and language; None if
    that is not known."""
    explain_to: Callable[[int, TurnKey, str], Awaitable[str | None]]
    """Explains to another person how an answer to a user came about, given that person's id, the
    turn and the language: without documents that the person may not read, and without what the
    user's memory and conversation say. None if it is not known."""
    undo: Callable[[int, str, str], Awaitable[Sequence[str]]]
    """Undoes the changes of a turn or of a page, given user id, request and language; returns a
    line for each."""
    open_rehearsal: "Callable[[], AbstractAsyncContextManager[Rehearsal]]"
    """Opens the whole bot, with all features that are open, for questions of no user; nothing is
    stored. The first one loads the graph; the models are called, and nobody is charged."""
    memories: "Callable[[], Awaitable[Memories]]"
    """Returns what the bot remembers of users."""
    personal_data: PersonalData
    """Everything that is stored about a user, to be exported or deleted."""
    choose_time_zone: Callable[[int, str], Awaitable[object]]
    """Moves a user, with what goes by their clocks, to another time zone."""


@dataclass(frozen=True, slots=True)
class Outlets:
    """Channels of a process that serves: to the admins, to each user, and to other surfaces."""

    admins: AdminMessages = NO_ADMINS
    messages: DirectMessages = NO_MESSAGES
    surface: Surface | None = None


NO_OUTLETS = Outlets()


@dataclass(frozen=True, slots=True)
class Core:
    """Services that features share. A service is added only when two features need it."""

    live: LiveSettings
    """Settings of the bot, as operators change them; a feature finds its own with `section`."""
    databases: Databases
    """Connection pools of the application's database and of the documents' database. Statements
    run in a transaction of `checkout`."""
    accounts: Accounts
    """Users' accounts with language and time zone, and the access list of the database."""
    approvals: Approvals
    """Answers that wait for approval."""
    dead_letters: DeadLetters
    """Messages that were given up."""
    due_work: DueWorkReader
    """Work that is due at its times."""
    access: Access
    """Access rules of the settings: who may use the bot, who is an admin."""
    setting_changes: SettingChanges
    """Settings that operators change while the bot runs."""
    audit: Audit
    """Record of who changed what in the bot."""
    confirmations: Confirmations
    """Questions that wait for a user's yes."""
    past_turns: PostgresPastTurns
    """Past questions and answers of all users."""
    usage: UsageLedger
    """Use of models and searches by each user, for each day."""
    runs: RunService
    """Service that begins turns in the name of a user, finds them and stops them."""
    spaces: Spaces
    """Spaces of documents, and the principals that users are known by."""
    uploads: Uploads
    """Images that programs send together with a question."""
    open_documents: Callable[[], AbstractAsyncContextManager[Documents]]
    """Opens the registered documents, with an embedding model of their own."""
    open_models: "Callable[[], AbstractAsyncContextManager[Callable[[ModelRole], ModelAccess]]]"
    """Opens the connections to models, and yields a function that returns a role's model."""
    billing: Billing
    """Counter of the cost of a user's model calls."""
    now: Callable[[], datetime]
    """Returns the present time, with a time zone."""
    make_seal: Callable[[], Seal | None]
    """Returns the encryption for secrets of other services, None without CREDENTIALS_KEY or its
    library."""
    tell_admins: TellAdmins = tell_no_admin
    """Sends a message to each admin. Does nothing in a process that does not serve."""
    alert_admins: AlertAdmins = alert_no_admin
    """Sends a message to the admins about a problem that only they can solve. Does nothing in a
    process that does not serve."""
    messages: DirectMessages = NO_MESSAGES
    """Messages to single users that answer no question. A process that does not serve sends none.
    """
    surface: Surface | None = None
    """Services for another surface; None in a process that does not serve."""
    dated_entries: list[DatedEntries] = field(default_factory=list)
    """Functions that list users' plans. Read this list only when it is needed: the functions of
    features are added after all features are open."""
    sign_in_links: list[SignInLink] = field(default_factory=list)
    """Links to pages on which people sign in. Read this list only when it is needed, as above."""
    sign_in_phrases: list[SignInPhrases] = field(default_factory=list)
    """Phrases that say how to sign in. Read this list only when it is needed, as above."""
    page_links: list[PageLink] = field(default_factory=list)
    """Links to the areas of pages. Read this list only when it is needed, as above."""
    areas: "dict[str, PageArea]" = field(default_factory=dict)
    """Areas of pages by their names. A feature whose pages belong to the area of another names that
    one in `after`, and adds its entries here when it is opened, if the area is there."""
    test_questions: list[KeepQuestion] = field(default_factory=list)
    """Functions that keep a user's question as a test question. A feature with test questions adds
    one here when it is opened; read this list only when it is needed, as above."""
    panels: "list[Panel]" = field(default_factory=list)
    """Parts of users' own pages. Read this list only when it is needed, as `dated_entries`."""

    @property
    def settings(self) -> Settings:
        """The settings that are in effect now."""
        return self.live.now

    def section(self, group: type[G]) -> G:
        """The settings of the feature that are in effect now, given the class of its section."""
        return self.settings.section(group)
