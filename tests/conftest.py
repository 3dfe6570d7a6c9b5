"""Databases for tests; see `tests/database.py`."""

import atexit
import gc
import logging
import os
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from rich_agent.installed import installed_features
from rich_agent.repositories.database.pools import Databases, open_pools
from tests.budget import Budget
from tests.database import (
    PostgresServer,
    announce_run,
    remove_run,
    run_directory,
    serve_databases,
)
from tests.journal import Journal, checked_calls, open_journal
from tests.one_root import keep_one_root, trust_one_root

# How fast examples are made and run tells of the machine and its load, not of the code.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


def pytest_configure(config: pytest.Config) -> None:
    """Let all workers of a run share one server, and stand-ins know the turns of the tests."""
    config.pluginmanager.register(Budget())
    os.environ["SANDBOX_TURNS"] = str(Path(__file__).with_name("turns.toml"))
    if not hasattr(config, "workerinput"):
        announce_run()
        keep_one_root(run_directory() / "root.pem")
    trust_one_root()
    # The default shows the local variables of every frame, which takes seconds and the test's time.
    console = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            console,
        ]
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage while everything is imported."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Spare the collector of garbage what was imported, which stays to the end."""
    gc.freeze()
    # Else libraries complain then that their types were never freed.
    atexit.register(gc.unfreeze)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave nothing behind."""
    if not hasattr(config, "workerinput"):
        remove_run()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell how many calls of bots were held against the Bot API."""
    if counts := checked_calls(run_directory()):
        methods = ", ".join(f"{method} {count:,}" for method, count in counts.most_common())
        terminalreporter.write_sep("-", "calls that fit the Bot API")
        terminalreporter.write_line(f"{counts.total():,} calls: {methods}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of the core that show something with a feature that is taken out."""
    names = {feature.name for feature in installed_features().features}
    for item in items:
        for marker in item.iter_markers("feature"):
            if missing_names := sorted({*marker.args} - names):
                item.add_marker(pytest.mark.skip(f"{missing_names[0]} is taken out"))


@pytest.fixture(scope="session", autouse=True)
def journal() -> Iterator[Journal]:
    """The journal of this process' calls to Telegram; those after the last test are checked too."""
    with open_journal(run_directory()) as opened:
        yield opened


@pytest.fixture(autouse=True)
def calls_fit_the_bot_api(journal: Journal) -> Iterator[None]:
    """Fail the test during which a bot asked of Telegram what Telegram does not know."""
    yield
    journal.check_new()


@pytest.fixture(autouse=True)
def _leaves_logging_as_it_was() -> Iterator[None]:
    """Restore logging: the next test does not log as a command in this process did, nor there."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.configure(**configured)
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture(scope="session")
def database_server() -> Iterator[PostgresServer]:
    """A server with pgvector, shared by the whole run."""
    with serve_databases() as server:
        yield server


@pytest.fixture(scope="session")
def database_template(database_server: PostgresServer) -> str:
    """Name of the database that `database_url` copies."""
    return database_server.migrated_template()


@pytest.fixture
def database_url(database_server: PostgresServer, database_template: str) -> Iterator[str]:
    """A database of the test's own, with all tables of both trees and no rows."""
    with database_server.database(database_template) as url:
        yield url


@pytest.fixture
def empty_database_url(database_server: PostgresServer) -> Iterator[str]:
    """A database of the test's own without any table."""
    with database_server.database() as url:
        yield url


@pytest.fixture
async def databases(database_url: str) -> AsyncIterator[Databases]:
    """Open pools on `database_url`."""
    async with open_pools(database_url, database_url, max_size=5) as opened:
        yield opened
