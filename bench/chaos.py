"""Everything at once: `python -m bench.chaos [--seed N] [--updates N] [--quick]`.

With `--bursts N` only kills disturb: N times, spread over the updates, all workers are killed, one
is started and killed some tenths of a second to three seconds after it is ready, five times over.
With `--core-share 0.1` everything has a tenth of one core, once the documents are there; this needs
root, and more patience of those who wait (`TESTS_WAIT_S=900`).

Four workers answer 200 users. Meanwhile processes are killed or stopped, PostgreSQL restarts, the
model and Telegram refuse, break off, hang and doubt, updates come three times, one turn takes six
minutes while its user goes on writing, reminders are due and runs of other programs are begun. A
checker compares what everybody sees with what was sent. The seed is printed; the same seed makes
the same choices in the same order. A chat in which something went wrong is printed with all that
happened in it. Exits with 1 if a promise is broken.
"""

import asyncio
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Annotated

import psycopg
import typer

from bench.faults.audit import Audit, audit, is_passing
from bench.faults.finding import Finding, promised
from bench.faults.ground import QUESTION, Crew, Ground, crew, open_ground
from bench.faults.inputs import made_message, post_update
from bench.faults.slow_machine import limited_core
from rich_agent.domain.runs import RunAsked
from rich_agent.errors import RichAgentError
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.repositories.runs import PostgresTurnRuns
from rich_agent.repositories.stops import PostgresStops
from rich_agent.runs.service import RunService
from tests.acceptance.world import DEADLINE_S, Sent, wait_until

_WORDS = ("hi", "thanks!", QUESTION, "What is a validator?", "What is proof of history?")
_MODEL_FAULTS = ("429", "500", "truncated", "malformed", "empty", "slow")
_TELEGRAM_FAULTS = ("429", "500", "502", "502_done", "reset", "timeout")
_HUNG_S = 70.0
"""Longer than a client waits for Telegram's answer."""
_DRAIN_S = 5 * DEADLINE_S
_REPEATED = 10
"""Of every so many users, one's updates come three times at once."""
_PLAN = """
INSERT INTO schedules (user_id, text, kind, local_start, tz, local_next, next_at)
SELECT %(user)s, 'Reminder ' || %(user)s || '.', 'reminder', at AT TIME ZONE 'UTC', 'UTC',
    at AT TIME ZONE 'UTC', at
FROM (SELECT clock_timestamp() + make_interval(secs => %(in_s)s) AS at) AS planned
"""
_FIRED = "SELECT count(*) AS number FROM schedule_firings WHERE state = 'sent'"
_ENDED = """
SELECT update_id, count(*) FILTER (WHERE event ->> 'kind' = 'ended') AS ends
FROM run_events WHERE update_id = ANY(%s) GROUP BY update_id
"""
_PARTS = """
SELECT update_id, part, state, message_id, after_id, is_doubtful, left(text, 20) AS text,
    created_at::time(2)::text, updated_at::time(2)::text
FROM telegram_outbox WHERE chat_id = %s ORDER BY created_at
"""
_SET_ASIDE = """
SELECT count(*) AS number FROM telegram_inbox
WHERE dead_at IS NOT NULL AND strpos(last_error, 'given up: no attempt finished') > 0
"""
_BURST = 5
_REASONLESS = """
SELECT count(*) AS number FROM telegram_inbox WHERE dead_at IS NOT NULL
AND coalesce(last_error, '') = ''
"""


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a trial; `long_turn_s` is what the one slow turn takes."""

    updates: int = 1_000
    users: int = 200
    workers: int = 4
    reminders: int = 40
    runs: int = 40
    bursts: int = 0
    long_turn_s: float = 360.0

    def of(self, updates: int) -> "Scale":
        """The same proportions with another number of updates."""
        part = updates / self.updates
        users, reminders, runs = (
            max(1, round(part * number)) for number in (self.users, self.reminders, self.runs)
        )
        return replace(self, updates=updates, users=users, reminders=reminders, runs=runs)


QUICK = Scale(updates=40, users=10, workers=2, reminders=4, runs=4, long_turn_s=15.0)


@dataclass(slots=True)
class Chaos:
    """One trial: choices by a seed, and what came of them."""

    ground: Ground
    bots: Crew
    chance: random.Random
    scale: Scale
    sent: dict[int, list[Sent]] = field(default_factory=dict)
    runs: list[int] = field(default_factory=list)
    reminded: list[int] = field(default_factory=list)
    begun: list[threading.Thread] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)

    def play(self) -> None:
        """All updates, and a disturbance with every second of them."""
        users = self.ground.new_users(self.scale.users)
        self.sent = {user: [] for user in users}
        self._remind()
        if not self.scale.bursts:
            self._write_on(next(user for user in users if user % _REPEATED))
        disturbances = self._disturbances()
        for number in range(self.scale.updates):
            if self.scale.bursts and number % (self.scale.updates // self.scale.bursts) == 10:
                self._burst()
            self._say(self.chance.choice(users))
            if number % max(1, self.scale.updates // self.scale.runs) == 0:
                self._begin_run(number)
            if number % 2 and not self.scale.bursts:
                name = self.chance.choice(list(disturbances))
                self.done[name] += 1
                disturbances[name]()
            time.sleep(self.chance.uniform(0.0, 0.1))

    def settle(self, finding: Finding) -> None:
        """Everything is answered, at the latest on replay."""
        every = [one for messages in self.sent.values() for one in messages]
        for thread in self.begun:
            thread.join()
        with promised(finding):
            self.ground.wait_done(every, _DRAIN_S)
            nameless = self.ground.world.rows(_REASONLESS)[0]["number"]
            finding.expect(not nameless, f"{nameless} dead letters without a reason")
            aside = self.ground.world.rows(_SET_ASIDE)[0]["number"]
            replies = (one for user in self.sent for one in self.ground.sandbox.replies(user))
            sorry = sum(one["text"].startswith("Sorry") for one in replies)
            finding.measured.append(f"{aside} set aside, {sorry} apologies")
            finding.expect(not aside, f"{aside} innocent set aside")
            if dead := self.ground.replay():
                finding.measured.append(f"{dead} dead letters with a reason, done on replay")
                self.ground.wait_done(every, _DRAIN_S)
        with promised(finding):
            wait_until(self._are_reminded, "all reminders came")
            wait_until(self._have_ended, "all runs ended")
            wait_until(self._is_tidy, "what dead processes left is taken back")

    def _say(self, user: int) -> None:
        text = self.chance.choice(_WORDS)
        if user % _REPEATED == 0:
            self.sent[user].append(self._said_three_times(user, text))
        else:
            self.sent[user].append(self.ground.sandbox.say(user, text))

    def _said_three_times(self, user: int, text: str) -> Sent:
        """An update that Telegram brings three times at once, until it is taken."""
        if not self.sent[user]:  # the stand-in has to know the chat
            self.sent[user].append(self.ground.sandbox.say(user, "hi"))
            self.ground.wait_done(self.sent[user])
        update = made_message(user, text)
        with ThreadPoolExecutor(3) as posts:
            while not any(posts.map(self._is_taken, [update] * 3)):
                time.sleep(0.5)
        return Sent(0, update["update_id"])

    def _is_taken(self, update: dict[str, object]) -> bool:
        return post_update(self.ground, update).is_success

    def _write_on(self, user: int) -> None:
        """One turn takes minutes, and its user goes on writing."""
        sandbox, text = self.ground.sandbox, f"{QUESTION} Take your time."
        sandbox.fail(
            "openai", "slow", containing="Take your time", delay_s=self.scale.long_turn_s, times=2
        )
        self.sent[user] += [sandbox.say(user, text), sandbox.say(user, "hi")]

    def _remind(self) -> None:
        self.reminded = self.ground.new_users(self.scale.reminders)
        for user in self.reminded:
            self.sent[user] = [self.ground.sandbox.say(user, "hi")]
        self.ground.wait_done([self.sent.pop(user)[0] for user in self.reminded])
        span_s = 0.1 * self.scale.updates
        with psycopg.connect(self.ground.postgres.url, autocommit=True) as connection:
            for user in self.reminded:
                in_s = 2 + self.chance.uniform(0, span_s)
                connection.execute(_PLAN, {"user": user, "in_s": in_s})

    def _begin_run(self, number: int) -> None:
        """A run of another program, which keeps asking while the database is away."""
        (user,) = self.ground.new_users(1)

        async def begin() -> None:
            async with (
                open_pool(self.ground.postgres.url, max_size=2) as pool,
                PostgresInbox(pool) as inbox,
            ):
                service = RunService(
                    PostgresTurnRuns(pool, inbox), PostgresStops(pool, inbox.hearing)
                )
                asked = RunAsked("What is a validator?")
                run = await service.begin(user, f"r{number}", "thread", asked)
                self.runs.append(run.update_id)

        def keep_asking() -> None:
            while True:
                try:
                    asyncio.run(begin())
                except RichAgentError:
                    time.sleep(0.5)
                else:
                    return

        self.begun.append(threading.Thread(target=keep_asking))
        self.begun[-1].start()

    def _are_reminded(self) -> bool:
        return bool(self.ground.world.rows(_FIRED)[0]["number"] >= self.scale.reminders)

    def _have_ended(self) -> bool:
        rows = self.ground.world.rows(_ENDED, self.runs)
        return len(rows) == len(self.runs) and all(row["ends"] == 1 for row in rows)

    def _is_tidy(self) -> bool:
        replies = (one for user in self.sent for one in self.ground.sandbox.replies(user))
        return not any(is_passing(reply["text"]) for reply in replies)

    def _disturbances(self) -> dict[str, Callable[[], None]]:
        model, telegram = self.chance.choice, self.chance.choice
        return {
            "model": lambda: self._fail("openai", model(_MODEL_FAULTS), "chat.completions"),
            "telegram": lambda: self._fail("telegram", telegram(_TELEGRAM_FAULTS), "sendMessage"),
            "edits": lambda: self._fail("telegram", telegram(_TELEGRAM_FAULTS), "editMessageText"),
            "kill": self._kill,
            "stop": self._stop,
            "restart": self._restart,
            "nothing": lambda: None,
        }

    def _fail(self, upstream: str, kind: str, method: str) -> None:
        hung_s = _HUNG_S if kind == "timeout" else 1.0
        more = {"retry_after": 1} if kind == "429" else {"delay_s": hung_s}
        self.ground.sandbox.fail(upstream, kind, method=method, **more)

    def _kill(self) -> None:
        """Kill -9 a worker, at most every tenth of the time."""
        if self.done["kill"] * 10 > sum(self.done.values()) + 10:
            return
        if len(self.bots.members) > self.scale.workers // 2 + 1:
            self.bots.kill(self.chance.choice(self.bots.members[1:]))
            self.bots.begin("worker")

    def _burst(self) -> None:
        """Kill all workers, and the one that is started then, again and again."""
        for _ in range(_BURST):
            for member in self.bots.members[1:]:
                self.bots.kill(member)
                self.done["burst kill"] += 1
            self.bots.start("worker")
            time.sleep(self.chance.uniform(0.3, 3.0))
        for _ in range(self.scale.workers - 1):
            self.bots.begin("worker")

    def _stop(self) -> None:
        """Stop a worker for as long as its lease lasts, and let it go on."""
        if len(self.bots.members) <= self.scale.workers // 2 + 1:
            return
        sleeper = self.chance.choice(self.bots.members[1:])
        sleeper.send_signal(signal.SIGSTOP)

        def go_on() -> None:
            time.sleep(12)
            if sleeper in self.bots.members:
                sleeper.send_signal(signal.SIGCONT)

        self.begun.append(threading.Thread(target=go_on))
        self.begun[-1].start()

    def _restart(self) -> None:
        """Restart PostgreSQL, a few times in all."""
        if self.done["restart"] <= max(1, self.scale.updates // 200):
            self.ground.postgres.restart()


def judge(chaos: Chaos, finding: Finding) -> Audit:
    """Compare what everybody sees with what was sent."""
    found = audit(chaos.ground, chaos.sent)
    finding.broken += found.broken()
    finding.measured.append(str(found))
    for user, messages in chaos.sent.items():
        one = audit(chaos.ground, {user: messages})
        if one.broken() or one.repeated:
            finding.measured.append(trail(chaos.ground, user))
    for user in chaos.reminded:
        texts = [reply["text"] for reply in chaos.ground.sandbox.replies(user)]
        told = [text for text in texts if f"Reminder {user}." in text]
        again = sum("(Sent again" in text for text in told)
        if len(told) - again != 1:
            finding.broken.append(f"reminder of {user} came {len(told)} times")
            finding.measured.append(trail(chaos.ground, user))
    finding.measured.append(
        f"{len(chaos.reminded)} reminders and {len(chaos.runs)} runs; disturbed by "
        + ", ".join(f"{name} {times}" for name, times in sorted(chaos.done.items()))
    )
    return found


def trail(ground: Ground, user: int) -> str:
    """Everything that was sent, changed and deleted in a chat, and what the bot knows of it."""
    calls = (
        f"{call['started_at']:.2f} +{call['ended_at'] - call['started_at']:.2f} "
        f"{call['method']} {call['status']} {call['body'].get('message_id', '')} "
        f"{str(call['body'].get('text', ''))[:40]!r}"
        for call in ground.sandbox.calls("telegram")
        if str(call["body"].get("chat_id")) == str(user) and call["method"] != "sendChatAction"
    )
    shown = (
        f"{reply['message_id']} sent {reply['sent_at']} edited {reply['edited_at']} "
        f"{reply['text'][:60]!r}"
        for reply in ground.sandbox.replies(user)
    )
    known = (str(dict(row)) for row in ground.world.rows(_PARTS, user))
    return "\n    ".join([f"chat {user}", *calls, *shown, *known])


def trial(ground: Ground, seed: int, scale: Scale) -> Finding:
    """One seed, from the first update to the last answer."""
    finding = Finding()
    ground.forget()
    with crew(ground, "serve", *["worker"] * scale.workers) as bots:
        chaos = Chaos(ground, bots, random.Random(seed), scale)  # noqa: S311 - repeatable
        chaos.play()
        chaos.settle(finding)
        finding.expect(bots.all_live(), "a process ended by itself")
    found = judge(chaos, finding)
    finding.aim("orphans", float(found.dangling), 0.0, "")
    finding.aim("sent again with a word", float(found.repeated), 0.0, "")
    return finding


def main(
    seed: Annotated[list[int] | None, typer.Option(help="Seeds; five by default.")] = None,
    updates: Annotated[int | None, typer.Option(help="Messages of a trial.")] = None,
    bursts: Annotated[int, typer.Option(help="Bursts of kills, and no other disturbance.")] = 0,
    core_share: Annotated[float, typer.Option(help="Share of one core; 0: all cores.")] = 0.0,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="A small trial, as the tests do.")] = False,
) -> None:
    """Disturb, and check."""
    usual = QUICK if quick else Scale()
    scale = usual.of(updates) if updates else usual
    scale = replace(scale, workers=2 if bursts else usual.workers, bursts=bursts)
    seeds: Sequence[int] = seed or ([1] if quick else range(1, 6))
    has_failed = False
    with ExitStack() as opened:
        limit = opened.enter_context(limited_core()) if core_share else None
        ground = opened.enter_context(open_ground())
        if limit:
            limit(core_share)
            opened.callback(limit, 1.0)
        for number in seeds:
            began = time.monotonic()
            finding = trial(ground, number, scale)
            has_failed |= bool(finding.broken)
            print(f"seed {number} ({time.monotonic() - began:.0f} s): {finding.verdict}")
            print("  " + "\n  ".join(finding.measured), flush=True)
    sys.exit(has_failed)


if __name__ == "__main__":
    typer.run(main)
