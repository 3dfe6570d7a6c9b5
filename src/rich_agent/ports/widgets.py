"""Interface to the records of widgets: the blocks as they were sent, and chats without widgets."""

from dataclasses import dataclass
from typing import Protocol

from rich_agent.domain.living_blocks import LivingBlock, with_state


@dataclass(frozen=True, slots=True)
class WidgetPlace:
    """The place of a new widget: a chat, the message that it replies to, and a topic."""

    chat_id: int
    reply_to: int | None = None
    topic_id: int | None = None


@dataclass(frozen=True, slots=True)
class SentWidget:
    """A widget in a chat."""

    block: LivingBlock
    """The block that its code contains for good."""
    state: str = ""
    """The changes since, as `state_of` writes them."""
    topic_id: int | None = None

    @property
    def present_block(self) -> LivingBlock:
        """The block that the widget shows now."""
        return with_state(self.block, self.state)


class SentWidgets(Protocol):
    """The widgets in chats. Every method may raise DatabaseUnavailableError."""

    async def note(self, place: WidgetPlace, message_id: int, block: LivingBlock) -> None:
        """Record that a message shows a block."""

    async def note_state(self, chat_id: int, message_id: int, state: str) -> None:
        """Record the changes that a message shows.

        Raises: LaneLostError for a task with a fence, once another worker has its lane.
        """

    async def find(self, chat_id: int, message_id: int) -> SentWidget | None:
        """The widget of a message, None for other messages."""

    async def forget(self, chat_id: int, message_id: int) -> None:
        """Record that the message is gone."""

    async def waiting_queries(self, waited_s: float, within_s: float) -> list[bytes]:
        """The updates with queries of widgets that are not done after `waited_s` seconds.

        Those that have waited for more than `within_s` seconds beyond that are left out.
        """

    async def refuse(self, chat_id: int) -> None:
        """Record that Telegram takes no widget for this chat. After a week it is asked again."""

    async def are_refused(self, chat_id: int) -> bool:
        """Whether Telegram took no widget for this chat in the last week."""
