"""/spaces: the spaces that a user may read, and in which of them things are looked up."""

from dataclasses import dataclass

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import shorten, whole_number
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, RenderedMessage
from rich_agent.ports.spaces import ReadableSpace, Spaces

VERB = "space1"
_MOST_SHOWN = 40
_NAME_CHARS = 40


@dataclass(frozen=True, slots=True)
class SpaceChoice:
    """Shows the spaces of a user; a press chooses one, or puts it away."""

    spaces: Spaces

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"spaces": self.answer}, {VERB: self.press})

    async def answer(self, request: CommandRequest) -> Reply:
        """Show the spaces that the user may read."""
        return Reply(await self._choice(request.user_id, request.locale))

    async def press(self, press: PressRequest) -> PressReply:
        """Choose a space or put it away, as the button said."""
        word, _, number = press.argument.partition(":")
        space_id = whole_number(number)
        readable = {space.id for space in await self.spaces.readable(Reader(press.user_id))}
        if space_id not in readable or word not in {"on", "off"}:
            return PressReply(say(press.locale, "button-outdated"))
        await press.hold()
        await self.spaces.choose(press.user_id, space_id, is_chosen=word == "on")
        return PressReply(message=await self._choice(press.user_id, press.locale))

    async def _choice(self, user_id: int, locale: str) -> RenderedMessage:
        spaces = await self.spaces.readable(Reader(user_id))
        if not spaces:
            return RenderedMessage(say(locale, "spaces-none"))
        rows = tuple((_button(space),) for space in spaces[:_MOST_SHOWN])
        more = len(spaces) - len(rows)
        remarks = [say(locale, "and-more", count=more)] if more else []
        return RenderedMessage("\n\n".join([say(locale, "spaces"), *remarks]), buttons=rows)


def _button(space: ReadableSpace) -> Button:
    """The other state is chosen, so that a press that is handled twice changes nothing."""
    mark, word = ("✓ ", "off") if space.is_chosen else ("", "on")
    label = f"{mark}{shorten(space.name, _NAME_CHARS)} ({space.sources})"
    return Button(label, f"{VERB}:{word}:{space.id}")
