"""The OpenAI-compatible stand-in over real HTTP: a well-behaved server.

Faults (`Fault.kind`) for the methods `chat.completions` (and `responses`), `embeddings` or
`models`, of all servers or of one (`Fault.server`); those that refuse are in `servers.faults`:

- `timeout`: waits `delay_s`, then answers.
- `slow`: spreads `delay_s` over the pieces of a stream; otherwise like `timeout`.
- `truncated`: half of the answer without finish_reason and [DONE], then the connection drops.
- `closed`: chat only; half of a stream without finish_reason and [DONE], which then ends normally.
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
- `scripted`: chat only; `Fault.text` and the calls `Fault.calls`, regardless of the request.
- `lengthy`: chat only; the text is repeated under numbered headings, for 12,000 characters.
- `looped`: chat only; after the text, one line is repeated for 12,000 characters.
- `babble`: chat only; random letters, as many as the limit of tokens allows.
- `senseless`: chat only; the same, and valid JSON of random values if a form is requested.

Servers that rank texts know the faults of embeddings for the method `rerank`, and `scripted`, whose
`text` is a JSON object of relevances (0..1) by what a text contains; others are not relevant.

The well-behaved server has `audio.transcriptions` and `audio.speech` too, see servers.voice; of
these, `empty` hears no words, and `misnamed` speaks in another format than Opus.
"""

from starlette.routing import BaseRoute, Route

from rich_agent_sandbox.exchange import Endpoint
from rich_agent_sandbox.ledger import Ledger
from rich_agent_sandbox.model.config import SandboxModelConfig
from rich_agent_sandbox.openai.servers.personality import WELL_BEHAVED
from rich_agent_sandbox.openai.servers.serving import ModelServer
from rich_agent_sandbox.openai.servers.voice import Voice


def openai_routes(ledger: Ledger, config: SandboxModelConfig | None = None) -> list[BaseRoute]:
    """The routes of the well-behaved server below `/v1`; calls are recorded in `ledger`.

    Without `config`, it is read once from the environment.
    """
    config = config or SandboxModelConfig.from_environment()
    server = ModelServer(WELL_BEHAVED, config)
    return [*chat_routes(ledger, server), *_voice(ledger, server)]


def chat_routes(ledger: Ledger, server: ModelServer) -> list[BaseRoute]:
    """The routes below `/v1` that nearly all model servers have."""
    rules = server.rules
    chat = Endpoint(ledger, rules, "chat.completions", server.chat)
    embeddings = Endpoint(ledger, rules, "embeddings", server.embed)
    models = Endpoint(ledger, rules, "models", server.models)
    model = Endpoint(ledger, rules, "models", server.model)
    return [
        Route("/chat/completions", chat.answer, methods=["POST"]),
        Route("/embeddings", embeddings.answer, methods=["POST"]),
        Route("/models", models.answer, methods=["GET"]),
        Route("/models/{model:path}", model.answer, methods=["GET"]),
    ]


def _voice(ledger: Ledger, server: ModelServer) -> list[BaseRoute]:
    voice = Voice(server)
    transcriptions = Endpoint(ledger, server.rules, "audio.transcriptions", voice.transcribe)
    speech = Endpoint(ledger, server.rules, "audio.speech", voice.speak)
    return [
        Route("/audio/transcriptions", transcriptions.answer, methods=["POST"]),
        Route("/audio/speech", speech.answer, methods=["POST"]),
    ]
