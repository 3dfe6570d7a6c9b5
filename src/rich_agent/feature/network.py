"""Connections to services outside: checked as all others are, through the proxy, and bounded."""

from rich_agent.upstreams.service_client import service_client as service_client
from rich_agent.upstreams.tunnels import TunnelProxy as TunnelProxy
from rich_agent.upstreams.tunnels import tunnels_to_public as tunnels_to_public
