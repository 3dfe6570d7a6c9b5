"""/tools: the calls of tools that a user permitted for good, and how they are taken back."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
    paging,
)
from rich_agent.domain.approving.cards import verbatim
from rich_agent.domain.approving.written_out import written_out
from rich_agent.domain.permissions import KeptPermission
from rich_agent.domain.text import shorten, whole_number
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.ports.tools import Permissions
from rich_agent.rendering.notices import section, together, unlinked
from rich_agent.times import Clocks

PAGE_VERB = "tools1"
TAKE_BACK_VERB = "endtool1"
TAKE_ALL_BACK_VERB = "endtools1"
_ALL = "*"
_ON_A_PAGE = 5
_MOST_ARGUMENTS, _VALUE_CHARS = 6, 200


@dataclass(frozen=True, slots=True)
class PermissionCommand:
    """Lists the calls that a user permitted for good, each with a button that takes it back."""

    permissions: Permissions

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(
            {"tools": self.answer},
            {
                PAGE_VERB: self.turn_page,
                TAKE_BACK_VERB: self.take_back,
                TAKE_ALL_BACK_VERB: self.take_all_back,
            },
        )

    async def answer(self, request: CommandRequest) -> Reply:
        """The first page, the newest permission first; a number behind the command ends that one.

        A star ends all: not every surface has buttons.
        """
        kept = await self.permissions.kept(request.user_id)
        number, ended = whole_number(request.args.strip()) or 0, request.args.strip() == _ALL
        if ended or 1 <= number <= len(kept):
            one = None if ended else kept[number - 1].id
            await self.permissions.take_back(request.user_id, one)
            done = unlinked(say(request.locale, "tools-taken-back"))
            return Reply(together(done, await self._page(request.user_id, request.clocks)))
        return Reply(await self._page(request.user_id, request.clocks))

    async def turn_page(self, press: PressRequest) -> PressReply:
        """Another page, in place of the one that is shown."""
        first = whole_number(press.argument) or 0
        return PressReply(message=await self._page(press.user_id, press.clocks, first))

    async def take_back(self, press: PressRequest) -> PressReply:
        """End a permission; the next such call asks again."""
        number = whole_number(press.argument)
        if number is None:
            return PressReply(say(press.locale, "button-outdated"))
        await self.permissions.take_back(press.user_id, number)
        return await self._taken_back(press)

    async def take_all_back(self, press: PressRequest) -> PressReply:
        """End all of them."""
        await self.permissions.take_back(press.user_id)
        return await self._taken_back(press)

    async def _taken_back(self, press: PressRequest) -> PressReply:
        shown = await self._page(press.user_id, press.clocks)
        return PressReply(say(press.locale, "tools-taken-back"), shown)

    async def _page(self, user_id: int, clocks: Clocks, first: int = 0) -> RenderedMessage:
        kept, locale = await self.permissions.kept(user_id), clocks.locale
        if not kept:
            return unlinked(say(locale, "tools-none"))
        numbered = list(enumerate(kept, 1))[first : first + _ON_A_PAGE]
        told = [unlinked(say(locale, "tools-about"))]
        told += [
            section(f"{number}. {one.title}", *_lines(one, clocks)) for number, one in numbered
        ]
        shown = together(*told)
        pages = paging(PAGE_VERB, first, _ON_A_PAGE, len(kept))
        buttons = (*_buttons(numbered), *pages, _all_button(locale))
        return RenderedMessage(shown.text, shown.entities, buttons)


def _lines(kept: KeptPermission, clocks: Clocks) -> Sequence[str]:
    """Its arguments, each on a line, and its history; nothing in them can begin another line."""
    shown = list(kept.arguments.items())[:_MOST_ARGUMENTS]
    open_to_all = say(clocks.locale, "tools-any")
    lines = [
        f"{written_out(name)}: {_value(value) if kept.keeps(name) else open_to_all}"
        for name, value in shown
    ]
    if left_out := len(kept.arguments) - len(shown):
        lines.append(say(clocks.locale, "and-more", count=left_out))
    facts = say(clocks.locale, "tools-given-on", day=clocks.day_of(kept.given_at))
    used = say(clocks.locale, "tools-used", count=kept.used)
    changed = [] if kept.is_current else [say(clocks.locale, "tools-changed")]
    return [*lines, f"{facts} · {used}", *changed]


def _value(value: object) -> str:
    return written_out(shorten(verbatim(value), _VALUE_CHARS))


def _buttons(numbered: Sequence[tuple[int, KeptPermission]]) -> Keyboard:
    return (tuple(Button(f"✕ {n}", f"{TAKE_BACK_VERB}:{one.id}") for n, one in numbered),)


def _all_button(locale: str) -> tuple[Button, ...]:
    return (Button(say(locale, "tools-take-all-back"), TAKE_ALL_BACK_VERB),)
