"""Keys and passwords stay with the process that was given them."""

import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ingest.app import open_ingest
from rich_agent.cli import app
from rich_agent.commands.ask import open_session
from rich_agent.runtime.readers import Effort, read_apart

SECRETS = ("TELEGRAM_BOT_TOKEN", "OPENAI_API_KEY", "TAVILY_API_KEY", "DATABASE_URL")


@pytest.fixture(autouse=True)
def _given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database_url: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-secret")
    monkeypatch.setenv("DATABASE_URL", database_url)


@asynccontextmanager
async def opened(program: str) -> AsyncIterator[None]:
    """Open what a program opens before it reads the documents or images of strangers."""
    if program == "ingest":
        async with open_ingest():
            yield
    else:
        async with open_session():
            yield


@pytest.mark.parametrize("program", ["ingest", "rich-agent ask"])
async def test_readers_of_documents_and_images_inherit_no_secret(program: str) -> None:
    """They decode what strangers sent, and could be misled by it."""
    async with opened(program):
        found = await read_apart(eval, "dict(__import__('os').environ)", dict, "a", Effort(20.0))
        assert not set(SECRETS) & set(found)
        assert not set(SECRETS) & set(os.environ)


def test_a_bot_keeps_its_secrets_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first moment on: this one finds its port taken."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setenv("PORT", str(taken.getsockname()[1]))
        done = CliRunner().invoke(app, ["run"])
    assert "is taken" in str(done.exception)
    assert not set(SECRETS) & set(os.environ)
