"""Mails and their attachments in a mailbox."""

from typing import TYPE_CHECKING

from rich_agent.feature import ConnectorKind

if TYPE_CHECKING:
    from rich_agent.feature.connectors import Opening, Service
    from rich_agent.features.connectors.imap.mailbox import ImapConfig, ImapConnector


def load() -> "Service[ImapConfig]":
    """Load the code that reads the service."""
    from rich_agent.feature.connectors import Service
    from rich_agent.features.connectors.imap.mailbox import ImapConfig, open_imap

    def open_one(config: ImapConfig, opening: "Opening") -> "ImapConnector":
        return open_imap(config, opening.secret, source=opening.source)

    return Service(ImapConfig, open_one)


connector = ConnectorKind(
    name="imap",
    load=load,
    asks_for="password",
    has_rights=True,
    library="imap_tools",
    extra="connectors",
)
