"""A bot whose settings name nobody belongs to whoever sends the code that its start prints."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rich_agent.phrases import say
from tests.acceptance.world import (
    Sandbox,
    command,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

STRANGER, OPERATOR = 7_770_001, 7_770_002
NOBODY = {"ALLOWED_USERS": "", "ADMIN_USERS": ""}


@contextmanager
def two_workers(settings: dict[str, str], logs: Path) -> Iterator[list[str]]:
    """The bot twice, one of them without the polling; what each said at its start."""
    first, second = logs / "first", logs / "second"
    other = {**settings, "PORT": str(free_port())}
    with running_bot(settings, log=first), running_bot(other, "worker", log=second):
        yield [log.read_text("utf-8") for log in (first, second)]


def reply(sandbox: Sandbox, user: int, text: str) -> str:
    """The answer of the bot to a message."""
    sent = sandbox.say(user, text)
    found = wait_until(
        lambda: sandbox.replies(user, sent.message_id) or None, f"an answer to {text}"
    )
    return str(found[0]["text"])


@pytest.mark.costs("it starts a bot of its own")
def test_bot_belongs_to_whoever_sends_the_code_of_its_start(
    database_server: PostgresServer, database_template: str, tmp_path: Path
) -> None:
    """All processes print one code and know the operator; others stay refused."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        settings = environment(sandbox.url, url, LOG_FORMAT="json", **NOBODY)
        with two_workers(settings, tmp_path) as told:
            codes = {code for log in told for code in re.findall(r'"code": "([\w-]{22})"', log)}
            assert len(codes) == 1
            assert str(STRANGER) in reply(sandbox, STRANGER, "Hello")
            assert str(STRANGER) in reply(sandbox, STRANGER, "/start AAAAAAAAAAAAAAAAAAAAAA")
            code = codes.pop()
            assert reply(sandbox, OPERATOR, code).startswith("Hi ")
            assert str(STRANGER) in reply(sandbox, STRANGER, code)
            # Either process may answer each time.
            for _ in range(4):
                assert say("en", "admins-only") not in reply(sandbox, OPERATOR, "/users")
            allowed = reply(sandbox, OPERATOR, f"/allow {STRANGER}")
            assert allowed == say("en", "people-let-in", user_id=str(STRANGER))
            assert str(STRANGER) not in reply(sandbox, STRANGER, "/help")
        log = tmp_path / "again"
        with running_bot(settings, log=log):
            assert '"code"' not in log.read_text("utf-8")
            assert say("en", "admins-only") not in reply(sandbox, OPERATOR, "/users")
        done = command(["rich_agent.cli", "doctor", "--json"], settings)
        assert f"the operator, {OPERATOR}," in done.stdout
