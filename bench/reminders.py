"""Reminders under kills: `python -m bench.reminders [REMINDERS] [KILLS]`, 10,000 and 20 by default.

They are due within a minute. Four workers send them; now and then one is killed and replaced, and
with the kills in the middle the database restarts. Told is whether each reminder came exactly once,
and how far behind they came what Telegram takes: 30 messages a second.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import psutil
import psycopg

from bench.faults.ground import Crew, Ground, crew
from bench.faults.postgres import running_postgres
from rich_agent.phrases import say
from rich_agent.ports.outbox import TOTAL_PER_S
from rich_agent.repositories.database.migration import migrate
from tests.acceptance.world import World, environment, running_sandbox, wait_until

_SEED = 7
_WORKERS = 4
_EACH = 5
"""Reminders of one user: Telegram takes one message a second in a chat."""
_WITHIN_S = 60.0
_LEAD_S = 5.0
_AIM_S = 2.0
_PLAN = """
INSERT INTO schedules (user_id, text, kind, local_start, tz, local_next, next_at)
SELECT 1000000 + number / %(each)s, 'Reminder ' || number || '.', 'reminder',
    at AT TIME ZONE 'UTC', 'UTC', at AT TIME ZONE 'UTC', at
FROM generate_series(0, %(count)s - 1) AS number,
    LATERAL (SELECT clock_timestamp() + make_interval(
        secs => %(lead_s)s + number %% %(each)s * %(within_s)s / %(each)s
            + random() * %(within_s)s / %(each)s) AS at) AS planned
"""
_LEFT = "SELECT count(*) AS number FROM schedule_firings WHERE state <> 'queued'"
_TIMES = """
SELECT extract(epoch FROM due_at)::float8 AS due, extract(epoch FROM sent_at)::float8 AS sent
FROM schedule_firings WHERE state = 'sent'
"""
_STATES = "SELECT state, count(*) AS number FROM schedule_firings GROUP BY state ORDER BY state"


@dataclass(frozen=True, slots=True)
class Came:
    """The number of reminders that came once, and otherwise."""

    once: int
    again_with_a_word: int
    twice: int
    never: int


def main() -> None:
    """Print what came, and when."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with running_postgres(None) as postgres, running_sandbox() as sandbox:
        migrate(postgres.url, postgres.url)
        settings = environment(sandbox.url, postgres.url, LOG_LEVEL="error")
        ground = Ground(World(sandbox, settings, postgres.url), postgres)
        users = range(1_000_000, 1_000_000 + -(-count // _EACH))
        with ThreadPoolExecutor(8) as writers:
            list(writers.map(lambda user: sandbox.say(user, "/start"), users))
        with crew(ground, *["worker"] * _WORKERS) as bots:
            _plan(ground, count)
            _disturb(ground, bots, count, kills)
            _wait(ground, count)
            restarts = ", one restart" if kills else ""
            print(f"{count} reminders, {_WORKERS} workers, {kills} kills{restarts}")
        _report(ground, users, count)


def _plan(ground: Ground, count: int) -> None:
    values = {"count": count, "each": _EACH, "lead_s": _LEAD_S, "within_s": _WITHIN_S}
    with psycopg.connect(ground.postgres.url, autocommit=True) as connection:
        connection.execute(_PLAN, values)


def _disturb(ground: Ground, bots: Crew, count: int, kills: int) -> None:
    """Kill a worker at random times while reminders come; restart the database in the middle."""
    chance = random.Random(_SEED)  # noqa: S311 - repeatable, not secret
    lasts_s = max(_WITHIN_S, count / TOTAL_PER_S)
    began = time.monotonic()
    moments = sorted(chance.uniform(_LEAD_S, lasts_s) for _ in range(kills))
    for number, moment in enumerate(moments):
        time.sleep(max(0.0, began + moment - time.monotonic()))
        if number == kills // 2:
            ground.postgres.restart()
        wait_until(lambda: len(bots.members) >= _WORKERS - 1 or None, "workers are back", 120)
        bots.kill(chance.choice(bots.members))
        bots.begin("worker")


def _wait(ground: Ground, count: int) -> None:
    """Return when each was sent or given up; at the latest when twice the time has passed."""

    def is_over() -> bool:
        return bool(ground.world.rows(_LEFT)[0]["number"] >= count)

    wait_until(is_over, f"{count} reminders came", 2 * count / TOTAL_PER_S + 180)


def _report(ground: Ground, users: Sequence[int], count: int) -> None:
    came = _came(ground, users, count)
    print(
        f"once {came.once}, again with a word {came.again_with_a_word}, "
        f"twice without {came.twice}, never {came.never}"
    )
    print(", ".join(f"{row['state']} {row['number']}" for row in ground.world.rows(_STATES)))
    rows = ground.world.rows(_TIMES)
    behind = behind_s([row["due"] for row in rows], [row["sent"] for row in rows])
    parts = ", ".join(
        f"p{part} {behind[min(len(behind) - 1, len(behind) * part // 100)]:.1f} s"
        for part in (50, 95, 99)
    )
    within = sum(one <= _AIM_S for one in behind) / len(behind)
    print(f"behind {TOTAL_PER_S:g} messages a second: {parts}; {within:.1%} within {_AIM_S:g} s")
    load = ", ".join(f"{one:.1f}" for one in psutil.getloadavg())
    print(f"load of the machine {load} on {psutil.cpu_count()} cores")


def _came(ground: Ground, users: Sequence[int], count: int) -> Came:
    """Count the reminders in the chats. Text for text: each has one of its own."""
    word = say("en", "sent-again")
    seen, marked = Counter[str](), Counter[str]()
    with ThreadPoolExecutor(8) as readers:
        for replies in readers.map(ground.sandbox.replies, users):
            for reply in replies:
                text = reply["text"]
                number = text.partition("Reminder ")[2].partition(".")[0]
                (marked if word in text else seen)[number] += 1
    numbers = [str(number) for number in range(count)]
    return Came(
        sum(seen[one] == 1 and not marked[one] for one in numbers),
        sum(marked[one] > 0 for one in numbers),
        sum(seen[one] > 1 for one in numbers),
        sum(not seen[one] and not marked[one] for one in numbers),
    )


def behind_s(due: Sequence[float], sent: Sequence[float]) -> list[float]:
    """Return the seconds of each behind the earliest time that Telegram allows, ordered."""
    behind, free_at = [], 0.0
    for due_at, sent_at in zip(sorted(due), sorted(sent), strict=True):
        free_at = max(due_at, free_at + 1 / TOTAL_PER_S)
        behind.append(max(0.0, sent_at - free_at))
    return sorted(behind)


if __name__ == "__main__":
    main()
