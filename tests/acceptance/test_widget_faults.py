"""Queries of widgets while a process is killed and Telegram fails."""

from collections.abc import Iterator
from typing import cast

import pytest

from bench.faults.ground import Crew, Ground, crew
from bench.faults.postgres import Postgres
from bench.faults.widgets import QUICK_WIDGETS, widget_trial
from tests.acceptance.world import World, environment, running_sandbox
from tests.database import PostgresServer

pytestmark = pytest.mark.feature("agenda")


@pytest.fixture(scope="module")
def bots(database_server: PostgresServer, database_template: str) -> Iterator[Crew]:
    """A bot that shows widgets, with a database that is not restarted."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        world = World(sandbox, environment(sandbox.url, url, WIDGETS="auto"), url)
        with crew(Ground(world, cast("Postgres", None)), "run") as opened:
            yield opened


@pytest.mark.costs("a process of the bot is killed, and another one takes over")
@pytest.mark.req("DUR-1", "IDEMP-1")
def test_each_query_is_done_once_and_answered_or_told_why(bots: Crew) -> None:
    """Edits and answers are lost meanwhile; widgets then show what the rows say."""
    finding = widget_trial(bots.ground, bots, 1, QUICK_WIDGETS)
    assert not finding.broken, finding
    assert any("done" in line for line in finding.measured)
