"""Types of notices: messages to a user who did not write, worded when they are sent."""

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
"""Takes note of Telegram's number of a message, None if Telegram does not take it.

The number is 0 for a person without Telegram, who finds the message in their conversation.
"""


NoticeContent = RenderedMessage | Words
"""A message, or words that the bot answers as if the user had sent them, without being present."""
MakeContent = Callable[[], Awaitable[NoticeContent]]
"""Makes the content of a notice. Until it succeeds, the notice is tried again a few times."""


@dataclass(frozen=True, slots=True)
class UserNotice:
    """A notice with more than its message."""

    content: NoticeContent | MakeContent
    """The content, or a function that makes the content when the notice is sent."""
    topic_id: int | None = None
    """Topic of the chat in which the notice is sent."""
    is_awaited: bool = False
    """Whether the user asked for the notice. Then it is part of the conversation, and the user is
    told if it fails, also if its content cannot be made, or has to wait."""
    note: NoteDelivery | None = None
    """Called when the notice was sent, and again if the same notice is tried again."""


WordNotice = Callable[[NoticeRequest], Awaitable[RenderedMessage | UserNotice | None]]
"""Words a notice; None if there is nothing to say any more. It may be called again."""
