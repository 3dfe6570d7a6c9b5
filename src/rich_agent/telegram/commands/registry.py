"""Which command is answered by whom. A command costs no model call, /retry aside."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import structlog

from rich_agent.domain.message import AskedBefore
from rich_agent.domain.text import shorten
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account
from rich_agent.ports.bot_api import Button, FileToSend, RenderedMessage
from rich_agent.telegram.access import Access
from rich_agent.telegram.inbound import Command

_log = structlog.get_logger()
_SHOWN_NAME_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Asked:
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


CommandAnswer = Callable[[Asked], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command; its description is the phrase `command-<name>`."""

    name: str
    answer: CommandAnswer
    for_admins: bool = False


class Commands:
    """The commands that the bot knows."""

    def __init__(self, *specs: CommandSpec, access: Access | None = None) -> None:
        self._specs: Mapping[str, CommandSpec] = MappingProxyType({s.name: s for s in specs})
        self._access = access or Access()

    @property
    def names(self) -> tuple[str, ...]:
        """Every command, those for admins too."""
        return tuple(self._specs)

    async def answer(self, asked: Asked) -> Reply:
        """What a command is answered with; an unknown one points at /help.

        While the database is away it says so: a command that comes late is of no use.
        """
        spec = self._specs.get(asked.command.name)
        if spec is None:
            name = shorten(f"/{asked.command.name}", _SHOWN_NAME_LENGTH)
            return Reply.of(say(asked.locale, "unknown-command", command=name))
        if spec.for_admins and not self._access.is_admin(asked.user_id):
            return Reply.of(say(asked.locale, "admins-only"))
        try:
            return await spec.answer(asked)
        except DatabaseUnavailableError as error:
            _log.warning("telegram.command_without_database", error=str(error))
            return Reply.of(say(asked.locale, "database-away"))
