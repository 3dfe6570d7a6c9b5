"""WebDAV: sessions with a server, properties of its files, and safe paths."""

from rich_agent.domain.intranet import Intranet as Intranet
from rich_agent.upstreams.webdav import DAV as DAV
from rich_agent.upstreams.webdav import XML as XML
from rich_agent.upstreams.webdav import WebdavClient as WebdavClient
from rich_agent.upstreams.webdav import WebdavError as WebdavError
from rich_agent.upstreams.webdav import WebdavRequest as WebdavRequest
from rich_agent.upstreams.webdav import element_bytes as element_bytes
from rich_agent.upstreams.webdav import href_of as href_of
from rich_agent.upstreams.webdav import plain_path as plain_path
from rich_agent.upstreams.webdav import properties as properties
from rich_agent.upstreams.webdav import propfind as propfind
from rich_agent.upstreams.webdav import require_safe as require_safe
from rich_agent.upstreams.webdav import require_success as require_success
from rich_agent.upstreams.webdav import responses as responses
from rich_agent.upstreams.webdav import strong as strong
from rich_agent.upstreams.webdav import webdav_session as webdav_session
