"""Settings of guided sessions."""

from pathlib import Path

from rich_agent.feature import Group, setting


class SessionSettings(Group):
    """The operator's own sessions."""

    templates_dir: Path | None = setting(
        "Where the operator's own templates of guided sessions are (TOML files)."
    )
