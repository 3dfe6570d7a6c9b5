"""`rich-agent tools` and `rich-agent doctor` tell of the servers of tools."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rich_agent.cli import app
from tests.integration.mcp.offices import at_address, by_command

WriteFile = Callable[..., None]


@pytest.fixture
def write_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database_url: str) -> WriteFile:
    """Writes the file of servers; there is no bot and no model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", database_url)

    def write(policies: str = "{}", **servers: dict[str, Any]) -> None:
        Path("servers.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
        monkeypatch.setenv("MCP_SERVERS_FILE", "servers.json")
        monkeypatch.setenv("TOOL_POLICIES", policies)

    return write


def office(**more: Any) -> dict[str, Any]:
    """The entry of an office that is started by its command."""
    server = by_command()
    return {"command": server.command, "args": list(server.args), **more}


@dataclass(frozen=True, slots=True)
class Told:
    """The lines of a command with `--json`, by their names."""

    exit_code: int
    lines: dict[str, dict[str, Any]]


def told_by(command: str) -> Told:
    """The output of the command."""
    done = CliRunner().invoke(app, [command, "--json"], catch_exceptions=False)
    found = json.loads(done.stdout)
    return Told(done.exit_code, {one["name"]: one for one in found})


def test_tools_command_lists_all_tools(write_file: WriteFile) -> None:
    """The bot's own and those of servers, with what asks first, and why some are hidden."""
    write_file(
        '{"office__switch": "auto", "office__note": "auto", "office__show": "deny", "nix": "ask"}',
        office=office(trusted=True),
        gone={"url": "http://127.0.0.1:9/mcp"},
    )
    lines = told_by("tools").lines
    assert lines["search_documents"]["policy"] == "auto"
    assert lines["office__look_up"] == {
        "name": "office__look_up",
        "origin": "office",
        "effect": "reads",
        "policy": "auto",
        "note": "",
        "change": "",
    }
    assert lines["save_ceremony_output"]["note"] == "only in guided sessions"
    assert lines["office__switch"]["policy"] == "auto"
    assert lines["office__note"]["policy"] == "ask"
    assert "may destroy something" in lines["office__note"]["note"]
    assert "TOOL_POLICIES denies it" in lines["office__show"]["note"]
    assert "more than 8,000 characters" in lines["office__huge_schema"]["note"]
    assert "no such tool" in lines["nix"]["note"]
    assert "All connection attempts failed" in lines["gone__*"]["note"]


def test_doctor_fails_for_a_server_that_cannot_be_used(write_file: WriteFile) -> None:
    """It says why, and what to do; a server that is well is told with its tools."""
    with at_address(OFFICE_TOKEN="right") as guarded:
        write_file(
            office=office(tools=["look_up", "nothing"]),
            trusted=office(trusted=True),
            guarded={"url": guarded.server.url},
            wrong=office(args=["-c", "import sys; sys.exit('no such flag')"]),
        )
        told = told_by("doctor")
    lines = told.lines
    assert told.exit_code == 1
    assert lines["tool server office"]["level"] == "warn"
    assert "nothing" in lines["tool server office"]["hint"]
    assert lines["tool server trusted"]["level"] == "ok"
    assert "hidden: huge_schema" in lines["tool server trusted"]["detail"]
    assert lines["tool server guarded"]["level"] == "FAIL"
    assert "headers of guarded" in lines["tool server guarded"]["hint"]
    assert "no such flag" in lines["tool server wrong"]["detail"]


def test_commands_load_no_library_without_servers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A start takes no longer for what is not used."""
    monkeypatch.chdir(tmp_path)
    code = (
        "import sys, rich_agent.composition.answering; "
        "assert not {'mcp', 'mcp_types', 'jsonschema'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
