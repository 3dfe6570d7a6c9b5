"""The crowds of `python -m bench.load` and `bench.soak`, few and short: all are answered."""

from collections.abc import Iterator

import pytest

from bench.load.__main__ import QUICK, Case, measure
from bench.load.crowd import Crowd
from bench.load.stage import Stage, open_stage
from bench.soak import sampled


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """A database and upstreams."""
    with open_stage(QUICK) as opened:
        yield opened


@pytest.mark.soak
@pytest.mark.parametrize(
    "case",
    [
        Case(4, workers=0),
        Case(6, workers=2, database_ms=5, plan="rag"),
        Case(12, workers=1, concurrency=2),
    ],
    ids=lambda case: case.name,
)
def test_crowd_is_answered_without_failures_and_redeliveries(stage: Stage, case: Case) -> None:
    """Every user reads every answer to its end, whoever answers."""
    outcome = measure(stage, case, 2)
    assert (outcome.answered, outcome.failed, outcome.again) == (2 * case.users, 0, 0)
    assert all(one["acknowledged"] < one["done"] for one in outcome.seen.asked)
    assert outcome.used.actors_s > 0 < outcome.used.postgres_s


@pytest.mark.soak
def test_steady_load_is_sampled(stage: Stage) -> None:
    """The samples hold the memory of every process and the size of every table."""
    with stage.bot(workers=1) as actors, sampled(stage, actors, 0.5) as samples:
        seen = stage.let_live(Crowd(actors.webhook, 3, 1, rate=2.0))
    assert all(one["done"] for one in seen.asked)
    first, last = samples.taken[0], samples.taken[-1]
    assert min(first.serve_mb, first.worker_mb, first.postgres_mb) > 10
    assert last.tables["telegram_outbox"] >= first.tables["telegram_outbox"] > 0
    assert last.cpu_s > first.cpu_s
