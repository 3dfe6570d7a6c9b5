"""A turn whose process dies goes on in the next one."""

import hashlib
import json
import os
import signal
from collections import Counter
from pathlib import Path

import psycopg
import pytest

from rich_agent.domain.vision import ImageSummary
from rich_agent.ports.images import SeenImage
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.images import PostgresImageSummaries
from rich_agent.turns.runner import Answered
from tests.forking import Ended, run_to_end
from tests.integration.dying_turn import PHOTO, TELLING_CALLS
from tests.integration.turns_on_postgres import DEADLINE_S, cast_for, opened, rows_of, run
from tests.scripted import ScriptedChat, ScriptedFiles

NODES = ["N1", "N2", "N3", "N4", "N5", "N8", "N6", "N7"]


def _process(url: str, directory: Path, *line: str) -> Ended:
    line = ("tests.integration.dying_turn", url, str(directory), *line)
    return run_to_end(line, os.environ, directory, deadline_s=DEADLINE_S)


@pytest.mark.req("DUR-1", "DUR-2", "REL-1")
@pytest.mark.parametrize("victim", TELLING_CALLS)
async def test_turn_of_a_killed_process_goes_on_in_the_next_one(
    database_url: str, tmp_path: Path, victim: str
) -> None:
    """SIGKILL inside any node: the nodes before it are not run again, and all is kept once."""
    async with open_pool(database_url, max_size=1) as pool:
        image = SeenImage("photo", hashlib.sha256(PHOTO).hexdigest(), "image/png", len(PHOTO))
        await PostgresImageSummaries(pool).store(image, "scripted-vision", ImageSummary("A photo."))

    assert _process(database_url, tmp_path, victim).returncode == -signal.SIGKILL
    done = _process(database_url, tmp_path, victim)

    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert report["answer"] == "It is so [1]."
    assert report["events"].count("Answered") == 1
    assert [node[:2] for node in report["nodes"]] == NODES
    calls = Counter((tmp_path / "calls").read_text().split())
    assert {call: calls[call] for call in TELLING_CALLS} == {
        **dict.fromkeys(TELLING_CALLS, 1),
        victim: 2,
    }
    with psycopg.connect(database_url) as connection:
        kept = connection.execute("SELECT role, content FROM messages ORDER BY id").fetchall()
        decided = connection.execute("SELECT request_id FROM retrieval_decisions").fetchall()
    assert kept == [("user", "What is staking?"), ("assistant", "It is so [1].")]
    assert decided == [("r1",)]
    assert rows_of(database_url)["checkpoints"] == 1


@pytest.mark.req("DUR-1")
def test_turn_of_text_killed_while_it_answers_is_not_planned_again(
    database_url: str, tmp_path: Path
) -> None:
    """The first steps of a text were stored with its plan, so the next process only answers."""
    line = (database_url, tmp_path, "chat.stream", "text")
    assert _process(*line).returncode == -signal.SIGKILL
    done = _process(*line)
    assert json.loads(done.stdout)["answer"] == "It is so [1]."
    calls = Counter((tmp_path / "calls").read_text().split())
    assert [calls[call] for call in ("memories.load", "planner.plan", "chat.stream")] == [1, 1, 2]


@pytest.mark.req("DUR-1")
async def test_turn_delivered_again_in_its_first_node_gives_no_older_answer(
    database_url: str,
) -> None:
    """A turn that broke before its state was reset does not answer with the turn before it."""
    cast = cast_for()
    async with opened(database_url, cast) as turns:
        await run(turns, "What is staking?")
        with pytest.raises(KeyError):
            await run(turns, "What is this?", request_id="r2", photos=("lost",))
        cast.files = ScriptedFiles({"lost": PHOTO})
        cast.chat = ScriptedChat(("A photo.",))
        name, digest = cast.vision.name, hashlib.sha256(PHOTO).hexdigest()
        cast.summaries.summaries[digest, name] = ImageSummary("A photo.")
    async with opened(database_url, cast) as turns:
        events = await run(turns, "What is this?", request_id="r2", photos=("lost",))
    answers = [event.answer.text for event in events if isinstance(event, Answered)]
    assert answers == ["A photo."]
