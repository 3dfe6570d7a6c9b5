"""Which command is answered by whom. A command costs no model call, /retry aside."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType

import structlog

from rich_agent.domain.message import AskedBefore
from rich_agent.domain.text import shorten
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account
from rich_agent.ports.bot_api import Button, FileToSend, RenderedMessage
from rich_agent.telegram.access import Access
from rich_agent.telegram.receive.inbound import Command
from rich_agent.telegram.rendering.notices import unlinked

_log = structlog.get_logger()
_SHOWN_NAME_LENGTH = 32
_ALIKE = 0.6
"""How alike a misspelt name is to the one that is meant, 0..1. Source: difflib's own default."""
_ELSEWHERE: Mapping[str, str] = MappingProxyType(
    {
        "cancel": "stop",
        "clear": "new",
        "commands": "help",
        "delete": "forget",
        "docs": "sources",
        "documents": "sources",
        "info": "help",
        "lang": "language",
        "menu": "help",
        "regenerate": "retry",
        "reset": "new",
        "restart": "new",
        "settings": "language",
        "usage": "status",
    }
)
"""What other bots call a command, and its name here."""


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command, the language of the answer, the update it came in, and who asked.

    `ended_question`: a question of the bot was open, and no answer to it is awaited any more.
    """

    command: Command
    locale: str
    update_id: int = 0
    account: Account = field(default_factory=Account)
    ended_question: bool = False

    @property
    def user_id(self) -> int:
        """Who asked."""
        return self.command.user.telegram_user_id


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command is answered with: a message, a file before it, or a turn instead of both.

    `again` is a question to be answered as if it had just been sent.
    """

    message: RenderedMessage = field(default_factory=lambda: RenderedMessage(""))
    file: FileToSend | None = None
    again: AskedBefore | None = None

    @classmethod
    def of(cls, text: str, *buttons: tuple[Button, ...]) -> "Reply":
        """A text with rows of buttons under it."""
        return cls(RenderedMessage(text, buttons=buttons))


CommandAnswer = Callable[[CommandRequest], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands that the bot knows, by name; the description is the phrase `command-<name>`."""

    for_all: Mapping[str, CommandAnswer] = field(default_factory=dict)
    for_admins: Mapping[str, CommandAnswer] = field(default_factory=dict)
    access: Access = field(default_factory=Access)

    async def answer(self, request: CommandRequest) -> Reply:
        """What a command is answered with; an unknown one points at /help.

        While the database is away it says so: a command that comes late is of no use.
        """
        name, may_give = request.command.name, self._given_by(request.user_id)
        if name not in may_give:
            if name in self.for_admins:
                return Reply.of(say(request.locale, "admins-only"))
            return Reply(_unknown(request, may_give))
        try:
            return await may_give[name](request)
        except DatabaseUnavailableError as error:
            _log.warning("telegram.command_without_database", error=str(error))
            return Reply.of(say(request.locale, "database-away"))

    def _given_by(self, user_id: int) -> Mapping[str, CommandAnswer]:
        is_admin = self.access.is_admin(user_id)
        return {**self.for_all, **self.for_admins} if is_admin else self.for_all


def _unknown(request: CommandRequest, may_give: Collection[str]) -> RenderedMessage:
    """That there is no such command, and the one that may have been meant."""
    name = request.command.name.casefold()[:_SHOWN_NAME_LENGTH]
    near = get_close_matches(name, may_give, n=1, cutoff=_ALIKE)
    meant = _ELSEWHERE.get(name) or next(iter(near), "")
    shown = shorten(f"/{request.command.name}", _SHOWN_NAME_LENGTH)
    if meant in may_give:
        return unlinked(say(request.locale, "unknown-command-near", command=shown, near=meant))
    return unlinked(say(request.locale, "unknown-command", command=shown))
