"""A list that one message shows page by page, with buttons that turn the pages."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest, Reply
from rich_agent.domain.text import whole_number
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.times import Clocks

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ListPlace:
    """The page of a list that begins behind `offset` items, and its reader.

    `part` names a part of the list, such as a folder; "" where the list has none.
    """

    user_id: int
    clocks: Clocks
    offset: int = 0
    part: str = ""

    @classmethod
    def on_button(cls, press: PressRequest, data: str) -> "ListPlace":
        """The place that the data of a button names; the beginning where it names none."""
        part, _, offset = data.rpartition(":")
        return cls(press.user_id, press.clocks, whole_number(offset) or 0, part)

    @property
    def locale(self) -> str:
        """The language of the reader."""
        return self.clocks.locale

    @property
    def data(self) -> str:
        """The place as a button names it: `offset`, or `part:offset`."""
        return f"{self.part}:{self.offset}" if self.part else f"{self.offset}"


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Item]):
    """The items of a page, their number in the whole list, and the buttons to its neighbours."""

    place: ListPlace
    items: Sequence[Item]
    total: int
    turning: Keyboard

    @property
    def numbers_and_items(self) -> Sequence[tuple[int, Item]]:
        """The items with their places in the whole list, from 1."""
        return list(enumerate(self.items, start=self.place.offset + 1))


@dataclass(frozen=True, slots=True)
class PagedList(Generic[Item]):
    """A list of which a message shows `size` items; `verb` begins the data of its page buttons.

    `load` returns the items from a place on, at most `size`, and the number of all items.
    """

    verb: str
    size: int
    load: Callable[[ListPlace], Awaitable[tuple[Sequence[Item], int]]]
    render: Callable[[ListPage[Item]], Awaitable[RenderedMessage]]

    async def answer(self, request: CommandRequest) -> Reply:
        """The first page, as the answer to a command."""
        return Reply(await self.show(ListPlace(request.user_id, request.clocks)))

    async def turn(self, press: PressRequest) -> PressReply:
        """The page that a button names, in place of the one that is shown."""
        return PressReply(message=await self.show(ListPlace.on_button(press, press.argument)))

    async def show(self, place: ListPlace) -> RenderedMessage:
        """Show a page, or the last page if the list has become too short."""
        items, total = await self.load(place)
        if place.offset and not items:
            place = replace(place, offset=max(0, total - 1) // self.size * self.size)
            items, total = await self.load(place)
        prefix = f"{self.verb}:{place.part}" if place.part else self.verb
        turning = turning_row(prefix, place.offset, self.size, total)
        return await self.render(ListPage(place, items, total, turning))


def turning_row(prefix: str, offset: int, size: int, total: int) -> Keyboard:
    """A row of buttons for the previous and the next page, if they exist.

    Their data is `prefix:offset`.
    """
    row: list[Button] = []
    if offset > 0:
        row.append(Button("‹", f"{prefix}:{max(0, offset - size)}"))
    if offset + size < total:
        row.append(Button("›", f"{prefix}:{offset + size}"))
    return (tuple(row),) if row else ()
