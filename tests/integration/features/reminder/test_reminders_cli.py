"""`rich-agent reminders`: what an operator sees, against PostgreSQL."""

import json

import psycopg
from typer.testing import CliRunner, Result

from rich_agent.cli import app
from rich_agent.features.reminder.report import ALL_CAME

TOKEN = "700000001:AAF-sandbox-token-for-the-tests-000"
_ADD = """
INSERT INTO schedules (user_id, text, kind, local_start, tz, local_next, next_at)
VALUES (42, 'A secret wish', 'reminder', now(), 'UTC', now(), now() - make_interval(mins => %s))
RETURNING id
"""
_FIRE = """
INSERT INTO schedule_firings (schedule_id, occurrence, state, due_at, error)
VALUES (%s, now(), 'failed', now(), 'Telegram does not take it')
"""


def run(url: str, *arguments: str) -> Result:
    """The command on a test's database."""
    environment = {"DATABASE_URL": url, "TELEGRAM_BOT_TOKEN": TOKEN}
    return CliRunner().invoke(app, ["reminders", *arguments], env=environment)


def test_reminders_command_says_that_all_came(database_url: str) -> None:
    """A reminder that is due in an hour, or was due this moment, is no trouble."""
    with psycopg.connect(database_url) as connection:
        connection.execute(_ADD, (-60,))
        connection.execute(_ADD, (0,))
    result = run(database_url)
    assert (result.exit_code, result.output.strip()) == (0, ALL_CAME)
    assert json.loads(run(database_url, "--json").output) == []


def test_reminders_command_lists_what_is_late_or_failed_without_telling_who(
    database_url: str,
) -> None:
    """A row each; the user by a tag, and no word of theirs."""
    with psycopg.connect(database_url) as connection:
        late = connection.execute(_ADD, (5,)).fetchone()
        failed = connection.execute(_ADD, (-60,)).fetchone()
        assert late is not None
        assert failed is not None
        connection.execute(_FIRE, failed)
    told = run(database_url)
    rows = json.loads(run(database_url, "--json").output)
    assert {(row["reminder"], row["state"]) for row in rows} == {
        (late[0], "late"),
        (failed[0], "failed"),
    }
    assert "Telegram does not take it" in told.output
    assert "secret wish" not in told.output
    assert "\t42\t" not in told.output
