"""Processes die, stop and disagree about the time."""

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.faults.audit import audit
from bench.faults.finding import Finding, Size, promised
from bench.faults.ground import QUESTION, Crew, Ground, crew
from tests.acceptance.world import Sent, wait_until

_SEED = 7
_ALWAYS = 1_000_000
_LANES_PAST_LEASE = """
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - ready_at))::float8, 0) AS overdue_s
FROM telegram_lanes AS lane
WHERE ready_at < clock_timestamp() AND EXISTS (
    SELECT FROM telegram_inbox AS begun
    WHERE begun.user_id = lane.user_id AND begun.urgent = lane.urgent
        AND done_at IS NULL AND dead_at IS NULL AND attempts > 0
)
"""
# What a dead process holds, from the end of its connection until another frees it.
_ORPHANED = """
SELECT fence FROM telegram_lanes AS lane WHERE holder IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND objid = lane.holder::oid
)
"""
_WAITS = """
SELECT percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (
    ORDER BY extract(epoch FROM done_at - received_at)::float8
) AS waited_s FROM telegram_inbox WHERE update_id = ANY(%s)
"""
_DOUBTS = ("502_done", "reset", "502")
_PLANNING = "chat.completions PlannedTurn"
_STEP = "SELECT max((metadata->>'step')::int) AS step FROM checkpoints WHERE thread_id = %s"


@dataclass(slots=True)
class _Leases:
    """The longest waits of dead workers' lanes: once free, and while held by the dead."""

    ground: Ground
    longest_s: float = 0.0
    orphaned_s: float = 0.0
    is_over: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        since: dict[int, float] = {}
        while not self.is_over.wait(0.1):
            self.longest_s = max(
                self.longest_s, self.ground.world.rows(_LANES_PAST_LEASE)[0]["overdue_s"]
            )
            now, rows = time.monotonic(), self.ground.world.rows(_ORPHANED)
            since = {row["fence"]: since.get(row["fence"], now) for row in rows}
            self.orphaned_s = max([self.orphaned_s, *(now - began for began in since.values())])


@contextmanager
def _watched_leases(ground: Ground) -> Iterator[_Leases]:
    leases = _Leases(ground)
    watching = threading.Thread(target=leases.watch)
    watching.start()
    try:
        yield leases
    finally:
        leases.is_over.set()
        watching.join()


def random_kills(ground: Ground, size: Size) -> Finding:
    """Ten updates and a send in doubt for each kill, the model slow enough for turns to be cut."""
    finding, chance = Finding(), random.Random(_SEED)  # noqa: S311 - repeatable, not secret
    users = ground.new_users(10 * max(1, size.count // 10))
    sent: dict[int, list[Sent]] = {user: [] for user in users}
    ground.sandbox.fail("openai", "slow", method="chat.completions", delay_s=0.6, times=_ALWAYS)
    roles = ["serve", *["worker"] * min(4, size.count)]
    with crew(ground, *roles) as bots, _watched_leases(ground) as leases:
        for _ in range(size.count):
            ground.sandbox.fail("telegram", chance.choice(_DOUBTS), method="sendMessage")
            for user in chance.sample(users, 10):
                text = QUESTION if chance.random() < 0.3 else "hi"
                sent[user].append(ground.sandbox.say(user, text))
            _wait_for_workers(bots, at_least=min(3, size.count))
            time.sleep(chance.uniform(0.0, 0.5))
            bots.kill(chance.choice(bots.members[1:]))
            bots.begin("worker")
        with promised(finding):
            every = [one for messages in sent.values() for one in messages]
            ground.wait_done(every, 180)
            given_up = ground.replay()
            finding.expect(not given_up, f"{given_up} given up")
        finding.expect(bots.all_live(), "a process ended by itself")
    found = audit(ground, sent)
    finding.measured.append(f"{size.count} kills, {found}")
    finding.broken += found.broken()
    all_sent = [one.update_id for messages in sent.values() for one in messages]
    median_s, late_s = ground.world.rows(_WAITS, all_sent)[0]["waited_s"]
    finding.measured.append(f"answers took {median_s:.1f} s (p50), {late_s:.1f} s (p95)")
    finding.aim("lanes of the dead freed after", leases.orphaned_s, 3.0)
    finding.aim("free lanes taken after", leases.longest_s, 2.0)
    finding.aim("sent again with a word", float(found.repeated), 0.0, "")
    return finding


def _wait_for_workers(bots: Crew, at_least: int) -> None:
    """The first member receives, all others work."""
    wait_until(lambda: len(bots.members) > at_least or None, "workers have started again", 60)


def kills_in_nodes(ground: Ground, size: Size) -> Finding:
    """Ten turns in different nodes at each kill; no node but the one that was cut runs again."""
    finding, phases = Finding(), Counter[str]()
    again = visible = 0
    sent: dict[int, list[Sent]] = {}
    _hold_every_call(ground)
    with crew(ground, "serve", "worker") as bots:
        for _ in range(size.count):
            users = ground.new_users(10)
            for user in users:
                sent[user] = [ground.sandbox.say(user, f"{QUESTION} I am number {user}.")]
                time.sleep(0.15)
            bots.kill(bots.members[1])
            phases.update(_phase(ground, user) for user in users)
            bots.start("worker")
            with promised(finding):
                ground.wait_done([sent[user][0] for user in users], 90)
            again = max(again, *(_calls_made_again(ground, user) for user in users))
            visible = max(visible, *(len(ground.sandbox.replies(user)) for user in users))
    found = audit(ground, sent)
    cut = ", ".join(f"{phase} {number}" for phase, number in sorted(phases.items()))
    finding.measured += [str(found), f"cut {cut}", f"at most {again} node ran again"]
    finding.broken += found.broken()
    finding.expect(again <= 1, f"{again} nodes ran again")
    return finding


def _hold_every_call(ground: Ground) -> None:
    for method in ("chat.completions", "embeddings"):
        ground.sandbox.fail("openai", "slow", method=method, delay_s=0.4, times=_ALWAYS)


def _phase(ground: Ground, user: int) -> str:
    """Return the progress of a user's turn: the last step that is stored, -1 before any."""
    step = ground.world.rows(_STEP, f"tg:{user}")[0]["step"]
    return "before the turn" if step is None else f"after step {step}"


def _calls_made_again(ground: Ground, user: int) -> int:
    """Count the nodes of a turn that made a call to the models more than once."""
    calls: Counter[str] = Counter()
    for call in ground.sandbox.calls("openai"):
        said = str(call["body"])
        if f"I am number {user}" in said:
            tool = "PlannedTurn" if "PlannedTurn" in said else "LearnedAboutUser"
            role = tool if call["body"].get("response_format") else "answer"
            calls[str(call["body"].get("input", f"{call['method']} {role}"))] += 1
    # The whole question is embedded while the turn is planned, its parts when they are looked up.
    asked = str([f"{QUESTION} I am number {user}."])
    return len({_PLANNING if call == asked else call for call, n in calls.items() if n > 1})


def stopped_past_the_lease(ground: Ground, size: Size) -> Finding:
    """A worker is stopped in the middle of an answer and goes on when another has finished it."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    late = 0
    with crew(ground, "serve", "worker") as bots:
        for _ in range(size.count):
            (user,) = ground.new_users(1)
            sleeper = bots.members[1]
            ground.sandbox.fail("openai", "slow", method="chat.completions", delay_s=4.0, times=2)
            sent[user] = [ground.sandbox.say(user, QUESTION)]
            with promised(finding):
                wait_until(lambda user=user: _grows(ground, user) or None, "the answer grows")  # type: ignore[misc]  # mypy and default arguments
            sleeper.send_signal(signal.SIGSTOP)
            bots.start("worker")
            with promised(finding):
                ground.wait_done(sent[user], 60)
            before = ground.sandbox.mark()
            sleeper.send_signal(signal.SIGCONT)
            late += _written_within(ground, user, before, size.wait_s)
            bots.members.remove(sleeper)
            sleeper.send_signal(signal.SIGTERM)
    found = audit(ground, sent)
    finding.measured += [str(found), f"{late} calls of late workers"]
    finding.broken += found.broken()
    finding.expect(late == 0, f"late workers wrote {late} times")
    return finding


def _grows(ground: Ground, user: int) -> bool:
    return any(len(reply["text"]) > 30 for reply in ground.sandbox.replies(user))


def _written_within(ground: Ground, user: int, since: int, seconds: float) -> int:
    """Count the writes to the user's chat; what must not happen can only be waited for."""
    time.sleep(seconds)
    return sum(
        call["body"].get("chat_id") == user and call["method"] != "sendChatAction"
        for call in ground.sandbox.calls("telegram", since)
    )


def clocks_apart(ground: Ground, size: Size) -> Finding:
    """Workers an hour early and an hour late; one of each is killed in the middle of its turns."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    ground.sandbox.fail("openai", "slow", method="chat.completions", delay_s=0.6, times=_ALWAYS)
    with crew(ground, "serve") as bots:
        for shift in ("3600", "-3600"):
            bots.start("worker", launcher=("bench.faults.shifted", shift))
        for user in ground.new_users(size.count):
            sent[user] = [ground.sandbox.say(user, text) for text in (QUESTION, "hi")]
        for shift in ("3600", "-3600"):
            bots.kill(bots.members[1])
            bots.start("worker", launcher=("bench.faults.shifted", shift))
        with promised(finding):
            ground.wait_done([one for messages in sent.values() for one in messages])
    found = audit(ground, sent)
    finding.measured.append(str(found))
    finding.broken += found.broken()
    return finding
