"""The table of versions, by which an operator plans an upgrade, is that of the code."""

import re
from pathlib import Path

from rich_agent.repositories.database.embedded_guard import MAJOR_VERSION
from rich_agent.repositories.database.schema import APP, RAG
from rich_agent.repositories.database.servers import OLDEST

ROOT = Path(__file__).parents[2]


def test_newest_row_is_this_version() -> None:
    """Its tables, the oldest programs that run on them, and what it needs."""
    guide = (ROOT / "docs/how-to/upgrade.md").read_text("utf-8")
    row = re.findall(r"^\| \d.*$", guide, re.MULTILINE)[-1]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    version = re.search(r'^version = "(.+)"', project, re.MULTILINE)
    python = re.search(r'^requires-python = ">=(.+)"', project, re.MULTILINE)
    assert version
    assert python
    assert cells == [
        version[1],
        f"{APP.revisions()[-1]}, {RAG.revisions()[-1]}",
        f"of {APP.oldest()} and {RAG.oldest()}, or newer",
        f"{OLDEST // 10_000} to {MAJOR_VERSION}",
        f"{python[1]} or newer",
    ]
