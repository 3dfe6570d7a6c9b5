"""Objects in buckets of S3, and of servers with the same protocol."""

from typing import TYPE_CHECKING

from rich_agent.feature import ConnectorKind

if TYPE_CHECKING:
    from rich_agent.feature.connectors import Opening, Service
    from rich_agent.features.connectors.s3.bucket import S3Config, S3Connector


def load() -> "Service[S3Config]":
    """Load the code that reads the service."""
    from rich_agent.feature.connectors import Service
    from rich_agent.features.connectors.s3.bucket import S3Config, open_s3

    def open_one(config: S3Config, opening: "Opening") -> "S3Connector":
        return open_s3(config, opening.secret, source=opening.source)

    return Service(S3Config, open_one)


connector = ConnectorKind(
    name="s3",
    load=load,
    asks_for="secret access key",
    library="boto3",
    extra="connectors",
)
