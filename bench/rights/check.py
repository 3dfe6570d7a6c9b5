"""Compares what is shown with what may be read, and counts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from bench.rights.stored import KINDS
from bench.rights.ways import Ways
from rich_agent.domain.rights import Reader
from rich_agent.runtime.concurrency import run_all


@dataclass(slots=True)
class Tally:
    """Pairs of a person and a document that were judged, by way; leaks, and what was hidden."""

    judged: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    miscounted: list[str] = field(default_factory=list)
    readable: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing was shown too much, and nothing too little."""
        return not (self.leaks or self.hidden or self.miscounted)


async def check(
    ways: Ways,
    person: int | None,
    tally: Tally,
    *,
    kinds: Iterable[int] = range(KINDS),
    singly: Iterable[int] = (),
) -> None:
    """Ask for a person by every way; `singly` are documents that are asked for one by one."""
    reader, pages = Reader(person), ways.stored.team.pages
    may = {number for number, page in pages.items() if ways.stored.team.may_read(person, page)}
    tally.readable += len(may)
    for way, (asked, shown) in (await ways.all_of(reader, kinds)).items():
        name = "words" if way.startswith("words") else way
        tally.judged[name] += len(asked)
        tally.leaks += [f"{person} by {way}: {number}" for number in shown - may]
        tally.hidden += [f"{person} by {way}: {number}" for number in (asked & may) - shown]
    await check_singly(ways, person, tally, singly)


async def check_singly(
    ways: Ways, person: int | None, tally: Tally, numbers: Iterable[int]
) -> None:
    """Ask for a person, and these documents, by each way that shows one; and for the counts."""
    reader, team, asked = Reader(person), ways.stored.team, list(numbers)
    each = await run_all(ways.one_of(reader, number) for number in asked)
    for number, shown in zip(asked, each, strict=True):
        may = team.may_read(person, team.pages[number])
        for way, is_shown in shown.items():
            tally.judged[way] += 1
            if is_shown != may:
                (tally.leaks if is_shown else tally.hidden).append(f"{person} by {way}: {number}")
    if await ways.counts(reader) != ways.true_counts(person):
        tally.miscounted.append(str(person))
