"""Each of the project's own features taken out: its folder is deleted, and nothing else edited."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.world import ROOT, World, environment, running_sandbox, wait_until
from tests.database import PostgresServer

SOURCE = ROOT / "src" / "rich_agent"
FEATURES = sorted(path.parent.name for path in SOURCE.glob("features/*/__init__.py"))
USER = 62_001


def without(feature: str, folder: Path) -> Path:
    """A copy of the program without the folder of a feature; where to import it from."""
    # With what is compiled: a copy keeps the times by which that is known to be up to date.
    shutil.copytree(SOURCE, folder / "rich_agent")
    shutil.rmtree(folder / "rich_agent" / "features" / feature)
    return folder


def run(told: dict[str, str], *arguments: str) -> str:
    """The output of a command of the copy."""
    line = [sys.executable, "-m", "rich_agent.cli", *arguments]
    done = subprocess.run(line, env=told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("feature", FEATURES)
def test_nothing_outside_its_folder_names_a_feature(feature: str) -> None:
    """Not by an import, and not in a string; the entry point in pyproject.toml is its place."""
    named = re.compile(rf"features[./]{feature}\b")
    folder = SOURCE / "features" / feature
    naming = [
        path.relative_to(ROOT)
        for root in (SOURCE, ROOT / "ingest")
        for path in root.rglob("*.py")
        if folder not in path.parents and named.search(path.read_text("utf-8"))
    ]
    assert naming == []


@pytest.mark.costs("it starts a bot, and two commands that load anew")
@pytest.mark.parametrize("feature", FEATURES)
def test_bot_runs_without_a_feature(
    feature: str, tmp_path: Path, database_server: PostgresServer, database_template: str
) -> None:
    """It starts, answers /help and /export, and doctor says what is left out."""
    copy = without(feature, tmp_path)
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        told = environment(sandbox.url, url, PYTHONPATH=str(copy))
        world = World(sandbox, told, url)
        assert "rich-agent" in run(told, "--help")
        left_out = [
            one for one in json.loads(run(told, "doctor", "--json")) if feature in one["name"]
        ]
        assert [one["level"] for one in left_out] == ["warn"]
        line = [sys.executable, "-m", "rich_agent.cli", "run"]
        log = tmp_path / "log"
        with log.open("wb") as output:
            bot = subprocess.Popen(line, env=told, stdout=output, stderr=output)
            try:
                wait_until(lambda: "ready" in log.read_text("utf-8"), "the bot is ready")
                assert "/help" in world.ask(USER, "/help")["text"]
                assert "document" in world.ask(USER, "/export")
            finally:
                bot.terminate()
                bot.wait(60)
