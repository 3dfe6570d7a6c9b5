"""Routes commands to their handlers. Only /retry, sessions and /forget with words call models."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

import structlog

from rich_agent.domain.access import Access
from rich_agent.domain.message import AskedBefore
from rich_agent.domain.text import shorten
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account
from rich_agent.ports.bot_api import Button, FileToSend, RenderedMessage
from rich_agent.rendering.notices import unlinked
from rich_agent.telegram.receive.inbound import Command

_log = structlog.get_logger()
_SHOWN_NAME_LENGTH = 32
_ALIKE = 0.6
"""Least similarity, 0..1, of a misspelt name to a suggestion. Source: difflib's default."""
_ELSEWHERE: Mapping[str, str] = {
    "cancel": "stop",
    "clear": "new",
    "commands": "help",
    "delete": "forget",
    "docs": "sources",
    "file": "files",
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
"""Common names of commands in other bots, with the name here."""


_ALONE = frozenset({"new", "cancel", "disconnect"})
"""What ends something and takes no words: with words behind it something else may be meant."""


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command with its update, its user, and the language of the answer.

    `ended_question`: the command cancelled an open question of the bot. `thread_id` is the
    conversation in which it was sent.
    """

    command: Command
    locale: str
    update_id: int = 0
    account: Account = field(default_factory=Account)
    ended_question: bool = False
    thread_id: str = ""

    @property
    def user_id(self) -> int:
        """The id of the user who asked."""
        return self.command.user.telegram_user_id


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a command: a message, a file before it, or a turn instead of both.

    `again` is a question to answer as if it had just been sent.
    """

    message: RenderedMessage = field(default_factory=lambda: RenderedMessage(""))
    file: FileToSend | None = None
    again: AskedBefore | None = None

    @classmethod
    def of(cls, text: str, *buttons: tuple[Button, ...]) -> "Reply":
        """A text with rows of buttons."""
        return cls(RenderedMessage(text, buttons=buttons))


CommandAnswer = Callable[[CommandRequest], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands that the bot knows, by name; the description is the phrase `command-<name>`."""

    for_all: Mapping[str, CommandAnswer] = field(default_factory=dict)
    for_admins: Mapping[str, CommandAnswer] = field(default_factory=dict)
    access: Access = field(default_factory=Access)

    async def answer(self, request: CommandRequest) -> Reply:
        """The answer to a command; for an unknown one, a hint to /help.

        If the database is unavailable, the answer says so; a late answer would be of no use.
        """
        name, may_give = request.command.name, self._given_by(request.user_id)
        if name not in may_give:
            if name in self.for_admins:
                return Reply.of(say(request.locale, "admins-only"))
            return Reply(_unknown(request, may_give))
        if name in _ALONE and request.command.args.strip():
            return Reply.of(say(request.locale, "command-alone", command=f"/{name}"))
        try:
            return await may_give[name](request)
        except DatabaseUnavailableError as error:
            _log.warning("telegram.command_without_database", error=str(error))
            return Reply.of(say(request.locale, "database-away"))

    def _given_by(self, user_id: int) -> Mapping[str, CommandAnswer]:
        is_admin = self.access.is_admin(user_id)
        return {**self.for_all, **self.for_admins} if is_admin else self.for_all


def _unknown(request: CommandRequest, may_give: Collection[str]) -> RenderedMessage:
    """A notice that the command does not exist, with the closest name."""
    name = request.command.name.casefold()[:_SHOWN_NAME_LENGTH]
    near = get_close_matches(name, may_give, n=1, cutoff=_ALIKE)
    meant = _ELSEWHERE.get(name) or next(iter(near), "")
    shown = shorten(f"/{request.command.name}", _SHOWN_NAME_LENGTH)
    if meant in may_give:
        return unlinked(say(request.locale, "unknown-command-near", command=shown, near=meant))
    return unlinked(say(request.locale, "unknown-command", command=shown))
