"""One bot with the sample documents for all tests of a worker; each test is another user."""

import itertools
import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from selenium import webdriver

from tests.acceptance.browsing import fresh_browser, fresh_tab
from tests.acceptance.world import (
    ROOT,
    Sandbox,
    World,
    environment,
    ingest_samples,
    register_samples,
    running_bot,
    running_sandbox,
)
from tests.database import PostgresServer

_ACCEPTANCE = "tests/acceptance/"
_UNIT = "tests/unit/"
_LONGEST = (
    "test_faults",
    "test_session",
    "test_outages",
    "test_long_conversation",
    "test_isolation",
    "test_durability",
    "test_servers",
    "test_hostile_texts",
    "test_files",
    "test_demo",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deal whole files of long tests to all processes; short ones come last, to even out the end.

    Each process begins with a part of its own of this list, and in the end takes from the others.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    short = [item for item in items if item.nodeid.startswith(_UNIT)]
    others = [item for item in items if not item.nodeid.startswith(_UNIT)]
    groups = itertools.groupby(others, lambda item: item.path)
    files = [(path, list(file)) for path, file in groups]
    files.sort(
        key=lambda file: (
            file[0].stem not in _LONGEST,
            not file[1][0].nodeid.startswith(_ACCEPTANCE),
        )
    )
    dealt = [[item for _, file in files[n::workers] for item in file] for n in range(workers)]
    for number, hand in enumerate(dealt):
        left = sum(map(len, dealt[number:])) + len(short)
        fill = max(0, left // (workers - number) - len(hand))
        hand.extend(short[:fill])
        del short[:fill]
    items[:] = [item for hand in dealt for item in hand]


@pytest.fixture(scope="session")
def one_browser() -> Iterator[webdriver.Chrome]:
    """The browser of this process' tests, in English."""
    with fresh_browser("--lang=en") as opened:
        yield opened


@pytest.fixture
def browser(one_browser: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """A browser that looks as if it had never been used, in English."""
    with fresh_tab(one_browser) as opened:
        yield opened


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """The stand-ins, with the sample pages and the project's own documentation as web pages."""
    with running_sandbox(ROOT / "sample" / "solana", ROOT / "docs") as running:
        yield running


@pytest.fixture(scope="session")
def with_samples(
    sandbox: Sandbox, database_server: PostgresServer, database_template: str
) -> Iterator[str]:
    """Name of a database with the sample documents, to be copied.

    They are ingested once in a run; in the copy their addresses move to the own sandbox.
    """

    def fill(url: str) -> None:
        ingest_samples(sandbox, environment(sandbox.url, url))

    ingested = database_server.filled_template("samples", database_template, fill)
    with database_server.database(ingested) as url:
        register_samples(sandbox, environment(sandbox.url, url))
        yield urlsplit(url).path.strip("/")


@pytest.fixture(scope="session")
def prepared(
    sandbox: Sandbox, database_server: PostgresServer, with_samples: str
) -> Iterator[World]:
    """Sample documents ingested; no bot runs yet."""
    with database_server.database(with_samples) as url:
        yield World(sandbox, environment(sandbox.url, url), url)


@pytest.fixture(scope="session")
def served(prepared: World) -> Iterator[World]:
    """A running bot that polls."""
    with running_bot(prepared.environment):
        yield prepared


@pytest.fixture
def world(served: World) -> Iterator[World]:
    """The running bot; a turn that the test began meets no fault of the next one."""
    yield served
    served.sandbox.recover()
    served.await_idle()


@pytest.fixture(autouse=True)
def _leaves_no_fault(request: pytest.FixtureRequest) -> Iterator[None]:
    """A fault that nothing has met is not met by the next test."""
    yield
    if "sandbox" in request.fixturenames:
        request.getfixturevalue("sandbox").recover()


_USERS = itertools.count(int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) * 100_000 + 1_000)


@pytest.fixture
def user() -> int:
    """A user who has never written before."""
    return next(_USERS)
