"""The OpenAI-compatible stand-ins over real HTTP: a well-behaved one, and quirky real servers.

Faults (`Fault.kind`) for the methods `chat.completions` (and `responses`), `embeddings` or
`models`, of all servers or of one (`Fault.server`); those that refuse are in servers.faults:

- `timeout`: waits `delay_s`, then answers.
- `slow`: spreads `delay_s` over the pieces of a stream; otherwise like `timeout`.
- `truncated`: half of the answer without finish_reason and [DONE], then the connection drops.
- `closed`: chat only; half of a stream without finish_reason and [DONE], which then ends properly.
- `error_chunk`: chat only; half of the stream, then an error event, with status 200.
- `malformed`: half of a JSON object as content or tool arguments; elsewhere as the body.
- `empty`: an empty completion, no embeddings, no models.
- `length`: chat only; half of the answer, with finish_reason `length`.
- `content_filter`: chat only; a few words, with finish_reason `content_filter`.
- `refusal`: chat only; a refusal in its own field, without content.
- `uncounted`: chat and embeddings; the answer reports no usage.
- `refuses`: chat only; a request with the field named by `Fault.text`, such as `tools`, is refused
  with `Fault.status`, others are answered.
- `invented`: chat only; the text cites a passage number that was not given, next to the real ones.
- `uncited`: chat only; the text cites nothing.
- `fabricated`: chat only; the text contains a number that is in no passage, with a citation.
- `misnamed`: chat only; an added sentence names a person who is in no passage.
- `unfound`: chat only; the text says in German and without a marker that nothing was found.
- `scripted`: chat only; says `Fault.text` and calls `Fault.calls`, regardless of the request.
- `lengthy`: chat only; the text is said again, under numbered headings, for 12,000 characters.
- `looped`: chat only; behind the text, one line is repeated for 12,000 characters.
- `babble`: chat only; random letters, as many as the limit of tokens allows.
- `senseless`: chat only; the same, and valid JSON of random values where a form is wanted.

Servers that rank texts know the faults of embeddings for the method `rerank`, and `scripted`, whose
`text` is a JSON object of relevances (0..1) by what a text contains; others are not relevant.

The well-behaved server has `audio.transcriptions` and `audio.speech` too, see servers.voice; of
these, `empty` hears no words, and `misnamed` speaks in another format than Opus.
"""

from functools import partial

from starlette.routing import BaseRoute, Mount, Route

from rich_agent_sandbox.exchange import Endpoint
from rich_agent_sandbox.ledger import Ledger
from rich_agent_sandbox.model.config import SandboxModelConfig
from rich_agent_sandbox.openai.servers.personality import Personality
from rich_agent_sandbox.openai.servers.rerankers import RERANKERS
from rich_agent_sandbox.openai.servers.reranking import Ranker
from rich_agent_sandbox.openai.servers.responding import Responding
from rich_agent_sandbox.openai.servers.roster import OTHERS, SERVERS, WELL_BEHAVED
from rich_agent_sandbox.openai.servers.serving import ModelServer
from rich_agent_sandbox.openai.servers.voice import Voice


def openai_routes(ledger: Ledger, config: SandboxModelConfig | None = None) -> list[BaseRoute]:
    """The routes of the well-behaved server, below `/v1`; every call goes to `ledger`.

    Without `config` the environment is read, once.
    """
    config = config or SandboxModelConfig.from_environment()
    server = ModelServer(WELL_BEHAVED, config)
    return [*_below_v1(ledger, server), *_voice(ledger, server)]


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
    rules = server.rules
    chat = Endpoint(ledger, rules, "chat.completions", server.chat)
    responses = Endpoint(ledger, rules, "responses", Responding(server).respond)
    embeddings = Endpoint(ledger, rules, "embeddings", server.embed)
    models = Endpoint(ledger, rules, "models", server.models)
    one_model = Endpoint(ledger, rules, "models", server.model)
    routes: list[BaseRoute] = [
        Route("/chat/completions", chat.answer, methods=["POST"]),
        Route("/embeddings", embeddings.answer, methods=["POST"]),
        Route("/models", models.answer, methods=["GET"]),
        Route("/models/{model:path}", one_model.answer, methods=["GET"]),
    ]
    if server.personality.api == "responses":
        routes.append(Route("/responses", responses.answer, methods=["POST"]))
    return routes


def _ranking(ledger: Ledger, server: ModelServer) -> list[BaseRoute]:
    rerank = server.personality.rerank
    if rerank is None:
        return []
    endpoint = Endpoint(ledger, server.rules, "rerank", Ranker(server, rerank).rank)
    return [Route(path, endpoint.answer, methods=["POST"]) for path in rerank.paths]


def _voice(ledger: Ledger, server: ModelServer) -> list[BaseRoute]:
    voice = Voice(server)
    ears = Endpoint(ledger, server.rules, "audio.transcriptions", voice.transcribe)
    mouth = Endpoint(ledger, server.rules, "audio.speech", voice.speak)
    return [
        Route("/audio/transcriptions", ears.answer, methods=["POST"]),
        Route("/audio/speech", mouth.answer, methods=["POST"]),
    ]


def _native(ledger: Ledger, server: ModelServer) -> list[BaseRoute]:
    routes: list[BaseRoute] = []
    for place, answer in server.personality.native.items():
        method, path = place.split()
        handle = partial(server.native, answer)
        endpoint = Endpoint(ledger, server.rules, path.strip("/"), handle)
        routes.append(Route(path, endpoint.answer, methods=[method]))
    return routes
