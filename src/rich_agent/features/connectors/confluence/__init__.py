"""Pages, blog posts and attachments of Confluence Cloud."""

from typing import TYPE_CHECKING

from rich_agent.feature import ConnectorKind

if TYPE_CHECKING:
    from rich_agent.feature.connectors import Opening, Service
    from rich_agent.features.connectors.confluence.pages import Confluence, ConfluenceConfig


def load() -> "Service[ConfluenceConfig]":
    """Load the code that reads the service."""
    from rich_agent.feature.connectors import Service
    from rich_agent.features.connectors.confluence.pages import ConfluenceConfig, open_confluence

    def open_one(config: ConfluenceConfig, opening: "Opening") -> "Confluence":
        return open_confluence(
            config, opening.secret, source=opening.source, intranet=opening.intranet
        )

    return Service(ConfluenceConfig, open_one)


connector = ConnectorKind(
    name="confluence",
    load=load,
    asks_for="API token",
    has_rights=True,
)
