"""The stand-ins that several modules need, one sandbox for each module."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.integration.ingest_support import Site, serve_site
from tests.integration.telegram_support import Sim, open_sim
from tests.sandbox_server import RunningSandbox, start_sandbox


@pytest.fixture(scope="module")
def sandbox() -> Iterator[RunningSandbox]:
    """A sandbox for all tests of a module."""
    with start_sandbox() as running:
        yield running


@pytest.fixture
async def sim(sandbox: RunningSandbox) -> AsyncIterator[Sim]:
    """The user's side, emptied."""
    async with open_sim(sandbox) as opened:
        yield opened


@pytest.fixture
def site() -> Iterator[Site]:
    """A site without pages."""
    with serve_site() as running:
        yield running
