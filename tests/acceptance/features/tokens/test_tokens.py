"""Tokens from their making to their end, over the HTTP of the running bot."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from rich_agent.phrases import say
from tests.acceptance.program_tokens import make_token
from tests.acceptance.test_commands import command, labels, press, shown
from tests.acceptance.test_my_data import rows_naming
from tests.acceptance.world import Sandbox, World, environment, running_bot
from tests.acceptance.world import command as run
from tests.database import PostgresServer

TOKENS = ["rich_agent.cli", "tokens"]


def tokens_of(environment: dict[str, str], user: int) -> list[dict[str, Any]]:
    """`rich-agent tokens list --json`, of one user."""
    tokens = json.loads(run([*TOKENS, "list", "--json"], environment).stdout)
    return [one for one in tokens if one["user_id"] == user]


def answer_to(environment: dict[str, str], token: str, **headers: str) -> httpx.Response:
    """The answer of the bot to a token."""
    address = f"{environment['PUBLIC_URL']}/api/token"
    return httpx.get(
        address, headers={"Authorization": f"Bearer {token}", **headers}, trust_env=False
    )


def token_in(message: dict[str, Any]) -> str:
    """The token that a message shows, to be copied, below the address."""
    _, code = [entity for entity in message["entities"] if entity["type"] == "code"]
    text = str(message["text"][code["offset"] : code["offset"] + code["length"]])
    assert re.fullmatch(r"ra_[\w-]{43}", text)
    return text


def test_token_of_the_terminal_works_until_it_is_revoked(world: World, user: int) -> None:
    """Shown once, listed without itself, and ended by its id; the second time is an error."""
    token = make_token(world.environment, user, "--scope", "knowledge", "--days", "2")
    answer = answer_to(world.environment, token)
    assert answer.json() == {"user_id": user, "scopes": ["knowledge"]}
    assert set(rows_naming(world, token)) == set()
    (row,) = tokens_of(world.environment, user)
    assert (row["name"], row["state"], row["scopes"]) == ("n", "open", ["knowledge"])
    assert row["last_used_at"]
    assert row["expires_at"]
    revoke = ["rich_agent.cli", "tokens", "revoke", str(row["id"])]
    run(revoke, world.environment)
    assert answer_to(world.environment, token).status_code == 401
    assert tokens_of(world.environment, user)[0]["state"] == "revoked"
    assert "tokens list" in run(revoke, world.environment, expect=1).stderr


def test_token_is_made_hidden_and_revoked_in_telegram(world: World, user: int) -> None:
    """It is shown until it is hidden, kept nowhere, and ends with a tap."""
    message = command(world, user, "/tokens my laptop")
    assert labels(message) == [say("en", "tokens-make-named", name="my laptop")]
    chat = press(world, user, message, say("en", "tokens-make-named", name="my laptop"))
    message = shown(chat, message["message_id"])
    token = token_in(message)
    assert answer_to(world.environment, token).json()["user_id"] == user
    assert set(rows_naming(world, token)) <= {"telegram_inbox"}
    chat = press(world, user, message, say("en", "tokens-hide"))
    message = shown(chat, message["message_id"])
    assert token not in json.dumps(chat)
    assert "my laptop · chat, knowledge" in message["text"]
    chat = press(world, user, message, "✕ 1")
    assert answer_to(world.environment, token).status_code == 401
    assert "my laptop" not in shown(chat, message["message_id"])["text"]


def test_tokens_end_with_everything_else_about_their_user(world: World, user: int) -> None:
    """/forget ends them."""
    token = make_token(world.environment, user)
    assert answer_to(world.environment, token).status_code == 200
    press(world, user, command(world, user, "/forget"), say("en", "forget-yes"))
    assert answer_to(world.environment, token).status_code == 401


@pytest.fixture(scope="module")
def serving(
    sandbox: Sandbox,
    database_server: PostgresServer,
    with_samples: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[World, Path]]:
    """A process that only receives, for one user; and its log."""
    log = tmp_path_factory.mktemp("serving") / "log"
    with database_server.database(with_samples) as url:
        webhook = {"WEBHOOK_SECRET": "a-secret-of-the-tests"}
        settings = environment(
            sandbox.url,
            url,
            ALLOWED_USERS="42",
            CORS_ORIGINS="https://chat.example",
            LOG_LEVEL="debug",
            LOG_FORMAT="json",
            **webhook,
        )
        with running_bot(settings, "serve", log=log):
            yield World(sandbox, settings, url), log


def test_token_of_a_user_who_may_not_use_the_bot_opens_nothing(
    serving: tuple[World, Path],
) -> None:
    """The operator is told when it is made, and the program when it asks."""
    world, _ = serving
    add = [*TOKENS, "add", "--user", "43", "--name", "n"]
    output = run(add, world.environment)
    assert "may not use the bot" in output.stderr
    answer = answer_to(world.environment, output.stdout.strip())
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "user_not_permitted")
    made = json.loads(run([*add, "--json"], world.environment).stdout)
    assert made["token"].startswith("ra_")
    assert made["is_permitted"] is False
    listed = json.loads(run([*TOKENS, "list", "--json"], world.environment).stdout)
    newest = max(token["id"] for token in listed)
    ended = run([*TOKENS, "revoke", str(newest), "--json"], world.environment).stdout
    assert json.loads(ended) == {"revoked": newest}


def test_pages_reach_the_api_and_nothing_else(serving: tuple[World, Path]) -> None:
    """The named origin may use the API, not the webhook or the metrics."""
    world, _ = serving
    token = make_token(world.environment, 42)
    origin = {"Origin": "https://chat.example"}
    answer = answer_to(world.environment, token, **origin)
    assert answer.headers["access-control-allow-origin"] == origin["Origin"]
    for path in ("/metrics", "/healthz", "/telegram/webhook"):
        answer = httpx.get(world.environment["PUBLIC_URL"] + path, headers=origin, trust_env=False)
        assert "access-control-allow-origin" not in answer.headers


def test_no_token_is_in_the_log(serving: tuple[World, Path]) -> None:
    """Neither one that works nor a guess, also when the database is asked in vain."""
    world, log = serving
    token, guess = make_token(world.environment, 42), "ra_" + "guess" * 8 + "abc"
    for secret in (token, guess):
        answer_to(world.environment, secret)
        httpx.get(f"{world.environment['PUBLIC_URL']}/api/token?token={secret}", trust_env=False)
    lines = log.read_text("utf-8")
    assert "ready" in lines
    assert token not in lines
    assert guess not in lines
