"""/tools: the calls of tools that a user permitted for good, and how they are taken back."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.chat_commands.paged_list import ListPage, ListPlace, PagedList
from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.approving.cards import verbatim
from rich_agent.domain.approving.written_out import escape_invisible
from rich_agent.domain.permissions import KeptPermission
from rich_agent.domain.text import shorten, whole_number
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.ports.tools import Permissions, Tools
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
    tools: Tools

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(
            {"tools": self.answer},
            {
                PAGE_VERB: self._pages.turn,
                TAKE_BACK_VERB: self.take_back,
                TAKE_ALL_BACK_VERB: self.take_all_back,
            },
        )

    @property
    def _pages(self) -> PagedList[KeptPermission]:
        return PagedList(PAGE_VERB, _ON_A_PAGE, self._load, _render)

    async def answer(self, request: CommandRequest) -> Reply:
        """The first page, the newest permission first; a number behind the command ends that one.

        A star ends all: not every surface has buttons.
        """
        permissions = await self.permissions.all(request.user_id)
        number, is_all = whole_number(request.args.strip()) or 0, request.args.strip() == _ALL
        if is_all or 1 <= number <= len(permissions):
            one = None if is_all else permissions[number - 1].id
            await self.permissions.take_back(request.user_id, one)
            notice = unlinked(say(request.locale, "tools-taken-back"))
            page = await self._pages.show(ListPlace(request.user_id, request.clocks))
            return Reply(together(notice, page))
        return await self._pages.answer(request)

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
        page = await self._pages.show(ListPlace(press.user_id, press.clocks))
        return PressReply(say(press.locale, "tools-taken-back"), page)

    async def _load(self, place: ListPlace) -> tuple[Sequence[KeptPermission], int]:
        permissions = await self.permissions.all(place.user_id)
        page = permissions[place.offset : place.offset + _ON_A_PAGE]
        return await self.tools.with_current(page), len(permissions)


async def _render(page: ListPage[KeptPermission]) -> RenderedMessage:
    locale, clocks = page.place.locale, page.place.clocks
    if not page.total:
        return unlinked(say(locale, "tools-none"))
    sections = [unlinked(say(locale, "tools-about"))]
    sections += [
        section(f"{number}. {one.title}", *_lines(one, clocks))
        for number, one in page.numbers_and_items
    ]
    listing = together(*sections)
    buttons = (*_buttons(page.numbers_and_items), *page.turning, _all_button(locale))
    return RenderedMessage(listing.text, listing.entities, buttons)


def _lines(permission: KeptPermission, clocks: Clocks) -> Sequence[str]:
    """The arguments of a permission, one on each line, and its history.

    No argument can begin another line.
    """
    arguments = list(permission.arguments.items())[:_MOST_ARGUMENTS]
    open_to_all = say(clocks.locale, "tools-any")
    lines = [
        f"{escape_invisible(name)}: {_value(value) if permission.keeps(name) else open_to_all}"
        for name, value in arguments
    ]
    if left_out_count := len(permission.arguments) - len(arguments):
        lines.append(say(clocks.locale, "and-more", count=left_out_count))
    grant_text = say(clocks.locale, "tools-given-on", day=clocks.day_of(permission.given_at))
    usage_text = say(clocks.locale, "tools-used", count=permission.used)
    change_notice = [] if permission.is_current else [say(clocks.locale, "tools-changed")]
    return [*lines, f"{grant_text} · {usage_text}", *change_notice]


def _value(value: object) -> str:
    return escape_invisible(shorten(verbatim(value), _VALUE_CHARS))


def _buttons(permissions: Sequence[tuple[int, KeptPermission]]) -> Keyboard:
    return (tuple(Button(f"✕ {n}", f"{TAKE_BACK_VERB}:{one.id}") for n, one in permissions),)


def _all_button(locale: str) -> tuple[Button, ...]:
    return (Button(say(locale, "tools-take-all-back"), TAKE_ALL_BACK_VERB),)
