"""One sandbox for the package, emptied before each test."""

from collections.abc import Iterator

import httpx
import pytest

from tests.integration.sandbox_telegram.client import Client
from tests.integration.sandbox_telegram.receiver import Receiver
from tests.sandbox_server import RunningSandbox, start_sandbox


@pytest.fixture(scope="package")
def running() -> Iterator[RunningSandbox]:
    """A sandbox with the default settings; many calls here are wrong on purpose."""
    with start_sandbox(journal=None) as sandbox:
        yield sandbox


@pytest.fixture
def client(running: RunningSandbox) -> Iterator[Client]:
    """Both sides of an empty sandbox: the user's and the bot's."""
    with httpx.Client(timeout=10, trust_env=False) as http:
        client = Client(running, http)
        client.forget()
        yield client
        client.call("deleteWebhook", drop_pending_updates=True)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A webhook that records what it gets."""
    with Receiver.listening() as receiver:
        yield receiver
