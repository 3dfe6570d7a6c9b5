"""/stats of the running bot, which has a database of its own."""

import pytest

from tests.acceptance.test_commands import command, press
from tests.acceptance.world import (
    ADMIN,
    World,
    environment,
    running_bot,
    running_sandbox,
)
from tests.acceptance.world import command as run_command
from tests.database import PostgresServer

ADA, BOB = 101, 102


@pytest.mark.costs("it starts bots of its own")
def test_stats_count_users_turns_and_feedback(
    database_server: PostgresServer, database_template: str
) -> None:
    """For admins; a line for each subject. Who asks at the terminal is no user of Telegram."""
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as url,
        running_bot(environment(sandbox.url, url)),
    ):
        small = World(sandbox, environment(sandbox.url, url), url)
        for user in (ADA, BOB):
            answer = small.ask(user, "Write a haiku about the sea")
        press(small, BOB, answer, "👎")
        run_command(["rich_agent.cli", "ask", "Write a haiku"], small.environment)
        lines = command(small, ADMIN, "/stats")["text"].splitlines()
    assert lines[0] == "Statistics"
    assert lines[1].startswith("Users: 3; 3 in the last day, 3 in 7 days; 0 ")
    assert lines[2] == "Answers: 3 in the last day, 3 in 7 days"
    assert lines[3] == "Plans, 7 days: direct 3"
    assert lines[5].startswith("Failures: 0 answers broken off and 0 messages not delivered")
    assert lines[6] == "Feedback: 👍 0, 👎 1"
    assert not any("approval" in line for line in lines)
