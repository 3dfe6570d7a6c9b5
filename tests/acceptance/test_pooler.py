"""The bot behind PgBouncer in transaction mode."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.acceptance.world import (
    ROOT,
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
)
from tests.database import PostgresServer
from tests.pooler import pooled

USERS = 8


@pytest.mark.costs("it starts a bot of its own")
def test_bot_answers_through_pooled_transactions(
    database_server: PostgresServer, database_template: str, tmp_path: Path, user: int
) -> None:
    """Many users at once, more than one turn each; without a direct address it does not start."""
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as direct,
        pooled(direct, "transaction", tmp_path) as url,
    ):
        settings = environment(sandbox.url, url)
        refused = command(["rich_agent.cli", "run"], settings, expect=1)
        assert "DATABASE_DIRECT_URL" in refused.stderr
        assert (
            "DATABASE_DIRECT_URL"
            in command(["rich_agent.cli", "doctor"], settings, expect=1).stdout
        )
        settings["DATABASE_DIRECT_URL"] = direct
        command(["rich_agent.cli", "migrate"], settings)
        command(["ingest.cli", "add-source", str(ROOT / "sample" / "solana")], settings)
        command(["ingest.cli", "sync"], settings)
        world = World(sandbox, settings, direct)
        with running_bot(settings), ThreadPoolExecutor(USERS) as people:

            def talk(number: int) -> str:
                for _ in range(2):
                    answer = world.ask(user + 50_000 + number, "What is proof of history?")
                return str(answer["text"])

            answers = list(people.map(talk, range(USERS)))
        assert all("[1]" in answer for answer in answers)
        dead = world.rows("SELECT update_id FROM telegram_inbox WHERE dead_at IS NOT NULL")
        assert dead == []
