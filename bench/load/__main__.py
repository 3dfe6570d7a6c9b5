"""Users in conversation: `python -m bench.load [--quick] [--users N…] [--workers N…] …`.

All users ask at once, and again half a second after each answer. The model plans for 0.5 s, begins
to answer after 0.8 s, and writes 300 tokens, 50 a second; Telegram takes 30 ms. They are one lean
process, whose processor time and worst lag are shown. A sign is the first message of any kind, such
as a notice of waiting. Next to the bot (`serve` and workers) stands a bare LangGraph graph behind
the same webhook, in the same run. `--quick`: a few users and short answers.
"""

import argparse
import itertools
import statistics
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from bench.load.crowd import Crowd, Seen
from bench.load.latencies import Latencies
from bench.load.metering import Used, metered
from bench.load.stage import Actors, Models, Stage, open_stage

MODELS = Models(Latencies(ttft=500), Latencies(ttft=800, tps=50, length=300), Latencies(ttft=50))
QUICK = Models(Latencies(ttft=50), Latencies(ttft=100, tps=50, length=20), Latencies(ttft=10))
_USERS = itertools.count(1_000_000, 10_000)
_COLUMNS = (
    f"{'':46}{'turns':>7}{'':>3}{'ack ms':>11}{'sign s':>14}{'first text s':>14}"
    f"{'whole turn s':>14}{'CPU ms a turn':>20}{'':>7}{'again':>7}{'':>6}{'conn.':>7}\n"
    f"{'':46}{'/s':>7}{'':>3}{'p50   p95':>11}{'p50   p95':>14}{'p50   p95':>14}{'p50   p95':>14}"
    f"{'bot  PG  load':>20}{'failed':>7}{'':>7}{'MB':>6}{'':>7}{'lag ms':>8}"
)


@dataclass(frozen=True, slots=True)
class Case:
    """A crowd and who answers it; without `workers`, that is the bare graph."""

    users: int
    workers: int = 1
    database_ms: float = 0.0
    plan: str = "direct"
    concurrency: int = 0

    @property
    def name(self) -> str:
        """The case in words."""
        if not self.workers:
            return f"bare graph, {self.users} users, 1 process"
        named = [f"{self.users} users, {self.workers} workers"]
        named += [f"concurrency {self.concurrency}"] if self.concurrency else []
        named += [f"database {self.database_ms:g} ms"] if self.database_ms else []
        return ", ".join([*named, f"plan {self.plan}"])

    def actors(self, stage: Stage) -> AbstractContextManager[Actors]:
        """The bot or its peer, running."""
        if not self.workers:
            return stage.bare_graph()
        more = {"WORKER_CONCURRENCY": str(self.concurrency)} if self.concurrency else {}
        return stage.bot(self.workers, self.database_ms, more)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a case; `failed` counts turns without an answer and failures of the bot."""

    case: Case
    seen: Seen
    used: Used
    failed: int
    again: int

    @property
    def answered(self) -> int:
        """The number of answers that their users read to the end."""
        return sum(one["done"] > 0 for one in self.seen.asked)

    @property
    def turns_a_second(self) -> float:
        """Answers by the time from the first message to the last answer."""
        begun = min(one["asked"] for one in self.seen.asked)
        return self.answered / (max(one["done"] for one in self.seen.asked) - begun)

    def until(self, moment: str) -> tuple[float, float]:
        """p50 and p95 of the seconds from a message to a moment of its answer."""
        times = [one[moment] - one["asked"] for one in self.seen.asked if one[moment]]
        cuts = statistics.quantiles(times, n=20) if len(times) > 1 else times * 19
        return (cuts[9], cuts[18]) if cuts else (0.0, 0.0)

    def row(self) -> str:
        """The line of the table."""
        ack, sign, first, whole = map(self.until, ("acknowledged", "noticed", "first", "done"))
        each = 1000 / max(self.answered, 1)
        used = f"{self.used.actors_s * each:.0f} {self.used.postgres_s * each:4.0f}"
        return (
            f"{self.case.name:46}{self.turns_a_second:7.2f}{'':3}"
            f"{ack[0] * 1000:5.0f}{ack[1] * 1000:6.0f}{sign[0]:8.1f}{sign[1]:6.1f}"
            f"{first[0]:8.1f}{first[1]:6.1f}{whole[0]:8.1f}{whole[1]:6.1f}"
            f"{used:>14}{self.seen.cpu_s * each:6.0f}"
            f"{self.failed:7}{self.again:7}{self.used.peak_mb:6.0f}{self.used.connections:7}"
            f"{self.seen.worst_lag_s * 1000:8.0f}"
        )


def measure(stage: Stage, case: Case, turns: int) -> Outcome:
    """Have a crowd talk to who answers it."""
    with case.actors(stage) as actors:
        _talk(stage, case, actors, users=2, turns=1)  # warm up
        before = actors.counts()
        with metered(stage, actors) as used:
            seen = _talk(stage, case, actors, case.users, turns)
        counted = {name: now - before.get(name, 0.0) for name, now in actors.counts().items()}
    lacking = case.users * turns - sum(one["done"] > 0 for one in seen.asked)
    broken = sum(
        number
        for name, number in counted.items()
        if 'result="failed"' in name or "dead_letters" in name or "lanes_lost" in name
    )
    again = counted.get("telegram_redelivered_total", 0)
    return Outcome(case, seen, used, int(lacking + broken), int(again))


def _talk(stage: Stage, case: Case, actors: Actors, users: int, turns: int) -> Seen:
    crowd = Crowd(actors.webhook, users, turns, case.plan, first_user=next(_USERS))
    return stage.let_live(crowd)


def chosen(options: argparse.Namespace) -> Iterator[Case]:
    """The cases of the options: each crowd on the bare graph, then on every kind of bot."""
    for users in options.users:
        if not options.alone:
            yield Case(users, workers=0)
        for workers, milliseconds, plan, concurrency in itertools.product(
            options.workers, options.database_ms, options.plan, options.concurrency
        ):
            yield Case(users, workers, milliseconds, plan, concurrency)


def run(cases: Sequence[Case], turns: int, models: Models) -> Iterator[Outcome]:
    """Measure one case after the other."""
    with open_stage(models) as stage:
        for case in cases:
            yield measure(stage, case, turns)


def main() -> None:
    """Print a line for each case."""
    options = _options()
    cases = [Case(4, workers=0), Case(4, plan="rag")] if options.quick else list(chosen(options))
    chosen_models = replace(MODELS, chat=replace(MODELS.chat, length=options.length))
    models, turns = (QUICK, 2) if options.quick else (chosen_models, options.turns)
    print(_COLUMNS)
    for outcome in run(cases, turns, models):
        print(outcome.row(), flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load")
    parser.add_argument("--quick", action="store_true", help="four users and short answers")
    parser.add_argument("--users", type=int, nargs="+", default=[20, 60])
    parser.add_argument("--workers", type=int, nargs="+", default=[1])
    parser.add_argument("--database-ms", type=float, nargs="+", default=[0.0])
    parser.add_argument("--plan", nargs="+", default=["direct"], help="direct, rag")
    parser.add_argument("--concurrency", type=int, nargs="+", default=[0], help="0: the default")
    parser.add_argument("--turns", type=int, default=3, help="turns of each user")
    parser.add_argument("--length", type=int, default=MODELS.chat.length, help="tokens")
    parser.add_argument("--alone", action="store_true", help="without the bare graph")
    return parser.parse_args()


if __name__ == "__main__":
    main()
