"""Leaks of documents with rights: `python -m bench.rights [--quick] [--pages N] [--singly N] …`.

A team's services are made at random: nested folders and groups, sources in a space and in none.
They change at random; after some changes, people ask by every way to documents, and each answer is
compared with rights that are worked out by hand (see `team`). Counted are pairs of a person and a
document. At the end, everybody asks for `--singly` documents one by one, and people for everything
until there are `--pairs`.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from dataclasses import dataclass

from bench.database import running_database
from bench.rights.check import Tally, check, check_singly
from bench.rights.serving import served
from bench.rights.stored import KINDS, Changes, Stored
from bench.rights.team import Team
from bench.rights.ways import Ways
from rich_agent.repositories.database.pools import open_pool

_CONNECTIONS = 8
_PEOPLE_EACH_TIME = 2
_CHANGES_EACH_TIME = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """The number of changes, of pairs at the end, and of documents one by one for each person."""

    changes: int
    pairs: int
    singly: int


async def run(url: str, team: Team, wanted: Wanted) -> bool:
    """Change and ask; whether nothing was shown too much or too little."""
    tally, made, random = Tally(), Counter[str](), team.random

    def some() -> list[int]:
        return random.sample(sorted(team.pages), min(wanted.singly, len(team.pages)))

    async with open_pool(url, _CONNECTIONS) as pool, served(pool) as routes:
        stored = Stored(team, pool)
        began = time.perf_counter()
        await stored.fill()
        print(
            f"{len(team.pages):,} documents in {len(team.folders)} folders, {team.people} people "
            f"in {len(team.members)} groups, stored in {time.perf_counter() - began:.0f} s",
            flush=True,
        )
        ways, change = Ways(stored, routes), Changes(stored)
        for number in range(wanted.changes):
            made[await change.make()] += 1
            if number % _CHANGES_EACH_TIME == 0:
                for _ in range(_PEOPLE_EACH_TIME):
                    person = random.choice([None, *range(1, team.people + 1)])
                    kinds = random.sample(range(KINDS), 2)
                    await check(ways, person, tally, kinds=kinds, singly=some())
        people = [*range(1, team.people + 1), None]
        random.shuffle(people)
        asked = 0
        for person in people:
            if tally.judged.total() < wanted.pairs:
                await check(ways, person, tally, singly=some())
                asked += 1
            else:
                await check_singly(ways, person, tally, some())
    print(f"{sum(made.values()):,} changes: {', '.join(f'{k} {n}' for k, n in made.most_common())}")
    print(f"{len(people)} people asked at the end, {asked} of them for everything")
    for way, count in tally.judged.most_common():
        print(f"  {way:12}{count:12,} pairs of a person and a document")
    total = tally.judged.total()
    print(
        f"  {'together':12}{total:12,}; {len(tally.leaks)} leaks, {len(tally.hidden)} hidden, "
        f"{len(tally.miscounted)} lists with wrong counts; {time.perf_counter() - began:.0f} s"
    )
    for problem in [*tally.leaks, *tally.hidden, *tally.miscounted][:20]:
        print(f"  {problem}")
    return tally.is_clean


def main() -> None:
    """Run with a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--changes", type=int, default=1_000)
    parser.add_argument("--pairs", type=int, default=1_500_000)
    parser.add_argument("--singly", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.quick:
        given.pages, given.people, given.changes = 200, 20, 50
    team = Team.make(given.seed, given.people, given.pages)
    wanted = Wanted(given.changes, given.pairs, given.singly)
    with running_database() as database:
        is_clean = asyncio.run(run(database.url, team, wanted))
    sys.exit(0 if is_clean else 1)


if __name__ == "__main__":
    main()
