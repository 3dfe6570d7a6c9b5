"""A failover while users talk: `python -m bench.failover [--users N] [--patroni] [--quick]`.

Two PostgreSQL, of which one streams to the other, `serve` and two workers. All users ask, and again
half a second after each answer. In the middle the primary ends as in a crash, and the other one is
promoted. A question that was not taken is brought again, as Telegram does. Each question has a
number, so that a checker sees what was answered, how often, and in which order. `--patroni`: three
members of a Patroni cluster with etcd, reached through HAProxy; the machine of the leader dies with
its Patroni. Exits with 1 if a promise is broken.
"""

import argparse
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import httpx
import psycopg
from typing_extensions import override

from bench.faults.audit import is_passing
from bench.faults.postgres import Postgres, running_postgres, running_standby
from bench.load.__main__ import MODELS, QUICK
from bench.load.crowd import Crowd, Seen
from bench.load.stage import Actors, Audience, Models, open_audience
from bench.load.upstream import FIRST_WORDS, LAST_WORDS
from bench.patroni import running_cluster
from bench.turn import add_sample
from tests.acceptance.world import free_port, wait_until

_ANSWER = re.compile(FIRST_WORDS + r" ([0-9]{1,12})\b")
_AGAIN = "(Sent again"
_DEADLINE_S = 120.0
_LOOK_S = 0.05


class Pair(Protocol):
    """Servers of which one is the primary."""

    @property
    def url(self) -> str:
        """The address that leads to the primary, whichever it is."""

    def fail(self) -> None:
        """End the primary as a crash does; return as soon as another one may take over."""

    def take_over(self) -> None:
        """Return when the other one is the primary."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """A primary and its standby, which is promoted by hand; both hosts are in the address."""

    primary: Postgres
    standby: Postgres
    url: str

    def fail(self) -> None:
        """Stop at once, as in a crash."""
        self.primary.crash()

    def take_over(self) -> None:
        """Promote the standby."""
        self.standby.promote()


@contextmanager
def by_hand() -> Iterator[Pair]:
    """Both run; a commit waits until the standby has it."""
    with running_postgres() as primary, running_standby(primary) as standby:
        with psycopg.connect(primary.url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")
        yield ByHand(primary, standby, primary.beside(standby))


@dataclass(frozen=True, slots=True)
class Trial:
    """The size of a trial: the primary fails `after_s` seconds from its beginning."""

    users: int
    turns: int
    after_s: float
    models: Models
    workers: int = 2


QUICK_TRIAL = Trial(8, turns=3, after_s=2.0, models=QUICK)


@dataclass(frozen=True, slots=True)
class Moments:
    """Seconds of the monotonic clock."""

    failed: float
    promoted: float
    ready: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The messages that users had before them in the end, and when each came."""

    moments: Moments
    seen: Seen

    def answered_after_s(self, number: int) -> float:
        """Seconds from the promotion to the answer of this number after it."""
        promoted = self.moments.promoted
        later = sorted(one["done"] for one in self.seen.asked if one["done"] > promoted)
        return later[number - 1] - promoted if len(later) >= number else float("inf")

    @property
    def lost(self) -> int:
        """The number of questions without an answer."""
        return sum(not one["done"] for one in self.seen.asked)

    @property
    def doubled(self) -> int:
        """The number of answers to a question that has one, and that do not say so."""
        return sum(len(found) - len(set(found)) for found in self._answers())

    @property
    def out_of_order(self) -> int:
        """The number of answers that come before one to an earlier question."""
        return sum(
            later < earlier for found in self._answers() for earlier, later in pairwise(found)
        )

    @property
    def dangling(self) -> int:
        """The number of messages that are no answer, or half of one."""
        return sum(
            is_passing(text) or (bool(_ANSWER.search(text)) and LAST_WORDS not in text)
            for texts in self.seen.chats.values()
            for text in texts
        )

    @property
    def repeated(self) -> int:
        """The number of answers that say that they are sent again."""
        return sum(_AGAIN in text for texts in self.seen.chats.values() for text in texts)

    def _answers(self) -> Iterator[list[int]]:
        """The numbers of the questions that each user's messages answer, in order."""
        for texts in self.seen.chats.values():
            answers = (text for text in texts if LAST_WORDS in text and _AGAIN not in text)
            yield [int(found[1]) for text in answers if (found := _ANSWER.search(text))]

    @property
    def is_sound(self) -> bool:
        """Whether every promise was kept."""
        return not (self.lost or self.doubled or self.out_of_order or self.dangling)

    @override
    def __str__(self) -> str:
        at, asked = self.moments, len(self.seen.asked)
        return (
            f"promoted {at.promoted - at.failed:.1f} s after the failure; after the promotion: "
            f"ready {max(0.0, at.ready - at.promoted):.1f} s, "
            f"first answer {self.answered_after_s(1):.1f} s, "
            f"tenth {self.answered_after_s(10):.1f} s\n"
            f"{asked} questions: {self.lost} lost, {self.doubled} doubled, "
            f"{self.out_of_order} out of order, {self.dangling} left dangling, "
            f"{self.repeated} sent again with a word"
        )


def fail_over(pair: Pair, trial: Trial) -> Outcome:
    """Have the crowd talk, and the primary fail in the middle."""
    with open_audience(trial.models) as audience:
        add_sample(audience.settings(pair.url, free_port()))
        with audience.bot_on(pair.url, trial.workers) as actors:
            _talk(audience, Crowd(actors.webhook, 2, 1, first_user=1))  # warm up
            crowd = Crowd(
                actors.webhook, trial.users, trial.turns, first_user=1_000, is_numbered=True
            )
            with ThreadPoolExecutor(1) as aside:
                talking = aside.submit(_talk, audience, crowd)
                time.sleep(trial.after_s)
                moments = _lose_primary(pair, actors)
                seen = talking.result()
    return Outcome(moments, seen)


def _talk(audience: Audience, crowd: Crowd) -> Seen:
    return audience.let_live(crowd)


def _lose_primary(pair: Pair, actors: Actors) -> Moments:
    failed = time.monotonic()
    pair.fail()
    pair.take_over()
    promoted = time.monotonic()
    wait_until(lambda: _are_ready(actors) or None, "all processes are ready", _DEADLINE_S)
    return Moments(failed, promoted, time.monotonic())


def _are_ready(actors: Actors) -> bool:
    return all(
        httpx.get(f"{address}/readyz", timeout=30, trust_env=False).is_success
        for address in actors.metrics
    )


def main() -> None:
    """Print the outcome."""
    options = _options()
    usual = Trial(options.users, options.turns, options.after, MODELS)
    servers: AbstractContextManager[Pair] = running_cluster() if options.patroni else by_hand()
    with servers as pair:
        outcome = fail_over(pair, QUICK_TRIAL if options.quick else usual)
    print(outcome)
    sys.exit(not outcome.is_sound)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.failover")
    parser.add_argument("--quick", action="store_true", help="a few users and short answers")
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--turns", type=int, default=3, help="turns of each user")
    parser.add_argument("--after", type=float, default=20.0, help="seconds until the failure")
    parser.add_argument("--patroni", action="store_true", help="a cluster behind HAProxy")
    return parser.parse_args()


if __name__ == "__main__":
    main()
