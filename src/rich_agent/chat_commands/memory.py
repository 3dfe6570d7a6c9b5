"""/memory, /export and /forget: what is stored about a user is shown, exported and deleted."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from rich_agent.chat_commands.paged_list import ListPage, ListPlace, PagedList
from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.memory.items import NOW, LongTermMemory, MemoryItem, mark_of
from rich_agent.domain.memory.kinds import MEMORY_KINDS, MemoryKind
from rich_agent.domain.memory.merging import Traces, forget
from rich_agent.domain.message import AskedBefore, IncomingMessage
from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.accounts import Confirmations, PersonalData
from rich_agent.ports.bot_api import Button, FileToSend, Keyboard, RenderedMessage
from rich_agent.ports.memories import Memories
from rich_agent.rendering.notices import section, together
from rich_agent.times import Clocks

PAGE_VERB = "memory1"
DELETE_VERB = "unlearn1"
PER_PAGE = 10
_PER_ROW = 5
_TEXT_LENGTH = 200
_KindOfItem = tuple[MemoryKind, MemoryItem]


@dataclass(frozen=True, slots=True)
class Memory:
    """Shows users their own long-term memory, and deletes single items."""

    memories: Memories

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        pages = self._pages
        return Handlers({"memory": pages.answer}, {PAGE_VERB: pages.turn, DELETE_VERB: self.delete})

    @property
    def _pages(self) -> PagedList[_KindOfItem]:
        return PagedList(PAGE_VERB, PER_PAGE, self._load, _render)

    async def _load(self, place: ListPlace) -> tuple[Sequence[_KindOfItem], int]:
        memory = await self.memories.load(place.user_id)
        items = [(kind, item) for kind in MEMORY_KINDS for item in memory.items(kind)]
        return items[place.offset : place.offset + PER_PAGE], len(items)

    async def delete(self, press: PressRequest) -> PressReply:
        """Delete one item; it is not an error if the item is already gone."""
        mark, _, data = press.argument.partition(":")
        await self.memories.change(
            press.user_id, lambda newest: memory_without(newest, mark), for_good=True
        )
        page = await self._pages.show(ListPlace.on_button(press, data))
        return PressReply(say(press.locale, "memory-deleted"), page)


def memory_without(memory: LongTermMemory, mark: str) -> LongTermMemory:
    """The memory without the item, and its summary without the parts that say the same."""
    texts = [item.text for kind, item in memory if mark_of(kind, item) == mark]
    return forget(memory, [mark], Traces.of((), texts))


async def _render(page: ListPage[_KindOfItem]) -> RenderedMessage:
    locale, clocks = page.place.locale, page.place.clocks
    if not page.total:
        return RenderedMessage(say(locale, "memory-empty"))
    numbered_items = list(enumerate(page.items, start=1))
    sections = [
        section(
            say(locale, f"memory-{kind}"),
            *(
                f"{number}. {_line(item, clocks)}"
                for number, (item_kind, item) in numbered_items
                if item_kind == kind
            ),
        )
        for kind in dict.fromkeys(kind for kind, _ in page.items)
    ]
    summary = RenderedMessage(say(locale, "memory-known", count=page.total))
    buttons = (*_delete_buttons(page.items, page.place), *page.turning)
    return replace(together(summary, *sections), buttons=buttons)


def _line(item: MemoryItem, clocks: Clocks) -> str:
    """An item: its text, its person and time, the date when it was told, and its due date."""
    locale = clocks.locale
    holds = "" if item.holds == NOW else say(locale, f"memory-{item.holds}")
    facts = filter(None, (shorten(item.text, _TEXT_LENGTH), item.about, holds))
    text, moment = " · ".join(facts), clocks.written(item.updated_at)
    if item.due:
        return say(locale, "memory-item-due", text=text, told=moment, due=clocks.written(item.due))
    return say(locale, "memory-item", text=text, told=moment)


def _delete_buttons(items: Sequence[_KindOfItem], place: ListPlace) -> Keyboard:
    buttons = [
        Button(f"✕ {number}", f"{DELETE_VERB}:{mark_of(kind, item)}:{place.data}")
        for number, (kind, item) in enumerate(items, start=1)
    ]
    return tuple(
        tuple(buttons[start : start + _PER_ROW]) for start in range(0, len(buttons), _PER_ROW)
    )


CONFIRM_VERB = "forget1"
KEEP_VERB = "keep1"
_SUBJECT = "forget"
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MyData:
    """Exports and deletes the data of the user who asks, never of another user."""

    data: PersonalData
    confirmations: Confirmations

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(
            {"export": self.export, "forget": self.ask_to_forget},
            {CONFIRM_VERB: self.forget, KEEP_VERB: self.keep},
        )

    async def export(self, request: CommandRequest) -> Reply:
        """A JSON file, and one sentence about its content."""
        data = await self.data.export(request.user_id)
        content = json.dumps(data, ensure_ascii=False, indent=2).encode()
        name = f"rich-agent-{request.user_id}-{data['exported_at'][:10]}.json"
        text = say(
            request.locale,
            "exported",
            messages=len(data["messages"]),
            decisions=len(data["decisions"]),
            images=len(data["images"]),
        )
        return Reply(RenderedMessage(text), file=FileToSend(name, content))

    async def ask_to_forget(self, request: CommandRequest) -> Reply:
        """Show what would be deleted, and ask to confirm it; words behind the command are a wish.

        What they mean, and which entries tell of it, is found as for the same wish in a message.
        """
        if what := request.args.strip():
            wish = say(request.locale, "forget-wish", what=what)
            return Reply(again=AskedBefore(IncomingMessage(request.user, wish), ""))
        token = await self.confirmations.offer(request.user_id, _SUBJECT)
        return Reply.of(
            say(request.locale, "forget-confirm"),
            (Button(say(request.locale, "forget-yes"), f"{CONFIRM_VERB}:{token}"),),
            (Button(say(request.locale, "forget-no"), f"{KEEP_VERB}:{token}"),),
        )

    async def forget(self, press: PressRequest) -> PressReply:
        """Delete everything, if the same user was asked and confirms."""
        user_id = press.user_id
        if await self.confirmations.find(user_id, press.argument) != _SUBJECT:
            return PressReply(say(press.locale, "confirmation-over"))
        await press.hold()
        # Messages that announced an answer go: there will be none.
        announcements = await self.data.forget(user_id)
        _log.info("telegram.forgot_a_user")
        # Not through the outbox: nothing about the user may be stored now, not even this message.
        notice = RenderedMessage(say(press.locale, "forgotten"))
        return PressReply(message=notice, gone=tuple(announcements))

    async def keep(self, press: PressRequest) -> PressReply:
        """Close the question what to forget; nothing is forgotten."""
        await self.confirmations.close(press.user_id, press.argument)
        return PressReply(message=RenderedMessage(say(press.locale, "forget-kept")))
