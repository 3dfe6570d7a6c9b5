"""The panel of what the bot remembers of a user."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from pydantic import Field

from rich_agent.feature import Arguments, Asker, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.memory import (
    MEMORY_KINDS,
    LongTermMemory,
    Memories,
    MemoryItem,
    MemoryKind,
    mark_of,
    memory_without,
)
from rich_agent.feature.panels import (
    MOST_ROWS,
    Panel,
    PanelButton,
    PanelContent,
    PanelField,
    PanelForm,
    PanelGroup,
    PanelRequest,
    PanelRow,
)

_LONGEST_ITEM = 300
_MARK = "^[0-9a-f]{16}$"
_CORRECTABLE: Sequence[MemoryKind] = ("facts", "preferences")
"""Kinds whose items are nothing but their words; a task is changed where tasks are."""


class OneItem(Arguments):
    """An item of the memory, by its mark."""

    mark: str = Field(pattern=_MARK)


class CorrectItem(OneItem):
    """An item of the memory, and its words instead."""

    text: str = Field(min_length=1, max_length=_LONGEST_ITEM)


@dataclass(frozen=True, slots=True)
class MemoryPanel:
    """Shows, corrects and forgets what the bot remembers."""

    memories: Callable[[], Awaitable[Memories]]

    def panel(self) -> Panel:
        """The panel."""
        return Panel(
            name="memory",
            heading="user_pages-memory",
            compose=self.compose,
            tools=[
                Tool("correct_memory", "", CorrectItem, self.correct, "change", self.take_back),
                Tool("forget_memory", "", OneItem, self.forget, "delete"),
            ],
            order=55,
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """A part of the items, by their kinds, newest first."""
        memory = await (await self.memories()).load(request.user_id)
        items = [(kind, item) for kind in MEMORY_KINDS for item in reversed(memory.items(kind))]
        begin = _place_after(items, request.query.get("after", ""))
        end = begin + MOST_ROWS
        return PanelContent(
            groups=_groups(items[begin:end], request),
            sentences=() if items else [say(request.locale, "memory-empty")],
            following=mark_of(*items[end - 1]) if len(items) > end else "",
        )

    async def correct(self, arguments: CorrectItem, asker: Asker) -> Outcome:
        """Give an item other words. Raises: ToolRefusedError."""
        before, after = await self._replace(asker.user_id, arguments.mark, arguments.text)
        undo = {"mark": after, "text": before}
        done = say(asker.locale, "user_pages-corrected", text=arguments.text)
        return Outcome({}, done=done, undo=undo)

    async def take_back(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Give an item the words that it had."""
        try:
            await self._replace(asker.user_id, undo["mark"], undo["text"])
        except ToolRefusedError:
            return ""
        return say(asker.locale, "user_pages-corrected", text=undo["text"])

    async def forget(self, arguments: OneItem, asker: Asker) -> Outcome:
        """Delete an item, as its button in the chat does. Raises: ToolRefusedError."""
        memories = await self.memories()
        if not any(_has(one, arguments.mark) for one in await memories.load(asker.user_id)):
            raise _no_item(arguments.mark)
        await memories.change(
            asker.user_id, lambda newest: memory_without(newest, arguments.mark), for_good=True
        )
        return Outcome({}, done=say(asker.locale, "memory-deleted"))

    async def _replace(self, user_id: int, mark: str, text: str) -> tuple[str, str]:
        """Give an item other words; returns those of before, and its new mark."""
        found: list[tuple[MemoryKind, MemoryItem]] = []
        now = datetime.now(UTC).isoformat(timespec="seconds")

        def change(memory: LongTermMemory) -> LongTermMemory:
            found[:] = [one for one in memory if _has(one, mark) and one[0] in _CORRECTABLE]
            if not found:
                return memory
            ((kind, item), *_) = found
            new = replace(item, text=text, updated_at=now)
            rest = memory_without(memory, mark)
            items = {one: rest.items(one) for one in MEMORY_KINDS}
            return rest.with_items({**items, kind: (*items[kind], new)})

        await (await self.memories()).change(user_id, change)
        if not found:
            raise _no_item(mark)
        ((kind, item), *_) = found
        return item.text, mark_of(kind, replace(item, text=text))


def _place_after(items: Sequence[tuple[MemoryKind, MemoryItem]], mark: str) -> int:
    """The place behind the item with a mark, the first one if there is none."""
    if not mark:
        return 0
    return next((place for place, entry in enumerate(items, 1) if _has(entry, mark)), 0)


def _has(entry: tuple[MemoryKind, MemoryItem], mark: str) -> bool:
    return mark_of(*entry) == mark


def _no_item(mark: str) -> ToolRefusedError:
    return ToolRefusedError(f"There is no item {mark}.")


def _groups(
    items: Sequence[tuple[MemoryKind, MemoryItem]], request: PanelRequest
) -> Sequence[PanelGroup]:
    kinds = dict.fromkeys(kind for kind, _ in items)
    return [
        PanelGroup(
            [_row(kind, item, request) for one, item in items if one == kind],
            say(request.locale, f"memory-{kind}"),
            kind,
        )
        for kind in kinds
    ]


def _row(kind: MemoryKind, item: MemoryItem, request: PanelRequest) -> PanelRow:
    locale, clocks, mark = request.locale, request.clocks, {"mark": mark_of(kind, item)}
    holds = () if item.holds == "now" else (say(locale, f"memory-{item.holds}"),)
    text = PanelField(
        "text",
        item.text,
        most=_LONGEST_ITEM,
        is_required=True,
        label=say(locale, "user_pages-memory-text"),
    )
    correct = PanelForm(say(locale, "user_pages-correct"), "correct_memory", [text], mark)
    return PanelRow(
        key=f"memory-{mark['mark']}",
        text=item.text,
        details=[*filter(None, (item.about, *holds)), clocks.written(item.updated_at)],
        buttons=[
            PanelButton(say(locale, "user_pages-forget"), "forget_memory", mark, is_final=True)
        ],
        forms=[correct] if kind in _CORRECTABLE else (),
    )
