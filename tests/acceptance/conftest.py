"""One bot with the sample documents for all tests of a worker; each test is another user."""

import itertools
import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.acceptance.world import (
    ROOT,
    Sandbox,
    World,
    environment,
    ingest_samples,
    running_bot,
    running_sandbox,
)
from tests.database import PostgresServer

_LONGEST = (
    "test_faults",
    "test_session",
    "test_outages",
    "test_long_conversation",
    "test_isolation",
    "test_durability",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: item.path.stem not in _LONGEST)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """The stand-ins, with the sample pages and the project's own documentation as web pages."""
    with running_sandbox(ROOT / "sample" / "solana", ROOT / "docs") as running:
        yield running


@pytest.fixture(scope="session")
def with_samples(
    sandbox: Sandbox, database_server: PostgresServer, database_template: str
) -> Iterator[str]:
    """Name of a database with the sample documents, to be copied."""
    with database_server.database(database_template) as url:
        ingest_samples(sandbox, environment(sandbox.url, url))
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
