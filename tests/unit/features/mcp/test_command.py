"""Messages about a server's command that ended."""

from rich_agent.features.mcp.command import ServerProcess

NODE = """node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/notes/index.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at Module._load (node:internal/modules/cjs/loader:1051:27)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.11.0
"""


def test_command_that_ended_is_explained_by_its_error() -> None:
    """The sentence comes first, whatever stack stands behind it."""
    process = ServerProcess()
    for line in NODE.splitlines():
        process.keep(line)
    assert process.explain().startswith(
        "the command ended: Error: Cannot find module '/srv/notes/index.js' / "
    )


def test_command_without_an_error_is_explained_by_its_last_words() -> None:
    """Five lines at most."""
    process = ServerProcess()
    for number in range(9):
        process.keep(f"line {number}")
    assert process.explain() == "the command ended: line 4 / line 5 / line 6 / line 7 / line 8"
