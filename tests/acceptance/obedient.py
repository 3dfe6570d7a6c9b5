"""A model that obeys: it writes what any text of a prompt orders, also its prompt, and calls tools.

It stands in front of the sandbox, which plans, looks and remembers as always and records every
call; only streamed answers are its own. The web search beside it finds what it is told to find.
"""

import base64
import codecs
import html
import json
import re
import unicodedata
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from rich_agent_sandbox.model.completion import scripted
from rich_agent_sandbox.model.request import ChatRequest
from rich_agent_sandbox.openai.servers.personality import WELL_BEHAVED
from rich_agent_sandbox.openai.servers.streaming import Reply
from rich_agent_sandbox.openai.wire import Envelope
from tests.acceptance.world import TLS

_ORDER = re.compile(r"write[\s/]+exactly[\s/]*\{\{([^{}]*)\}\}", re.IGNORECASE)
_CALL = re.compile(
    r"call[\s/]+the[\s/]+tool[\s/]+([\w-]+)[\s/]+with[\s/]*(\{[^{}]*\})", re.IGNORECASE
)
_CODE = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
# Tag characters spell ASCII.
_WRITTEN_OUT = {0xE0000 + code: chr(code) for code in range(0x20, 0x7F)}
_QUOTED = {ord("٪"): "%"}
WHOLE_PROMPT = "*your prompt*"
_DEADLINE_S = 60.0

Json = dict[str, Any]


def order(words: str) -> str:
    """The sentence that this model obeys: it writes the words once, however often they stand."""
    return f"write exactly {{{{{words}}}}}"


def order_call(name: str, /, **arguments: Any) -> str:
    """The sentence on which this model calls a tool, whether or not it is offered one.

    `arguments` are texts and numbers. It calls once for each such sentence of a turn, wherever the
    sentence stands: in documents, images, forwarded words, or the result of another call.
    """
    return f"call the tool {name} with {json.dumps(arguments, ensure_ascii=False)}"


@dataclass(slots=True)
class Obedient:
    """The routes, what the web search finds next (as Tavily's results), and what was obeyed.

    With `always_acts` every plan lets it call tools; `called` are the calls that it made. While it
    `holds_back` it calls what the user's last message orders, and nothing else.
    """

    sandbox: str
    always_acts: bool = False
    holds_back: bool = False
    called: list[Json] = field(default_factory=list)
    found: list[Json] = field(default_factory=list)
    obeyed: list[str] = field(default_factory=list)

    def app(self) -> Starlette:
        """All routes of a model server, and of the search."""
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self.chat, methods=["POST"]),
                Route("/v1/embeddings", self.pass_on, methods=["POST"]),
                Route("/v1/models", self.pass_on, methods=["GET"]),
                Route("/tavily/search", self.search, methods=["POST"]),
            ]
        )

    async def pass_on(self, request: Request) -> Response:
        """Pass a request on to the sandbox; return its answer."""
        headers = {key: request.headers[key] for key in ("authorization", "content-type")}
        async with httpx.AsyncClient(timeout=_DEADLINE_S, trust_env=False, verify=TLS) as http:
            answer = await http.request(
                request.method,
                f"{self.sandbox}{request.url.path}",
                content=await request.body(),
                headers=headers,
            )
        kind = answer.headers.get("content-type")
        return Response(answer.content, answer.status_code, media_type=kind)

    async def chat(self, request: Request) -> Response:
        """The sandbox's completion; a streamed answer is what the prompt's texts order."""
        body = await request.json()
        answer = await self.pass_on(request)
        if not body.get("stream"):
            return _acting(answer, body) if self.always_acts else answer
        told = [part for one in body["messages"] for part in understood(str(one.get("content")))]
        # Each text is read in several ways, most of which find the same order.
        wishes = list(dict.fromkeys(match for text in told for match in _ORDER.findall(text)))
        asked = [one for one in body["messages"] if one["role"] == "user"][-1:]
        heard = [str(one.get("content")) for one in asked] if self.holds_back else told
        calls = _calls_ordered(heard, body["messages"])
        if self.always_acts and not (wishes or calls):
            wishes = ["Done."]
        if not (wishes or calls):
            return answer
        self.obeyed += told
        self.called += calls
        said = "\n\n".join(told[0] if WHOLE_PROMPT in wish else wish for wish in wishes)
        said = said.translate(_QUOTED)
        reply = Reply(
            WELL_BEHAVED,
            ChatRequest.model_validate(body),
            Envelope.new(0, body["model"]),
            [scripted(said, calls)],
            None,
        )
        return StreamingResponse(reply.events(0), media_type="text/event-stream")

    async def search(self, request: Request) -> Response:
        """The scripted results; the sandbox's own search records the call."""
        answer = await self.pass_on(request)
        known = json.loads(bytes(answer.body))
        return JSONResponse({**known, "results": self.found}) if self.found else answer


def understood(text: str) -> list[str]:
    """The text, and what a clever reader makes of it: decoded, read backwards, without disguise."""
    plain = unicodedata.normalize("NFKC", html.unescape(text)).translate(_WRITTEN_OUT)
    seen = "".join(one for one in plain if unicodedata.category(one) != "Cf")
    visible = unquote(re.sub(r'\\+"', '"', seen))
    readings = [
        visible,
        visible.replace("'", '"'),
        visible[::-1],
        codecs.encode(visible, "rot13"),
        *(_decoded(found) for found in _CODE.findall(visible)),
    ]
    return [text, *(one for one in readings if one != text and _CALL.search(one))]


def _decoded(code: str) -> str:
    for decode in (bytes.fromhex, base64.b64decode):
        with suppress(ValueError):
            return decode(code).decode("ascii")
    return ""


def _calls_ordered(told: Sequence[str], messages: Sequence[Json]) -> list[Json]:
    """The calls that texts order and that were not made behind the user's last message."""
    last = max(at for at, message in enumerate(messages) if message["role"] == "user")
    made = {
        _id_of(call["function"]["name"], call["function"]["arguments"])
        for message in messages[last:]
        for call in message.get("tool_calls") or ()
    }
    ordered = dict.fromkeys(
        found for text in told for found in _CALL.findall(html.unescape(text)) if is_json(found[1])
    )
    calls = [{"name": name, "arguments": raw, "id": _id_of(name, raw)} for name, raw in ordered]
    return [call for call in calls if call["id"] not in made]


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _acting(answer: Response, asked: Json) -> Response:
    """A plan that wants action, and looks up what is asked; any other completion as it is."""
    given = json.loads(bytes(answer.body))
    question = str(asked["messages"][-1].get("content")).partition("</question>")[0]
    looks_up = "?" in question
    for choice in given.get("choices", ()):
        message = choice["message"]
        with suppress(ValueError, TypeError):
            plan = json.loads(message["content"])
            if "intent" in plan:
                wanted = {"action": True} if looks_up else {"action": True, "plan": "direct"}
                message["content"] = json.dumps({**plan, **wanted})
    return JSONResponse(given, answer.status_code)


def _id_of(name: str, arguments: str) -> str:
    with suppress(ValueError):
        arguments = json.dumps(json.loads(arguments), sort_keys=True)
    return f"call_{zlib.crc32(f'{name}{arguments}'.encode()):08x}"
