"""HTTP as features speak it: routes, callers, refusals, bodies, streams, and languages."""

from rich_agent.web.access import Caller as Caller
from rich_agent.web.access import RateLimit as RateLimit
from rich_agent.web.access import SignIn as SignIn
from rich_agent.web.access import caller_of as caller_of
from rich_agent.web.access import network_of as network_of
from rich_agent.web.addresses import PassageAddresses as PassageAddresses
from rich_agent.web.languages import locale_of as locale_of
from rich_agent.web.on_demand import OnDemand as OnDemand
from rich_agent.web.own_pages import OwnPages as OwnPages
from rich_agent.web.refusals import RequestRefusedError as RequestRefusedError
from rich_agent.web.refusals import retry_after as retry_after
from rich_agent.web.routes import GuardedRoute as GuardedRoute
from rich_agent.web.routes import OpenRoute as OpenRoute
from rich_agent.web.routes import handled_by as handled_by
from rich_agent.web.routes import stop_at_refusal as stop_at_refusal
from rich_agent.web.run_requests import ClientId as ClientId
from rich_agent.web.run_requests import bad_request as bad_request
from rich_agent.web.run_requests import read_body as read_body
from rich_agent.web.streams import KEEP_ALIVE as KEEP_ALIVE
from rich_agent.web.streams import EventStreamResponse as EventStreamResponse
from rich_agent.web.streams import PlacedStreamResponse as PlacedStreamResponse
from rich_agent.web.streams import StreamPlaces as StreamPlaces
