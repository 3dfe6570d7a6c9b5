"""Settings that an operator changes with the shell, in a bot of two processes that runs."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.acceptance.test_commands import command
from tests.acceptance.world import (
    World,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.acceptance.world import command as run_command
from tests.database import PostgresServer

WITHIN_S = 5.0
PROBLEM = "DAILY_TOKENS: “plenty” is not a whole number"


@pytest.fixture(scope="module")
def world(database_server: PostgresServer, database_template: str) -> Iterator[World]:
    """A sandbox and a database of these tests' own; no bot runs yet."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        limits = {"DAILY_TOKENS": "90000", "DOMAIN_EXAMPLES": "What is a knot?"}
        yield World(sandbox, environment(sandbox.url, url, **limits), url)


def change(world: World, *arguments: str, expect: int = 0) -> str:
    """Run `rich-agent settings`, and return what it prints."""
    done = run_command(["rich_agent.cli", "settings", *arguments], world.environment, expect=expect)
    return done.stdout + done.stderr


def shows(world: World, user: int, text: str, expected: str) -> Callable[[], bool | None]:
    """Whether the answer to a command has these words or buttons."""

    def ask() -> bool | None:
        answer = command(world, user, text)
        return expected in json.dumps(answer, ensure_ascii=False) or None

    return ask


@pytest.mark.costs("it starts a bot of two processes twice")
def test_change_is_in_effect_on_every_process_and_after_a_restart(world: World, user: int) -> None:
    """Limits, and what the documents are about, change in a worker that goes on."""
    worker = {**world.environment, "PORT": str(free_port())}
    with ExitStack() as processes:
        processes.enter_context(running_bot(world.environment, "serve"))
        processes.enter_context(running_bot(worker, "worker"))
        assert shows(world, user, "/status", "of 90,000")()
        assert shows(world, user, "/start", "What is a knot?")()
        refusal = change(world, "set", "DAILY_TOKENS", "plenty", expect=1)
        assert PROBLEM in refusal
        assert "0 or more, as in DAILY_TOKENS=0" in refusal
        change(world, "set", "daily_tokens", "70000")
        change(world, "set", "DOMAIN_EXAMPLES", "What is a sail?")
        wait_until(shows(world, user, "/status", "of 70,000"), "the limit", WITHIN_S)
        wait_until(shows(world, user, "/start", "What is a sail?"), "the question", WITHIN_S)
    with running_bot(world.environment):
        assert shows(world, user, "/status", "of 70,000")()
        assert shows(world, user, "/start", "What is a sail?")()
        states = {one["name"]: one for one in json.loads(change(world, "--json"))}
        tokens = states["DAILY_TOKENS"]
        assert (tokens["value"], tokens["origin"]) == ("70000", "changed")
        assert (tokens["start_value"], tokens["start_origin"]) == ("90000", "environment")
        assert states["OPENAI_API_KEY"]["value"] is None
        assert states["OPENAI_API_KEY"]["is_set"]
        assert "sandbox-chat" in json.dumps(states)
        assert "tvly-sandbox" not in json.dumps(states)
        assert "is now 90000 (environment)" in change(world, "unset", "DAILY_TOKENS")
        wait_until(shows(world, user, "/status", "of 90,000"), "the limit", WITHIN_S)
    records = world.rows("SELECT * FROM audit_records WHERE subject = 'DAILY_TOKENS' ORDER BY id")
    assert [(one["action"], one["outcome"], one["details"]) for one in records] == [
        ("settings.change", "refused", {"old": "90000", "refusal": PROBLEM}),
        ("settings.change", "done", {"old": "90000", "new": "70000"}),
        ("settings.unset", "done", {"old": "70000", "new": "90000"}),
    ]


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "DATABASE_URL", "PORT", "NO_SUCH_SETTING"])
@pytest.mark.costs("it runs a command")
def test_secrets_and_what_is_fixed_do_not_change(world: World, name: str) -> None:
    """The command says what to do instead, and stores nothing."""
    refusal = change(world, "set", name, "1", expect=1)
    assert name in refusal
    assert "→" in refusal
    assert not world.rows("SELECT FROM setting_changes WHERE name = %s", name)
