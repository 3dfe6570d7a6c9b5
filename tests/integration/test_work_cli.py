"""`rich-agent work`: what an operator sees and does, against PostgreSQL."""

import json

from typer.testing import CliRunner, Result

from rich_agent.cli import app
from rich_agent.commands.work import NO_WORK
from tests.integration.catalogue import execute

TOKEN = "700000001:AAF-sandbox-token-for-the-tests-000"
_ADD = """
INSERT INTO due_work (id, kind, key, user_id, payload, due_at, tries, last_error, set_aside_at)
VALUES (1, 'polish', 'vase', 424242, '{"text": "A secret wish"}', '2020-01-01', 3, 'no shade',
        now()),
    (2, 'polish', 'bowl', NULL, '{}', now() + interval '1 h', 0, '', NULL)
"""


def run(url: str, *arguments: str) -> Result:
    """The command on a test's database."""
    environment = {"DATABASE_URL": url, "TELEGRAM_BOT_TOKEN": TOKEN}
    return CliRunner().invoke(app, ["work", *arguments], env=environment)


def states(url: str) -> dict[int, str]:
    """The states that the list shows, by the ids."""
    return {row["id"]: row["state"] for row in json.loads(run(url, "list", "--json").output)}


def test_work_command_lists_what_is_due_and_has_it_done_again(database_url: str) -> None:
    """Work that was set aside comes first, without its user and without a word of theirs."""
    assert run(database_url, "list").output.strip() == NO_WORK
    execute(database_url, _ADD)
    listed = run(database_url, "list").output
    assert "no shade" in listed
    assert "secret wish" not in listed
    assert "424242" not in listed
    assert list(states(database_url).items()) == [(1, "set_aside"), (2, "waiting")]
    unknown = run(database_url, "retry", "1", "99")
    assert unknown.exit_code != 0
    assert run(database_url, "retry", "2").output.strip() == "1 due now: 2"
    assert json.loads(run(database_url, "retry", "1", "--json").output) == {"due": [1]}
    assert states(database_url) == {1: "due", 2: "due"}
