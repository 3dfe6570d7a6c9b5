"""Files of Git repositories."""

from typing import TYPE_CHECKING

from rich_agent.feature import ConnectorKind

if TYPE_CHECKING:
    from rich_agent.feature.connectors import Opening, Service
    from rich_agent.features.connectors.git.repository import GitConfig, GitConnector


def load() -> "Service[GitConfig]":
    """Load the code that reads the service."""
    from rich_agent.feature.connectors import Service
    from rich_agent.features.connectors.git.repository import GitConfig, open_git

    def open_one(config: GitConfig, opening: "Opening") -> "GitConnector":
        return open_git(config, opening.secret, source=opening.source, folder=opening.folder)

    return Service(GitConfig, open_one)


connector = ConnectorKind(
    name="git",
    load=load,
    asks_for="access token",
    library="dulwich",
    extra="connectors",
)
