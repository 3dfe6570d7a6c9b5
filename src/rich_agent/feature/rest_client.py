"""Requests to the REST interfaces of services: limits, retries, and errors in words."""

from rich_agent.documents.connectors.rest_client import Params as Params
from rich_agent.documents.connectors.rest_client import RequestLimits as RequestLimits
from rich_agent.documents.connectors.rest_client import RestClient as RestClient
from rich_agent.documents.connectors.rest_client import RestService as RestService
from rich_agent.documents.connectors.rest_client import ServiceRefusedError as ServiceRefusedError
from rich_agent.documents.connectors.rest_client import too_large as too_large
