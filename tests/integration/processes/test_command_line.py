"""Command lines of both programs: what they tell about themselves, and how little they load."""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import ingest.cli
import rich_agent.cli

PROGRAMS = {"rich-agent": rich_agent.cli.app, "ingest": ingest.cli.app}
HEAVY = {
    *("openai", "langchain_core", "langchain_openai", "langgraph", "langsmith", "telegram"),
    *("trafilatura", "numpy", "httpx", "httpx2", "sqlalchemy", "alembic", "jinja2", "lxml", "PIL"),
    *("pypdfium2", "starlette", "prometheus_client"),
}
DATABASE_COMMANDS = {
    "ingest list": "ingest.commands, ingest.display",
    "rich-agent usage": "rich_agent.features.operator.usage, rich_agent.composition.core",
    "rich-agent inbox": "rich_agent.commands.inbox",
}
TALKING = {f"rich-agent {name}" for name in ("demo", "setup", "run", "serve", "worker", "chat")}
HELP = "import {0}.cli, sys\ntry: {0}.cli.app(['--help'])\nexcept SystemExit: pass"


def loaded_by(code: str) -> set[str]:
    """The packages that a new interpreter has loaded after this code."""
    tell = "import sys; print('LOADED', *{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{tell}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("package", ["ingest", "rich_agent"])
def test_help_loads_no_heavy_package(package: str) -> None:
    """Neither the database nor the reader of settings."""
    assert not loaded_by(HELP.format(package)) & (HEAVY | {"psycopg", "pydantic", "rich"})


@pytest.mark.costs("it starts commands unforked, to see what they load")
@pytest.mark.parametrize("modules", DATABASE_COMMANDS.values(), ids=DATABASE_COMMANDS)
def test_command_that_asks_no_model_loads_none(modules: str) -> None:
    """A command on the database loads its driver, and no client of anything else."""
    loaded = loaded_by(f"import rich_agent.cli, ingest.cli, {modules}")
    assert "psycopg" in loaded
    assert not loaded & HEAVY


@pytest.mark.costs("it starts commands unforked, to see what they load")
def test_repositories_need_no_declarations_of_tables() -> None:
    """Rows of the database say all that follows, without SQLAlchemy, which takes 29 MB."""
    loaded = loaded_by("import rich_agent.composition.repositories, rich_agent.feature")
    assert "psycopg" in loaded
    assert not loaded & {"sqlalchemy", "alembic"}


@pytest.mark.costs("it starts commands unforked, to see what they load")
def test_search_loads_neither_the_graph_nor_a_chat_model() -> None:
    """A command that makes one vector needs the client of the server alone."""
    loaded = loaded_by("import ingest.cli, ingest.searching, rich_agent.composition.model_server")
    assert "openai" in loaded
    assert not loaded & {"langgraph", "langchain_core", "langchain_openai", "telegram"}


@pytest.mark.costs("it starts commands unforked, to see what they load")
def test_run_receives_before_it_loads_what_answers() -> None:
    """Most of a start is the graph and the clients of models, which a receiver does without."""
    loaded = loaded_by("import rich_agent.cli, rich_agent.commands.run")
    assert {"telegram", "psycopg", "starlette"} <= loaded
    assert not loaded & {"openai", "langchain_core", "langsmith", "numpy"}


@pytest.mark.costs("it starts commands unforked, to see what they load")
def test_setup_asks_before_it_loads_a_chat_model() -> None:
    """The first question is about Telegram."""
    loaded = loaded_by("import rich_agent.cli, rich_agent.commands.setup")
    assert not loaded & {"langgraph", "langchain_core", "langchain_openai", "langsmith"}


@pytest.mark.parametrize("arguments", [["ask", "hi"], ["chat"]])
def test_missing_key_is_told_before_anything_is_loaded(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for the graph to learn what to write; nothing is left where one stands."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "")
    code = (
        "import rich_agent.cli\nfrom rich_agent.errors import InvalidSettingsError\n"
        f"try: rich_agent.cli.app({arguments}, standalone_mode=False)\n"
        "except InvalidSettingsError as error: print(error)\nelse: raise SystemExit(3)"
    )
    assert not loaded_by(code) & (HEAVY | {"psycopg"})
    assert list(tmp_path.iterdir()) == []


def every_help(app: typer.Typer, path: tuple[str, ...] = ()) -> list[str]:
    """The help of a program and of all its commands, in 80 columns."""
    shown = CliRunner().invoke(app, [*path, "--help"], terminal_width=80).output
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", shown, re.MULTILINE)
    names = re.findall(r"^  (\S+)", listed[1], re.MULTILINE) if listed else []
    return [shown, *(text for name in names for text in every_help(app, (*path, name)))]


@pytest.mark.parametrize("app", PROGRAMS.values(), ids=PROGRAMS)
def test_help_is_whole(app: typer.Typer) -> None:
    """No summary is cut, and no argument has braces."""
    helps = every_help(app)
    assert len(helps) >= 10
    for shown in helps:
        commands = shown.partition("Commands:")[2]
        assert not re.search(r"\.\.\.$|…$", commands, re.MULTILINE), shown
        assert not re.search(r"[{}]|\[\[", shown.splitlines()[0]), shown


def commands_of(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The commands below one, by their words, without the groups."""
    children = getattr(command, "commands", None)
    if children is None:
        yield path, command
        return
    for name, child in children.items():
        yield from commands_of(child, f"{path} {name}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_whatever_is_shown_or_made_is_shown_as_json(name: str) -> None:
    """Only a command that talks with a person or runs a bot has no --json."""
    program = typer.main.get_command(PROGRAMS[name])
    without = {
        path
        for path, command in commands_of(program, name)
        if not any("--json" in parameter.opts for parameter in command.params)
    }
    assert without <= TALKING


@pytest.mark.parametrize("app", PROGRAMS.values(), ids=PROGRAMS)
def test_version_is_that_of_the_package(app: typer.Typer) -> None:
    """Without any setting."""
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.output) == (0, f"rich-agent {version('rich-agent')}\n")
