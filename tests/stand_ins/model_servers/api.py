"""The routes of all personalities, which a sandbox serves with `--services`."""

from functools import partial

from starlette.routing import BaseRoute, Mount, Route

from rich_agent_sandbox.exchange import Endpoint
from rich_agent_sandbox.ledger import Ledger
from rich_agent_sandbox.model.config import SandboxModelConfig
from rich_agent_sandbox.openai.api import chat_routes
from rich_agent_sandbox.openai.servers.personality import Personality
from rich_agent_sandbox.openai.servers.serving import ModelServer
from tests.stand_ins.model_servers.rerankers import RERANKERS
from tests.stand_ins.model_servers.reranking import Ranker
from tests.stand_ins.model_servers.responding import Responding
from tests.stand_ins.model_servers.roster import OTHERS, SERVERS


def server_services(ledger: Ledger) -> list[BaseRoute]:
    """All personalities, each at `/servers/NAME`."""
    return [Mount("/servers", routes=server_routes(ledger))]


def server_routes(ledger: Ledger, config: SandboxModelConfig | None = None) -> list[BaseRoute]:
    """The routes of all personalities, below `/servers`: `/NAME/v1/…` and their own addresses."""
    config = config or SandboxModelConfig.from_environment()
    chatting = {one.name: routes_of(one, ledger, config) for one in (*SERVERS, *OTHERS)}
    ranking = {one.name: _ranking(ledger, ModelServer(one, config)) for one in RERANKERS}
    return [Mount(f"/{name}", routes=routes) for name, routes in (chatting | ranking).items()]


def routes_of(
    personality: Personality, ledger: Ledger, config: SandboxModelConfig | None = None
) -> list[BaseRoute]:
    """The routes of one personality, as it has them at an address of its own."""
    server = ModelServer(personality, config or SandboxModelConfig.from_environment())
    ranking = _ranking(ledger, server)
    return [*ranking, Mount("/v1", routes=_below_v1(ledger, server)), *_native(ledger, server)]


def _below_v1(ledger: Ledger, server: ModelServer) -> list[BaseRoute]:
    routes = chat_routes(ledger, server)
    if server.personality.api == "responses":
        responses = Endpoint(ledger, server.rules, "responses", Responding(server).respond)
        routes.append(Route("/responses", responses.answer, methods=["POST"]))
    return routes


def _ranking(ledger: Ledger, server: ModelServer) -> list[BaseRoute]:
    rerank = server.personality.rerank
    if rerank is None:
        return []
    endpoint = Endpoint(ledger, server.rules, "rerank", Ranker(server, rerank).rank)
    return [Route(path, endpoint.answer, methods=["POST"]) for path in rerank.paths]


def _native(ledger: Ledger, server: ModelServer) -> list[BaseRoute]:
    routes: list[BaseRoute] = []
    for place, answer in server.personality.native.items():
        method, path = place.split()
        handle = partial(server.native, answer)
        endpoint = Endpoint(ledger, server.rules, path.strip("/"), handle)
        routes.append(Route(path, endpoint.answer, methods=[method]))
    return routes
