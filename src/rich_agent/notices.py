"""Types of notices: what a user gets without having written, worded when it is sent."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rich_agent.domain.words import Words
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.times import Clocks


@dataclass(frozen=True, slots=True)
class NoticeRequest:
    """A notice that is to be worded, by the number that `add_notice` gave it."""

    number: int
    user_id: int
    clocks: Clocks

    @property
    def locale(self) -> str:
        """The language of the user."""
        return self.clocks.locale


NoteDelivery = Callable[[int | None], Awaitable[None]]
"""Takes note of Telegram's number of a message, None if Telegram does not take it."""


@dataclass(frozen=True, slots=True)
class UserNotice:
    """A notice of which more is to be said than its message.

    `content` is a message, or words that the bot answers as if its user had sent them, while nobody
    waits for the answer. It comes in the topic `topic_id`. One that its user has asked for
    (`is_awaited`) is part of the conversation, and they are told if it fails or has to wait. `note`
    is called when it has come, with Telegram's number of its message, or None if Telegram does not
    take it; also for the same notice again.
    """

    content: RenderedMessage | Words
    topic_id: int | None = None
    is_awaited: bool = False
    note: NoteDelivery | None = None


WordNotice = Callable[[NoticeRequest], Awaitable[RenderedMessage | UserNotice | None]]
"""Words a notice; None if there is nothing to say any more. It may be called again."""
