"""The file of tool servers: what other programs write, what is ours, and what is wrong."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from rich_agent.domain.rules import EVERY, Rule
from rich_agent.errors import InvalidSettingsError
from rich_agent.features.mcp.definitions import McpServer
from rich_agent.features.mcp.servers_file import McpServerFile, read_mcp_servers
from rich_agent.features.mcp.settings import McpSettings
from rich_agent.settings.settings import Settings


@pytest.fixture(autouse=True)
def _scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(servers: dict[str, Any]) -> McpServerFile:
    """The content of a file with these servers."""
    path = Path("servers.json")
    path.write_text(json.dumps({"mcpServers": servers, "inputs": []}), "utf-8")
    return read_mcp_servers(path)


def only_problem(entry: dict[str, Any], name: str = "one") -> str:
    """The problem of the one server of a file, and how to fix it."""
    file = read({name: entry})
    (problem,) = file.problems
    assert file.servers == ()
    return problem.explain()


def test_file_of_another_program_is_read() -> None:
    """With our own keys besides; what is let pass there counts for nothing here."""
    file = read(
        {
            "time": {"command": "uvx", "args": ["mcp-server-time"], "autoApprove": ["*"]},
            "far": {
                "type": "http",
                "url": "https://far.example/mcp",
                "tools": ["look"],
                "trusted": True,
                "timeout_s": 5,
                "rules": {
                    "look": {"sends": []},
                    "make": {"given": ["title"], "most_a_day": 3, "sums": {"n": 9}},
                },
            },
            "off": {"command": "x", "disabled": True},
        }
    )
    assert file.problems == ()
    assert file.servers == (
        McpServer("time", command="uvx", args=("mcp-server-time",)),
        McpServer(
            "far",
            url="https://far.example/mcp",
            tools=frozenset({"look"}),
            is_trusted=True,
            timeout_s=5.0,
            rules={
                "look": Rule(user_provided=EVERY, sends=()),
                "make": Rule(("title",), sends=EVERY, most_a_day=3, sums={"n": 9}),
            },
        ),
    )


def test_file_takes_variables_of_the_process_and_of_the_env_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Values in headers and environments are secret; a path is not."""
    Path(".env").write_text("TOKEN=from-the-file\nSHARED=from-the-file\n", "utf-8")
    monkeypatch.setenv("SHARED", "from-the-process")
    monkeypatch.setenv("FOLDER", "/srv/documents")
    file = read(
        {
            "a": {"url": "https://a.example", "headers": {"Authorization": "Bearer ${TOKEN}"}},
            "b": {
                "command": "b",
                "args": ["${FOLDER}", "${LEVEL:-low}"],
                "env": {"KEY": "${env:SHARED}"},
            },
        }
    )
    a, b = file.servers
    assert a.headers == {"Authorization": "Bearer from-the-file"}
    assert (b.args, b.env) == (("/srv/documents", "low"), {"KEY": "from-the-process"})
    assert {"from-the-file", "from-the-process", "Bearer from-the-file"} == file.secrets
    assert "from-the" not in repr(file.servers)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({}, "needs either a command or a url"),
        ({"command": "a", "url": "https://a.example"}, "needs either a command or a url"),
        ({"type": "stdio", "url": "https://a.example"}, "needs command"),
        ({"type": "sse", "url": "https://a.example"}, "SSE only"),
        ({"url": "a.example"}, "not a web address"),
        ({"command": "a", "tool": ["x"]}, "there is no key 'tool'"),
        ({"command": "a", "timeout_s": 900}, "timeout_s"),
        ({"command": "a", "rules": {"look": {"give": []}}}, "given, sends"),
        ({"command": "a", "trusted": "yes"}, "trusted"),
        ({"command": "a", "env": {"A": 1}}, "env.A"),
        ({"url": "https://a.example", "headers": {"A": "${NOT_SET_ANYWHERE}"}}, "NOT_SET_ANYWHERE"),
    ],
)
def test_file_tells_what_is_wrong_with_a_server(entry: dict[str, Any], told: str) -> None:
    """And what to write."""
    problem = only_problem(entry)
    assert told in problem
    assert "→" in problem


def test_file_does_not_quote_what_may_be_secret() -> None:
    """An error is copied into chats and tickets."""
    assert "sesame" not in only_problem({"url": "https://a.example", "headers": ["sesame"]})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot be read"),
        ("{", "line 1 is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("\xff", "is not JSON"),
        ("{}", "has no mcpServers"),
        (" " * 2**21, "larger than 1 MB"),
    ],
)
def test_settings_refuse_a_file_that_is_none(
    content: str | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the bot starts."""
    if content is not None:
        Path("servers.json").write_text(content, "latin-1")
    monkeypatch.setenv("MCP_SERVERS_FILE", "servers.json")
    with pytest.raises(InvalidSettingsError, match=told) as raised:
        Settings.load()
    assert [one.name for one in raised.value.problems] == ["MCP_SERVERS_FILE"]


def test_settings_know_the_secrets_of_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are kept out of logs like the bot's own."""
    read({"a": {"url": "https://a.example", "headers": {"X-Key": "sesame-sesame"}}})
    monkeypatch.setenv("MCP_SERVERS_FILE", "servers.json")
    assert "sesame-sesame" in Settings.load().secrets


def test_settings_keep_the_servers_when_they_forget_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server may share a key with the bot; processes that are started later get neither."""
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-shared")
    monkeypatch.setenv("ISSUES_TOKEN", "sesame-sesame")
    headers = {"A": "${TAVILY_API_KEY}", "B": "${ISSUES_TOKEN}"}
    read({"a": {"url": "https://a.example", "headers": headers}})
    monkeypatch.setenv("MCP_SERVERS_FILE", "servers.json")
    settings = Settings.load()
    settings.forget_secrets()
    assert not {"TAVILY_API_KEY", "ISSUES_TOKEN"} & os.environ.keys()
    (server,) = settings.section(McpSettings).content.servers
    assert server.headers == {"A": "tvly-shared", "B": "sesame-sesame"}


def test_secret_of_an_mcp_server_comes_from_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable of the file of servers is as secret as a setting."""
    text = '{"mcpServers": {"one": {"url": "https://x.example", "headers": {"A": "${ISSUES}"}}}}'
    Path("servers.json").write_text(text, "utf-8")
    Path("issues").write_text("sesame\n", "utf-8")
    monkeypatch.setenv("ISSUES_FILE", "issues")
    file = read_mcp_servers(Path("servers.json"))
    assert file.servers[0].headers == {"A": "sesame"}
    assert file.secrets == {"sesame"}
    monkeypatch.setenv("ISSUES_FILE", "elsewhere")
    (problem,) = read_mcp_servers(Path("servers.json")).problems
    assert "elsewhere (ISSUES_FILE) cannot be read" in str(problem)
