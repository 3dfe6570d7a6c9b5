"""Two tabs and Telegram show the same within a second, also after a worker was killed."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from tests.acceptance.features.user_pages.forms import OpenPage
from tests.acceptance.test_commands import command
from tests.acceptance.visitors import Visitor, visiting
from tests.acceptance.world import World, environment, free_port, running_bot, running_sandbox
from tests.database import PostgresServer

WITHIN_S = 1.0
QUIET_S = 30.0


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A sandbox and a database of these tests' own; no bot runs yet."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


def changes_of(tab: Visitor, least: int) -> list[float]:
    """When an open page was told of changes, once there were so many, by this machine's clock."""
    moments: list[float] = []
    with tab.client.stream("GET", "/me/live", timeout=QUIET_S) as stream:
        for line in stream.iter_lines():
            if line == "event: changed":
                moments.append(time.time())
            if len(moments) >= least:
                break
    return moments


@pytest.mark.costs("it starts a bot of three processes")
@pytest.mark.feature("agenda")
def test_pages_follow_within_a_second_also_after_a_kill(world: World, user: int) -> None:
    """A change on the page, one in Telegram, and one in Telegram after a worker has died."""
    others = [{**world.environment, "PORT": str(free_port())} for _ in range(2)]
    with ExitStack() as opened:
        opened.enter_context(running_bot(world.environment, "serve"))
        workers = [opened.enter_context(running_bot(other, "worker")) for other in others]
        tabs = [opened.enter_context(visiting(world, user)) for _ in range(2)]
        pool = opened.enter_context(ThreadPoolExecutor(len(tabs)))

        def told(change: object) -> None:
            """Make a change; both tabs are told within a second of its end."""
            following = [pool.submit(changes_of, tab, 1) for tab in tabs]
            time.sleep(0.5)  # the streams are open
            assert callable(change)
            change()
            ended = time.time()
            for one in following:
                assert one.result(QUIET_S)[0] - ended < WITHIN_S

        told(lambda: OpenPage.at(tabs[0], "/me/tasks").send("Add a task", title="Knots"))
        assert "Knots" in command(world, user, "/tasks")["text"]
        told(lambda: command(world, user, "/timezone Asia/Tokyo"))
        workers[0].kill()
        told(lambda: command(world, user, "/timezone Europe/Berlin"))
        assert all("Berlin" in tab.get("/me/settings").text for tab in tabs)
