"""Files of Google Drive."""

from typing import TYPE_CHECKING

from rich_agent.feature import ConnectorKind

if TYPE_CHECKING:
    from rich_agent.feature.connectors import Opening, Service
    from rich_agent.features.connectors.drive.changes import Drive, DriveConfig


def load() -> "Service[DriveConfig]":
    """Load the code that reads the service."""
    from rich_agent.feature.connectors import Service
    from rich_agent.features.connectors.drive.changes import DriveConfig, open_drive

    def open_one(config: DriveConfig, opening: "Opening") -> "Drive":
        return open_drive(config, opening.secret, source=opening.source, intranet=opening.intranet)

    return Service(DriveConfig, open_one)


connector = ConnectorKind(
    name="drive",
    load=load,
    asks_for="key file",
    has_rights=True,
    library="jwt",
    extra="connectors",
)
