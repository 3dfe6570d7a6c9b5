"""Commands and presses of buttons as every surface hands them over, and the replies it shows."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rich_agent.domain.answer.attachments import Attachment
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.domain.message import AskedBefore, User
from rich_agent.phrases import say
from rich_agent.ports.accounts import Account
from rich_agent.ports.bot_api import (
    Button,
    ButtonPress,
    FileToSend,
    Keyboard,
    RenderedMessage,
)
from rich_agent.times import Clocks


async def _hold() -> None:
    """No other process answers the user."""


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """A command: `name` is in lower case, without slash; `args` is the rest.

    `ended_question`: the command cancelled an open question of the bot. `thread_id` is the
    conversation in which it was sent. `replies_to` is the request whose answer the command replies
    to, "" for any other message, None without one. `take_away` deletes the command from the
    conversation, and tells whether that was possible; None where a command with a secret is not
    taken.
    """

    name: str
    args: str
    user: User
    locale: str
    update_id: int = 0
    account: Account = field(default_factory=Account)
    thread_id: str = ""
    ended_question: bool = False
    replies_to: str | None = None
    take_away: Callable[[], Awaitable[bool]] | None = None

    @property
    def user_id(self) -> int:
        """The id of the user who asked."""
        return self.user.telegram_user_id

    @property
    def clocks(self) -> Clocks:
        """The clocks of the user who asked, as of now."""
        return Clocks(self.locale, self.account.time_zone)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRequest(ButtonPress):
    """A press to be answered in the language and on the clocks of its user.

    `hold` confirms that this process still answers the user, before something is changed. Raises:
    LaneLostError.
    """

    locale: str
    hold: Callable[[], Awaitable[None]] = _hold
    account: Account = field(default_factory=Account)
    block: LivingBlock | None = None
    """The block of the button as it is now, None for a button under a message. The reply keeps its
    rows, so that the block changes in its place."""

    @property
    def clocks(self) -> Clocks:
        """The clocks of the user who pressed it, as of now."""
        return Clocks(self.locale, self.account.time_zone)


@dataclass(frozen=True, slots=True)
class PressReply:
    """The answer to a press: a short notice, and what changes in the conversation.

    `message` comes in place of the pressed one, or only `buttons` in place of its own; `below` is
    sent as a reply to it, and so are pictures of the `attachments`. Messages with the numbers
    `gone` are deleted.
    """

    notice: str = ""
    message: RenderedMessage | None = None
    buttons: Keyboard | None = None
    below: RenderedMessage | None = None
    attachments: tuple[Attachment, ...] = ()
    gone: tuple[int, ...] = ()


CommandAnswer = Callable[[CommandRequest], Awaitable[Reply]]
PressAnswer = Callable[[PressRequest], Awaitable[PressReply]]


@dataclass(frozen=True, slots=True)
class Handlers:
    """The answers to commands by their names, and to presses by the buttons' verbs.

    The description of a command is the phrase `command-<name>`. A verb ends in a number. The number
    grows when the meaning of the argument changes, because buttons stay in chats for years.
    """

    commands: Mapping[str, CommandAnswer] = field(default_factory=dict)
    presses: Mapping[str, PressAnswer] = field(default_factory=dict)


async def refer_to_telegram(request: CommandRequest) -> Reply:
    """Name Telegram as the place where a command works."""
    return Reply.of(say(request.locale, "only-in-telegram", command=f"/{request.name}"))


class ChatCommand(Protocol):
    """A module that answers the commands and presses of one subject."""

    def handlers(self) -> Handlers:
        """Its commands and presses."""
        ...
