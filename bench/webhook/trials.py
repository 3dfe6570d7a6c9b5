"""The loads, which are the same for all contenders, and their figures."""

import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bench.webhook.contenders import Running, poured
from bench.webhook.handling import SLOW, Handled
from bench.webhook.load import Post, Posted

AIM_PER_S = 200
_CLOSED_CONNECTIONS = 40
_OTHERS = 40
_STALLED_S = 30.0


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of each load."""

    steady_s: int = 20
    closed: int = 4_000
    thrice: int = 500
    chatting: int = 200
    killed: int = 1_000
    flood: int = 10_000
    crowd: int = 10_000


@dataclass(slots=True)
class Figures:
    """Rates per second, times in milliseconds or seconds, and counts of what must not be."""

    acknowledged_per_s: float = 0.0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    refused: int = 0
    handled_twice: int = 0
    out_of_order: int = 0
    lost_by_kill: int = 0
    others_longest_s: float = 0.0
    crowd_per_s: float = 0.0
    crowd_overtaken: int = 0


def steady(run: Running, scale: Scale, figures: Figures) -> None:
    """200 updates a second whatever the answers do, from as many users as there are updates."""
    ids = run.new_ids(AIM_PER_S * scale.steady_s)
    posts = [[Post(one, one, place / AIM_PER_S)] for place, one in enumerate(ids)]
    answers = run.pour(posts)
    warm = [one.delay_s * 1000 for one in answers[len(answers) // 10 :]]
    cuts = statistics.quantiles(warm, n=100)
    figures.p50_ms, figures.p99_ms = cuts[49], cuts[98]
    figures.refused += sum(one.status != 200 for one in answers)
    run.drained(ids)


def closed(run: Running, scale: Scale, figures: Figures) -> None:
    """40 connections, each posting its next update when the one before was acknowledged."""
    ids = run.new_ids(scale.closed)
    chains = [
        [Post(one, one) for one in ids[place::_CLOSED_CONNECTIONS]]
        for place in range(_CLOSED_CONNECTIONS)
    ]
    answers = run.pour(chains)
    first, last = min(a.due_at for a in answers), max(a.answered_at for a in answers)
    figures.acknowledged_per_s = len(answers) / (last - first)
    figures.refused += sum(one.status != 200 for one in answers)
    run.drained(ids)


def thrice(run: Running, scale: Scale, figures: Figures) -> None:
    """Every update three times at once."""
    ids = run.new_ids(scale.thrice)
    run.pour([[Post(one, one)] for one in ids for _ in range(3)])
    run.drained(ids)
    time.sleep(2.0)  # what is handled twice comes late
    figures.handled_twice += _more_than_once(run.handled(), ids)


def chatting(run: Running, scale: Scale, figures: Figures) -> None:
    """Users with five messages each, brought one after the other as Telegram does."""
    ids = run.new_ids(5 * scale.chatting)
    chains = [
        [Post(one, ids[5 * place], text=SLOW) for one in ids[5 * place : 5 * place + 5]]
        for place in range(scale.chatting)
    ]
    run.pour(chains)
    run.drained(ids)
    figures.out_of_order += _out_of_order(run.handled(), ids)


def killed(run: Running, scale: Scale, figures: Figures) -> None:
    """Kill -9 of every process in the middle of a burst, then a start."""
    ids = run.new_ids(scale.killed)
    pouring = run.begin_to_pour([[Post(one, one)] for one in ids])
    while len({one.update_id for one in run.handled()} & set(ids)) < len(ids) // 10:
        time.sleep(0.005)
    run.kill()
    acknowledged = [one.update_id for one in poured(pouring) if one.status == 200]
    run.start()
    run.drained(acknowledged, _STALLED_S)
    handled = run.handled()
    figures.lost_by_kill = len(set(acknowledged) - {one.update_id for one in handled})


def flooded(run: Running, scale: Scale, figures: Figures) -> None:
    """One user's messages as fast as they are taken; others write once, ten a second."""
    flood, others = run.new_ids(scale.flood), run.new_ids(_OTHERS)
    chains = [[Post(one, flood[0]) for one in flood]]
    chains += [[Post(one, one, 2.0 + place / 10)] for place, one in enumerate(others)]
    answers = run.pour(chains)
    run.drained(others)
    due = {one.update_id: one.due_at for one in answers}
    waits = [one.at - due[one.update_id] for one in run.handled() if one.update_id in set(others)]
    figures.others_longest_s = max(waits) if len(waits) >= _OTHERS else float("inf")


def crowded(run: Running, scale: Scale, figures: Figures) -> None:
    """Users with three messages each; nobody's first may wait for most of the others' thirds."""
    ids = run.new_ids(3 * scale.crowd)
    chains = [
        [Post(one, ids[place]) for one in ids[place : place + 3]] for place in range(0, len(ids), 3)
    ]
    answers = run.pour(chains)
    run.drained(ids)
    done = {one.update_id: one.at for one in run.handled()}
    began = min(one.due_at for one in answers)
    figures.crowd_per_s = len(ids) / (max(done[one] for one in ids if one in done) - began)
    waits = _waits(answers, done)
    thirds = statistics.median(done.get(one, float("inf")) for one in ids[2::3])
    figures.crowd_overtaken = sum(
        done.get(one, float("inf")) > thirds and waits.get(one, 0.0) > 1.0 for one in ids[0::3]
    )


TRIALS = (steady, closed, thrice, chatting, flooded, crowded, killed)


def _waits(answers: Sequence[Posted], done: dict[int, float]) -> dict[int, float]:
    return {
        one.update_id: done[one.update_id] - one.answered_at
        for one in answers
        if one.update_id in done
    }


def _more_than_once(handled: Sequence[Handled], ids: Sequence[int]) -> int:
    times = Counter(one.update_id for one in handled)
    return sum(times[one] > 1 for one in ids)


def _out_of_order(handled: Sequence[Handled], ids: Sequence[int]) -> int:
    """Updates that ended after a later one of the same user."""
    wanted, by_user = set(ids), dict[int, list[int]]()
    for one in handled:
        if one.update_id in wanted:
            by_user.setdefault(one.user, []).append(one.update_id)
    return sum(a > b for order in by_user.values() for a, b in pairwise(order))
