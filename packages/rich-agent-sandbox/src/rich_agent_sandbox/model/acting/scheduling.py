"""A day as blocks of time: proposed, written as a list, read back from it, and changed by words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from rich_agent_sandbox.model.acting.wishes import concepts, thing_in, title_in
from rich_agent_sandbox.model.language.lengths import minutes_in
from rich_agent_sandbox.model.language.text import content_terms, is_japanese
from rich_agent_sandbox.model.language.times import read_when
from rich_agent_sandbox.model.language.tongues import trimmed

_PAUSE, _LONGEST = timedelta(minutes=15), timedelta(minutes=90)
_FOCUS = timedelta(hours=6)
_USUAL_MINUTES = 60
_MOST_BLOCKS = 7  # as many as one message may lead to, with what is looked up before and kept after
_FIRST, _LAST_START = time(9), time(17)
_LINE = re.compile(r"(\d\d:\d\d)[–-](\d\d:\d\d) +(\S[^\n]*)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_PART = re.compile(r" \(\d/\d\)$")


@dataclass(frozen=True, slots=True)
class Block:
    """A title and its span."""

    title: str
    start: datetime
    end: datetime

    @property
    def length(self) -> timedelta:
        """The duration."""
        return self.end - self.start

    @property
    def of_task(self) -> str:
        """The title without the number of its part."""
        return _PART.sub("", self.title)

    def at(self, start: datetime) -> "Block":
        """The same at another time."""
        return Block(self.title, start, start + self.length)

    @property
    def line(self) -> str:
        """Its line in the list."""
        return f"- {self.start:%H:%M}–{self.end:%H:%M} {self.title}"


def day_to_plan(said: str, now: datetime) -> date:
    """The day that is named, else today; tomorrow when the working day is over."""
    named = read_when(said, now.date())[0].day
    return named or now.date() + timedelta(days=now.time() > _LAST_START)


def proposed(
    wanted: Sequence[tuple[str, int]], taken: Sequence[Block], day: date, now: datetime
) -> tuple[list[Block], list[str]]:
    """Blocks for titles and minutes, the longest first, and the titles that found no room."""
    quarter = now.replace(minute=0, second=0) + timedelta(minutes=(now.minute // 15 + 1) * 15)
    start = max(datetime.combine(day, _FIRST), quarter)
    end = datetime.combine(day, time(23, 45))
    placed: list[Block] = []
    left: list[str] = []
    for title, minutes in sorted(wanted, key=lambda one: -one[1]):
        length = timedelta(minutes=minutes)
        count = -(-length // _LONGEST)
        names = [f"{title} ({n}/{count})" for n in range(1, count + 1)] if count > 1 else [title]
        parts = [Block(name, start, start + length / count) for name in names]
        focus = sum((one.length for one in placed), length)
        if focus > _FOCUS or len(placed) + count > _MOST_BLOCKS:
            left.append(title)
            continue
        for part in parts:
            placed.append(_free(part, [*taken, *placed]))
    if placed and max(one.end for one in placed) > end:
        left += [one.title for one in placed if one.end > end]
        placed = [one for one in placed if one.end <= end]
    return sorted(placed, key=lambda one: one.start), left


def written_in(text: str) -> list[Block]:
    """The blocks of a list, on the day that is named before it; none without a day."""
    day = _DAY.search(text)
    if day is None:
        return []
    on = date.fromisoformat(day[0])
    return [
        Block(title.strip(), *(datetime.combine(on, time.fromisoformat(at)) for at in span))
        for *span, title in _LINE.findall(text)
        if all("00:00" <= at <= "23:59" for at in span)
    ]


def changed(blocks: Sequence[Block], said: str) -> list[Block]:
    """The blocks as somebody wants them; the same if no change is understood."""
    named = [one for one in blocks if _is_named(one, said)]
    others = [one for one in blocks if one not in named]
    if read_when(said, None)[0].at:
        return _moved(blocks, named, said)
    acts, (minutes, _) = concepts("acts", said), minutes_in(said)
    if len(named) == 2 and acts & {"swap", "update"}:
        return _around(_swapped(*named), others)
    if minutes:
        length = timedelta(minutes=minutes)
        return _around([replace(one, end=one.start + length) for one in named], others)
    return others if acts & {"delete", "cancel"} else list(blocks)


def _moved(blocks: Sequence[Block], named: Sequence[Block], said: str) -> list[Block]:
    """Move the blocks that are named to the time named; without a name all, else add a new one."""
    when, rest = read_when(said, None)
    at = datetime.combine(blocks[0].start.date(), when.at or _FIRST)
    minutes, rest = minutes_in(rest)
    length = timedelta(minutes=minutes or _USUAL_MINUTES)
    if len({one.of_task for one in named}) == 1:
        longer = [replace(one, end=one.start + length) if minutes else one for one in named]
        return _around(_in_a_row(longer, at), [one for one in blocks if one not in named])
    title = _title(rest)
    if not title:
        return [one.at(one.start - blocks[0].start + at) for one in blocks]
    return _around([Block(title, at, at + length)], blocks)


def _title(text: str) -> str:
    """Name what is new on a day: the thing that is named, or what the text is about."""
    thing = thing_in(text)
    title = thing if is_japanese(text) and thing else trimmed(title_in(text)) or thing
    return title[:1].upper() + title[1:]


def _in_a_row(parts: Sequence[Block], start: datetime) -> list[Block]:
    placed: list[Block] = []
    for one in parts:
        placed.append(one.at(placed[-1].end + _PAUSE if placed else start))
    return placed


def _swapped(first: Block, second: Block) -> list[Block]:
    earlier = second.at(first.start)
    return [earlier, first.at(max(second.start, earlier.end + _PAUSE))]


def _around(fixed: Sequence[Block], others: Sequence[Block]) -> list[Block]:
    """The fixed blocks, and the others where they are or in the next gap."""
    stay = [one for one in others if not any(_touch(one, other) for other in fixed)]
    placed = [*fixed, *stay]
    for one in others:
        if one not in stay:
            placed.append(_free(one, placed))
    return sorted(placed, key=lambda one: one.start)


def _free(block: Block, placed: Sequence[Block]) -> Block:
    """The block in the first gap from its start on, with a pause before and behind it."""
    for other in sorted(placed, key=lambda one: one.start):
        if _touch(block, other):
            block = block.at(other.end + _PAUSE)
    return block


def _touch(one: Block, other: Block) -> bool:
    return one.start < other.end + _PAUSE and other.start < one.end + _PAUSE


def _is_named(block: Block, said: str) -> bool:
    return bool(set(content_terms(block.of_task)) & set(content_terms(said)))
