"""`rich-agent eval`: the operator's questions through the whole bot, and what the marks find."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.acceptance.test_commands import press
from tests.acceptance.world import ROOT, Sandbox, World, command, environment
from tests.database import PostgresServer
from tests.integration.catalogue import contents

WRITTEN = (ROOT / "sample" / "answers.toml").read_text("utf-8")
LOST = "transactions-and-fees"
SOME = "What is the base fee for each signature of a transaction?"


def questions_on(*pages: str) -> list[str]:
    """The English questions of sample/answers.toml that these pages answer, as TOML."""
    tables = WRITTEN.partition("# German")[0].split("[[questions]]")[1:]
    return [f"[[questions]]{one}" for one in tables if any(f'"{page}"' in one for page in pages)]


@pytest.fixture
def own(sandbox: Sandbox, database_server: PostgresServer, with_samples: str) -> Iterator[World]:
    """The samples in a database of the test's own; the web cannot be searched."""
    with database_server.database(with_samples) as url:
        yield World(sandbox, environment(sandbox.url, url, TAVILY_API_KEY=""), url)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Questions on two pages."""
    path = tmp_path / "questions.toml"
    some = [*questions_on(LOST)[:3], *questions_on("proof-of-history")[:2]]
    path.write_text("\n".join(some), "utf-8")
    return path


def evaluate(world: World, file: Path, *options: str, **settings: str) -> dict[str, Any]:
    """`rich-agent eval answers --json`."""
    arguments = ["rich_agent.cli", "eval", "answers", str(file), "--json", *options]
    return dict(json.loads(command(arguments, {**world.environment, **settings}).stdout))


def evaluate_with_prompt(world: World, file: Path, folder: Path) -> dict[str, Any]:
    """The same by a copy of the program whose answers are written without the passages."""
    shutil.copytree(ROOT / "src" / "rich_agent", folder / "rich_agent")
    prompt = folder / "rich_agent" / "prompts" / "N6_synthesize.md"
    spoilt = prompt.read_text("utf-8").replace("for passage in passages", "for passage in []")
    prompt.write_text(spoilt, "utf-8")
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "rich_agent.cli", "eval", "answers", str(file), "--json"],
        env={**world.environment, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=90,
    )
    return dict(json.loads(done.stdout))


def worse_in(found: dict[str, Any]) -> dict[str, list[str]]:
    """The questions that got worse since the last evaluation, with what their answers lost."""
    (since,) = found["differences"]
    return {one["ask"]: one["lost"] for one in since["worse"]}


@pytest.mark.costs("it asks a whole set of questions")
def test_eval_answers_marks_every_answer_and_touches_nobody(
    world: World, user: int, tmp_path: Path
) -> None:
    """Facts, sources, tokens, seconds and cost, with intervals; only their figures are stored."""
    world.ask(user, "My name is Ada, and I live in Oslo.")
    file = tmp_path / "questions.toml"
    acting = '[[questions]]\nask = "Add a task: buy milk"\nfacts = ["zebra"]\n'
    file.write_text("\n".join([*questions_on("proof-of-history")[:4], acting]), "utf-8")
    world.await_idle()
    before = contents(world.database_url)
    found = evaluate(world, file, MODEL_PRICES="sandbox-chat=1.00/2.00,sandbox-embedding=0.1")
    after = contents(world.database_url)
    assert after.pop("evaluation_runs")[0] == before.pop("evaluation_runs")[0] + 1
    assert after == before
    (made,) = found["evaluations"]
    measures, answers = made["measures"], made["answers"]
    assert [one["ask"] for one in answers][-1] == "Add a task: buy milk"
    assert all(one["facts"] and one["tokens"] > 0 and one["seconds"] > 0 for one in answers)
    assert not any(one["failure"] for one in answers)
    assert [all(one["facts"].values()) for one in answers] == [True] * (len(answers) - 1) + [False]
    assert measures["citations"]["value"] == 1.0
    assert measures["facts"]["low"] < measures["facts"]["value"] < measures["facts"]["high"]
    assert 0 < measures["cost"]["low"] <= measures["cost"]["value"] <= measures["cost"]["high"]
    assert found["differences"] == []


@pytest.mark.soak
def test_eval_answers_finds_a_lost_document(own: World, file: Path) -> None:
    """Exactly the questions that it answered got worse, each by its source."""
    first = evaluate(own, file)
    with psycopg.connect(own.database_url) as connection:
        connection.execute("DELETE FROM rag_documents WHERE url LIKE %s", (f"%/{LOST}%",))
    worse = worse_in(evaluate(own, file))
    answered = {one["ask"] for one in first["evaluations"][0]["answers"]}
    assert worse.keys() == {ask for ask in answered if f'"{ask}"' in "".join(questions_on(LOST))}
    assert len(worse) == 3
    assert all("an expected source is cited" in lost for lost in worse.values())
    assert "“5,000 lamports”" in worse[SOME]


@pytest.mark.soak
def test_eval_answers_finds_halved_passages(own: World, file: Path) -> None:
    """Facts are lost whose half of the passage is gone."""
    evaluate(own, file)
    with psycopg.connect(own.database_url) as connection:
        connection.execute("UPDATE rag_chunks SET content = left(content, length(content) / 2)")
    worse = worse_in(evaluate(own, file))
    assert "“burned”" in worse["What happens to half of the base fee?"]


@pytest.mark.soak
def test_eval_answers_finds_a_wrong_prompt(own: World, file: Path, tmp_path: Path) -> None:
    """One that shows no passages: most answers lost their source."""
    first = evaluate(own, file)
    worse = worse_in(evaluate_with_prompt(own, file, tmp_path))
    right = sum(one["cites"] for one in first["evaluations"][0]["answers"])
    lost_source = sum("an expected source is cited" in lost for lost in worse.values())
    assert lost_source > right / 2


@pytest.mark.costs("it asks a whole set of questions")
def test_eval_answers_compares_settings(own: World, file: Path) -> None:
    """Each with those as they are; a model that cannot be asked is named; then the last time."""
    options = [
        *("--against", "RETRIEVAL_PASSAGES=1"),
        *("--against", "CHAT_MODEL=unknown EMBEDDING_MODEL=none"),
    ]
    arguments = ["rich_agent.cli", "eval", "answers", str(file), *options]
    shown = command(arguments, own.environment).stdout
    assert "RETRIEVAL_PASSAGES=1 instead of sandbox-chat:" in shown
    assert "CHAT_MODEL=unknown EMBEDDING_MODEL=none: questions without an answer:" in shown
    assert f"worse: {SOME}\n  - “5,000 lamports”" in shown
    again = command(arguments[:4], own.environment).stdout
    assert "Since the last evaluation" in again
    assert "No question changed." in again


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--against", "CHAT_MODLE=x"], "CHAT_MODLE: --against changes settings"),
        (["--against", "RETRIEVAL_PASSAGES=many"], "RETRIEVAL_PASSAGES"),
        (["--against", "CHAT_MODEL='x"], "Close the quote"),
    ],
)
def test_eval_answers_says_which_setting_is_wrong(
    own: World, file: Path, options: list[str], said: str
) -> None:
    """Before anything is asked."""
    mark = own.sandbox.mark()
    arguments = ["rich_agent.cli", "eval", "answers", str(file), *options]
    assert said in command(arguments, own.environment, expect=1).stderr
    assert own.sandbox.calls("openai", mark) == []


@pytest.mark.costs("it asks a whole set of questions")
def test_eval_from_ratings_writes_questions_to_complete(
    world: World, user: int, tmp_path: Path
) -> None:
    """Without user and answer; once completed they can be asked. Forgotten ones are gone."""
    question = "What is the proof of history?"
    sent = world.sandbox.say(user, question)
    press(world, user, world.answer(user, sent), "👎")
    drafted = command(["rich_agent.cli", "eval", "from-ratings"], world.environment).stdout
    table = f'# rich-agent trace tg:{sent.update_id}\nask = "{question}"\nfacts = []\n'
    assert table in drafted
    as_json = command(["rich_agent.cli", "eval", "from-ratings", "--json"], world.environment)
    assert {"trace": f"tg:{sent.update_id}", "ask": question, "facts": []} in json.loads(
        as_json.stdout
    )
    assert f"tg:{user}" not in drafted
    assert "clock made of hashes" not in drafted
    file = tmp_path / "rated.toml"
    file.write_text("[[questions]]\n" + table, "utf-8")
    arguments = ["rich_agent.cli", "eval", "answers", str(file)]
    assert "line 1" in command(arguments, world.environment, expect=1).stderr
    file.write_text("[[questions]]\n" + table.replace("[]", '["clock made of hashes"]'), "utf-8")
    assert evaluate(world, file)["evaluations"][0]["measures"]["right"]["value"] == 1.0
    press(world, user, world.ask(user, "/forget"), "Yes, delete everything")
    assert question not in command([*arguments[:2], "from-ratings"], world.environment).stdout
