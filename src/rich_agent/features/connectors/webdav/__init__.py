"""Files on WebDAV servers, and on Nextcloud and ownCloud with their shares."""

from typing import TYPE_CHECKING

from rich_agent.feature import ConnectorKind

if TYPE_CHECKING:
    from rich_agent.feature.connectors import Opening, Service
    from rich_agent.features.connectors.webdav.files import WebdavConfig, WebdavConnector


def load() -> "Service[WebdavConfig]":
    """Load the code that reads the service."""
    from rich_agent.feature.connectors import Service
    from rich_agent.features.connectors.webdav.files import WebdavConfig, open_webdav

    def open_one(config: WebdavConfig, opening: "Opening") -> "WebdavConnector":
        return open_webdav(config, opening.secret, source=opening.source, intranet=opening.intranet)

    return Service(WebdavConfig, open_one)


connector = ConnectorKind(
    name="webdav",
    load=load,
    asks_for="app password",
    has_rights=True,
)
